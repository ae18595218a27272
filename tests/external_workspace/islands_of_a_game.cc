// What a game outside this repository would write: islands, linked by the jobs of a task pool.
#include <cstdint>
#include <cstdio>
#include <numeric>
#include <vector>

#include "src/islands/finalise.h"
#include "src/islands/union_find.h"
#include "src/jobs/job_batch.h"
#include "src/jobs/task_pool.h"

int main() {
  constexpr std::uint32_t kBodies = 1000;
  nowait::UnionFind<> sets(kBodies);

  // Chains of ten: body i touches body i + 1, unless i + 1 starts a new chain.
  auto link = [&](std::uint32_t begin, std::uint32_t end) {
    for (std::uint32_t i = begin; i < end; ++i) {
      if ((i + 1) % 10 != 0) sets.Union(i, i + 1);
    }
  };
  const auto made = nowait::TaskPool::Create({.main_threads = {"game"}, .workers = 2});
  if (!made) return 1;
  nowait::TaskPool& pool = **made;
  const auto here = pool.Register("game");
  if (!here) return 1;
  nowait::JobBatch batch;
  if (!batch.AddLoop(kBodies, 16, link)) return 1;
  if (!batch.Run(pool)) return 1;

  std::vector<std::uint32_t> bodies(kBodies);
  std::iota(bodies.begin(), bodies.end(), 0u);
  nowait::IslandBuilder builder;
  const nowait::Islands& islands = builder.Finalise(sets, bodies);
  std::printf("%u islands, the first has %zu bodies\n", islands.count(), islands[0].size());
  return islands.count() == kBodies / 10 && islands[0].size() == 10 ? 0 : 1;
}
