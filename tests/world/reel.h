// Reel: consecutive moments of one world as a recording, and the page on which a person sees them.
//
//   Reel reel(world, "a box falls", *feed, kMostBytes);
//   reel.Add(world, 1);
//   std::cout << WriteFilm(reel.bytes(), "1", reel.frames() - 1);
//
// Films of tests are made of reels: film.h, tests/whole/program_film.h.
//
// Thread safety: one thread at a time; the world's rules are those of LiveFeed::Offer.
#ifndef NOWAIT_TESTS_WORLD_REEL_H_
#define NOWAIT_TESTS_WORLD_REEL_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "src/live/encoder.h"
#include "src/live/feed.h"
#include "src/live/recording.h"
#include "src/world/world.h"

namespace nowait {

class Reel {
 public:
  // name: the title of the page. feed: with one buffer; outlives the reel, and no other reel is
  // filled from it any more.
  Reel(const World& world, const std::string& name, LiveFeed& feed, std::size_t most_bytes);

  // step: the updates of 1/60 s before this moment. False: the reel is full, or there is no memory;
  // it ends with the moment before. Linear in the bodies.
  bool Add(const World& world, std::uint64_t step);

  std::uint64_t frames() const { return frames_; }
  // A recording (src/live/recording.h).
  std::span<const std::byte> bytes() const { return recorder_.bytes(); }

 private:
  LiveFeed& feed_;
  LiveEncoder encoder_;
  Recorder recorder_;
  std::uint64_t frames_ = 0;
};

// Writes the page film-NUMBER.html among the test's outputs, or into the current folder. Returns
// the file with the frame at which it opens, counted from 0; or the reason that there is no page.
std::string WriteFilm(std::span<const std::byte> recording, const std::string& number,
                      std::uint64_t frame);

}  // namespace nowait

#endif  // NOWAIT_TESTS_WORLD_REEL_H_
