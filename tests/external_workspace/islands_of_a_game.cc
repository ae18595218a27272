// The code of a game outside this repository: islands, linked by the jobs of a task pool. The
// README shows a part of it.
#include <cstdint>
#include <cstdio>
#include <numeric>
#include <vector>

#include "src/base/result.h"
#include "src/islands/finalise.h"
#include "src/islands/union_find.h"
#include "src/jobs/job_batch.h"
#include "src/jobs/task_pool.h"

namespace {

constexpr std::uint32_t kBodies = 1000;

// Chains of ten bodies each.
bool Touch(std::uint32_t, std::uint32_t right) { return right % 10 != 0; }

int Say(const nowait::Error& error) {
  std::printf("%s\n", nowait::ToString(error).c_str());
  return 1;
}

}  // namespace

int main() {
  std::vector<std::uint32_t> bodies(kBodies);
  std::iota(bodies.begin(), bodies.end(), 0u);

  const auto made = nowait::TaskPool::Create({.main_threads = {"game"}, .workers = 2});
  if (!made) return Say(made.error());
  nowait::TaskPool& pool = **made;
  const auto here = pool.Register("game");
  if (!here) return Say(here.error());

  nowait::UnionFind<> sets(kBodies);
  auto link = [&](std::uint32_t begin, std::uint32_t end) {  // one job: bodies begin .. end - 1
    for (std::uint32_t i = begin; i < end; ++i) {
      if (Touch(i, i + 1)) sets.Union(i, i + 1);
    }
  };
  nowait::JobBatch batch;
  if (const auto added = batch.AddLoop(kBodies, 16, link); !added) return Say(added.error());
  if (const auto ran = batch.Run(pool); !ran) return Say(ran.error());

  nowait::IslandBuilder builder;
  const nowait::Islands& islands = builder.Finalise(sets, bodies);

  std::printf("%u islands, the first has %zu bodies\n", islands.count(), islands[0].size());
  return islands.count() == kBodies / 10 && islands[0].size() == 10 ? 0 : 1;
}
