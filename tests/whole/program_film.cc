#include "tests/whole/program_film.h"

#include <fmt/format.h>
#include <sys/mman.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <new>
#include <ostream>
#include <utility>

namespace nowait::whole {
namespace {

// The wire has no number for a place that is not finite.
bool CanBeDrawn(const World& world) {
  std::vector<BodySnapshot> bodies;
  world.Snapshot(bodies);
  return std::ranges::all_of(bodies, [](const BodySnapshot& body) {
    return IsFinite(body.position) && IsFinite(body.rotation);
  });
}

}  // namespace

// The counts are stored with release: a process that is killed leaves whole pictures.
struct ProgramFilm::Strip {
  std::atomic<std::uint64_t> pictures{0};
  std::atomic<std::size_t> bytes{0};
  std::array<char, 64> how{};
  alignas(16) std::byte recording[kMostBytes];
};

struct ProgramFilm::Strips {
  static constexpr std::size_t kLast = ~std::size_t{0};

  std::atomic<std::size_t> runs{0};
  std::atomic<std::size_t> marked{kLast};
  std::array<std::array<Strip, kWorlds>, kRuns> of_runs;
};

ProgramFilm::ProgramFilm(std::string program)
    : program_(std::move(program)), strips_([] {
        void* const memory = mmap(nullptr, sizeof(Strips), PROT_READ | PROT_WRITE,
                                  MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (memory == MAP_FAILED) std::abort();
        return new (memory) Strips;
      }()) {}

ProgramFilm::~ProgramFilm() { munmap(strips_, sizeof(Strips)); }

void ProgramFilm::Clear() {
  strips_->runs.store(0, std::memory_order_release);
  strips_->marked.store(Strips::kLast, std::memory_order_release);
}

void ProgramFilm::BeginRun(const std::string& how) {
  const std::size_t run = std::min(strips_->runs.load(std::memory_order_relaxed), kRuns - 1);
  for (Strip& strip : strips_->of_runs[run]) {
    strip.pictures.store(0, std::memory_order_release);
    strip.bytes.store(0, std::memory_order_release);
    strip.how = {};
    how.copy(strip.how.data(), strip.how.size() - 1);
  }
  strips_->runs.store(run + 1, std::memory_order_release);
  shots_.clear();
  shots_.resize(kWorlds);
}

void ProgramFilm::Take(std::size_t world, const World& shown) {
  Shot& shot = shots_.at(world);
  shot.is_over = shot.is_over || !CanBeDrawn(shown);
  if (shot.is_over) return;
  const std::size_t run = strips_->runs.load(std::memory_order_relaxed) - 1;
  Strip& strip = strips_->of_runs[run][world];
  if (!shot.reel) {
    auto feed = LiveFeed::Create(1, nullptr);
    shot.is_over = !feed;
    if (!feed) return;
    shot.feed = std::move(*feed);
    const std::string title =
        fmt::format("{}, world {}, {}", program_, world + 1, strip.how.data());
    shot.reel = std::make_unique<Reel>(shown, title, *shot.feed, kMostBytes);
  }
  // An update lies between the pictures 2k and 2k + 1.
  shot.is_over = !shot.reel->Add(shown, (shot.reel->frames() + 1) / 2);
  Copy(*shot.reel, strip);
}

void ProgramFilm::Copy(const Reel& reel, Strip& to) {
  const std::size_t from = to.bytes.load(std::memory_order_relaxed);
  const std::span<const std::byte> fresh = reel.bytes().subspan(from);
  if (fresh.empty()) return;
  std::memcpy(to.recording + from, fresh.data(), fresh.size());
  to.bytes.store(reel.bytes().size(), std::memory_order_release);
  to.pictures.store(reel.frames(), std::memory_order_release);
}

void ProgramFilm::Mark(std::size_t picture) {
  strips_->marked.store(picture, std::memory_order_release);
}

std::span<const std::byte> ProgramFilm::Recording(std::size_t run, std::size_t world) const {
  if (run >= strips_->runs.load(std::memory_order_acquire)) return {};
  const Strip& strip = strips_->of_runs[run][world];
  return {strip.recording, strip.bytes.load(std::memory_order_acquire)};
}

std::uint64_t ProgramFilm::Shown(std::size_t run, std::size_t world) const {
  const std::uint64_t pictures =
      strips_->of_runs[run][world].pictures.load(std::memory_order_acquire);
  return std::min<std::uint64_t>(strips_->marked.load(std::memory_order_acquire), pictures - 1);
}

void ProgramFilm::Write(std::ostream& to) const {
  bool is_empty = true;
  for (std::size_t run = 0; run < kRuns; ++run) {
    for (std::size_t world = 0; world < kWorlds; ++world) {
      const auto recording = Recording(run, world);
      if (recording.empty()) continue;
      is_empty = false;
      to << fmt::format(
          "film of world {}, {}: {}\n", world + 1, strips_->of_runs[run][world].how.data(),
          WriteFilm(recording, fmt::format("{}-{}", run + 1, world + 1), Shown(run, world)));
    }
  }
  if (is_empty) to << "no film: the failure came before the first picture\n";
}

}  // namespace nowait::whole
