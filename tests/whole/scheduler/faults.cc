#include "tests/whole/scheduler/faults.h"

#include <array>
#include <charconv>
#include <utility>
#include <vector>

#include "src/math/random.h"

namespace nowait::whole {
namespace {

struct Kind {
  std::string_view name;
  std::uint64_t Faults::*fault;
  std::uint64_t FaultPlaces::*places;
  std::uint32_t weight;  // of one that is drawn
};
// Most of what can go wrong in the engine is an allocation.
constexpr std::array<Kind, 4> kKinds = {{
    {"allocation", &Faults::failed_allocation, &FaultPlaces::allocations, 6},
    {"thread", &Faults::refused_thread, &FaultPlaces::starts, 1},
    {"clock", &Faults::time_jump, &FaultPlaces::clock_readings, 1},
    {"stands", &Faults::time_stands, &FaultPlaces::clock_readings, 1},
}};

}  // namespace

std::string ToString(const Faults& faults) {
  for (const Kind& kind : kKinds) {
    if (faults.*kind.fault == 0) continue;
    return std::string(kind.name) + '-' + std::to_string(faults.*kind.fault);
  }
  return {};
}

std::optional<Faults> ParseFaults(std::string_view text) {
  for (const Kind& kind : kKinds) {
    if (!text.starts_with(kind.name)) continue;
    text.remove_prefix(kind.name.size());
    if (!text.starts_with('-')) return std::nullopt;
    text.remove_prefix(1);
    Faults faults;
    const auto [end, error] =
        std::from_chars(text.data(), text.data() + text.size(), faults.*kind.fault);
    if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
    return faults.*kind.fault == 0 ? std::nullopt : std::optional(faults);
  }
  return std::nullopt;
}

Faults DrawFault(const FaultPlaces& places, std::uint64_t seed) {
  Random random(seed);
  std::vector<const Kind*> tickets;
  for (const Kind& kind : kKinds) {
    if (places.*kind.places != 0) tickets.insert(tickets.end(), kind.weight, &kind);
  }
  Faults faults;
  if (tickets.empty()) return faults;
  const Kind& kind = *tickets[random.Below(static_cast<std::uint32_t>(tickets.size()))];
  faults.*kind.fault = 1 + random.Below(static_cast<std::uint32_t>(places.*kind.places));
  return faults;
}

}  // namespace nowait::whole
