// Updates that are begun again, without a clock, for restart_instructions.py.
//
// usage: restart_updates results|exception straight|again DEPTH UPDATES
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "tests/bench/restart_ways.h"

int main(int argc, char** argv) {
  if (argc != 5) return 2;
  const bool throws = std::string_view(argv[1]) == "exception";
  const bool again = std::string_view(argv[2]) == "again";
  nowait::RestartWays ways(static_cast<std::uint32_t>(std::atoi(argv[3])));
  std::uint64_t sum = 0;
  for (int i = std::atoi(argv[4]); i > 0; --i) {
    sum += throws ? ways.Update<nowait::RestartWays::Exceptions>(again)
                  : ways.Update<nowait::RestartWays::Results>(again);
  }
  std::printf("%llu\n", static_cast<unsigned long long>(sum));
  return 0;
}
