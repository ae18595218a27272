#include <fmt/format.h>
#include <cstdio>
#include "tests/whole/cores/simulate.h"
#include "tests/whole/cores/workloads.h"
using namespace nowait; using namespace nowait::whole;
int main(int argc, char** argv) {
  CoreCosts costs;
  for (const Workload& each : Workloads()) {
    if (argc > 1 && std::string_view(argv[1]) != each.name) continue;
    for (std::uint64_t work : {0, 1000, 10000}) {
      for (std::uint32_t threads : {1, 2, 4, 8, 16, 32, 64}) {
        CoreClocks cores(costs, threads);
        std::vector<double> times; times.reserve(10);
        const auto steps = RunOnCores(cores, [&] { each.run({.threads = threads, .work = work, .warm = 1, .rounds = 2, .times = &times}); });
        if (!steps) return 1;
        const auto& c = cores.counts();
        const double all = double(c.elapsed) * threads;
        fmt::print("{} {} {} {:.0f} us ({:.0f}) steps {} comp {:.2f} trans {:.2f} queue {:.2f} pause {:.2f} woken {} moved {}\n", each.name, work, threads, times[0]/1000, times[1]/1000, *steps,
          c.computes/all, c.transfers/all, c.queues/all, c.pauses/all, c.woken, c.moved);
        const auto uses = cores.Uses();
        for (std::size_t i = 0; i < 3 && i < uses.size() && threads == 64; ++i) fmt::print("    line {} {}:{} moved {} share {:.3f}\n", uses[i].line, uses[i].site.file(), uses[i].site.line(), uses[i].moved, uses[i].time/all);
        std::fflush(stdout);
      }
    }
  }
}
