#include "src/live/command.h"

#include <catch2/catch.hpp>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "src/bodies/body_id.h"
#include "src/events/event.h"
#include "src/live/event_writer.h"

namespace nowait {
namespace {

template <class... Values>
std::vector<std::byte> Message(const char (&type)[5], Values... values) {
  EventWriter writer;
  writer.Begin(FourCharacters(type));
  (writer.Value(values), ...);
  writer.End();
  return {writer.bytes().begin(), writer.bytes().end()};
}

TEST_CASE("every command is read") {
  std::vector<std::byte> all;
  for (const auto& one : {Message("CmPa", 1u), Message("CmSt", 7u), Message("CmSp", 0.25f),
                          Message("CmRs", std::uint64_t{1} << 40),
                          Message("CmTh", 1.f, 2.f, 3.f, 4.f, 5.f, 6.f), Message("CmSh", 2u),
                          Message("CmPu", 8u, 9u, 1.f, 2.f, 3.f, 4.f, 5.f, 6.f), Message("CmLe")}) {
    all.insert(all.end(), one.begin(), one.end());
  }
  const auto commands = ParseCommands(all);
  REQUIRE(commands);
  REQUIRE(commands->size() == 8);
  CHECK((*commands)[0].on);
  CHECK((*commands)[1].frames == 7);
  CHECK((*commands)[2].speed == 0.25f);
  CHECK((*commands)[3].seed == std::uint64_t{1} << 40);
  CHECK((*commands)[4].kind == LiveCommand::Kind::kThrow);
  CHECK((*commands)[4].position == Vec3{1, 2, 3});
  CHECK((*commands)[4].velocity == Vec3{4, 5, 6});
  CHECK((*commands)[5].kind == LiveCommand::Kind::kShow);
  CHECK((*commands)[5].parts == LiveParts{LiveParts::kLinks});
  CHECK((*commands)[6].kind == LiveCommand::Kind::kPull);
  CHECK((*commands)[6].slot == 8);
  CHECK((*commands)[6].generation == 9);
  CHECK((*commands)[6].grip == Vec3{1, 2, 3});
  CHECK((*commands)[6].position == Vec3{4, 5, 6});
  CHECK((*commands)[7].kind == LiveCommand::Kind::kLetGo);
}

// A camera that looks along -z, with one value changed.
std::vector<std::byte> Look(std::size_t changed = 17, float value = 0) {
  float numbers[17] = {1, 2, 3, 0, 0, -1, 0, 1, 0, -0.5f, 0.75f, -0.25f, 0.5f, 100, 7, 8, 9};
  if (changed < 17) numbers[changed] = value;
  EventWriter writer;
  writer.Begin(FourCharacters("CmVi"));
  for (const float number : numbers) writer.Value(number);
  writer.End();
  return {writer.bytes().begin(), writer.bytes().end()};
}

TEST_CASE("a camera is read, and each of its values has bounds") {
  const auto commands = ParseCommands(Look());
  REQUIRE(commands);
  const LiveCommand& command = commands->at(0);
  CHECK(command.kind == LiveCommand::Kind::kLook);
  CHECK(command.on);
  CHECK(command.camera == ViewFrustum{.eye = {1, 2, 3},
                                      .forward = {0, 0, -1},
                                      .up = {0, 1, 0},
                                      .left = -0.5f,
                                      .right = 0.75f,
                                      .bottom = -0.25f,
                                      .top = 0.5f,
                                      .far = 100,
                                      .reach = {7, 8, 9}});
  const auto away = ParseCommands(Message("CmVi"));
  REQUIRE(away);
  CHECK(!away->at(0).on);
  CHECK(!ParseCommands(Message("CmVi", 1.f)));
  constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  for (std::size_t i = 0; i < 17; ++i) {
    INFO("value " << i);
    CHECK(!ParseCommands(Look(i, kNaN)));
    CHECK(!ParseCommands(Look(i, 2e5f)));
    CHECK(!ParseCommands(Look(i, -2e5f)));
    CHECK(!ParseCommands(Look(i, kInfinity)));
    CHECK(!ParseCommands(Look(i, -kInfinity)));
  }
  CHECK(!ParseCommands(Look(3, 0.1f)));     // not of length one
  CHECK(!ParseCommands(Look(8, -1.0f)));    // nor at a right angle
  CHECK(!ParseCommands(Look(5, 0.0f)));     // no direction at all
  CHECK(!ParseCommands(Look(7, 0.0f)));     // nor is there an up
  CHECK(!ParseCommands(Look(9, 0.75f)));    // left is right
  CHECK(!ParseCommands(Look(11, 0.5f)));    // the bottom is the top
  CHECK(!ParseCommands(Look(13, 0.0f)));    // not far
  CHECK(!ParseCommands(Look(10, 100.1f)));  // too wide
}

TEST_CASE("values beyond their bounds, other types and other sizes are refused with a place") {
  constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();
  for (const auto& wrong : {Message("CmPa", 2u),
                            Message("CmPa"),
                            Message("CmPa", 1u, 1u),
                            Message("CmSt", 0u),
                            Message("CmSt", 601u),
                            Message("CmSp", 0.0f),
                            Message("CmSp", 1.5f),
                            Message("CmSp", kNaN),
                            Message("CmRs", 1u),
                            Message("CmTh", 1.f, 2.f, 3.f, 4.f, 5.f),
                            Message("CmTh", 1.f, 2.f, 3.f, 4.f, 5.f, 101.f),
                            Message("CmTh", kNaN, 2.f, 3.f, 4.f, 5.f, 6.f),
                            Message("CmTh", 2e5f, 0.f, 0.f, 0.f, 0.f, 0.f),
                            Message("LvHi", 1u),
                            Message("CmSh", 16u),
                            Message("CmRa", 1.f, 2.f, 3.f, 4.f, 5.f),
                            Message("CmRa", kNaN, 2.f, 3.f, 4.f, 5.f, 6.f),
                            Message("CmRa", 1.f, 2.f, 3.f, 4.f, 5.f, 2e5f),
                            Message("CmSh"),
                            Message("CmPu", 8u, 9u, 1.f, 2.f, 3.f, 4.f, 5.f),
                            Message("CmLe", 1u),
                            Message("CmPu", BodyId::kMaxBodies, 9u, 1.f, 2.f, 3.f, 4.f, 5.f, 6.f),
                            Message("CmPu", 8u, 9u, kNaN, 2.f, 3.f, 4.f, 5.f, 6.f),
                            Message("CmPu", 8u, 9u, 1.f, 2.f, 3.f, 4.f, 5.f, 2e5f)}) {
    std::vector<std::byte> message = Message("CmPa", 0u);
    const auto place = static_cast<std::int64_t>(message.size());
    message.insert(message.end(), wrong.begin(), wrong.end());
    const auto parsed = ParseCommands(message);
    REQUIRE(!parsed);
    CHECK(parsed.error() == Error{ErrorCode::kCorrupt, "command", place});
  }
}

TEST_CASE("a message of any bytes is refused or read, at any place in memory") {
  std::vector<std::byte> message = Message("CmTh", 1.f, 2.f, 3.f, 4.f, 5.f, 6.f);
  message.insert(message.begin(), std::byte{0});
  CHECK(ParseCommands(std::span(message).subspan(1)));
  for (std::size_t size = 1; size < message.size() - 1; ++size) {
    CHECK(!ParseCommands(std::span(message).subspan(1, size)));
  }
  CHECK(ParseCommands({})->empty());
  CHECK(ParseCommands(std::vector<std::byte>(kMostCommandBytes + 1)).error().code ==
        ErrorCode::kCapacity);
}

TEST_CASE("values at their bounds are taken, and a message of as many bytes as it may have") {
  for (const auto& good :
       {Message("CmSt", 1u), Message("CmSt", 600u), Message("CmSp", 0.0625f), Message("CmSp", 1.0f),
        Message("CmTh", 1e5f, -1e5f, 1e5f, 100.f, -100.f, 100.f), Message("CmSh", 0u),
        Message("CmSh", 15u), Message("CmRa", 1e5f, -1e5f, 1e5f, -1e5f, 1e5f, -1e5f),
        Message("CmPa", 0u)}) {
    const auto commands = ParseCommands(good);
    REQUIRE(commands);
    CHECK(commands->size() == 1);
  }
  CHECK(!(*ParseCommands(Message("CmPa", 0u)))[0].on);
  for (const auto& bad :
       {Message("CmSp", 0.0624f), Message("CmTh", 0.f, 0.f, 0.f, 0.f, -100.1f, 0.f),
        Message("CmTh", 0.f, -1.01e5f, 0.f, 0.f, 0.f, 0.f)}) {
    CHECK(!ParseCommands(bad));
  }
  std::vector<std::byte> all;
  for (std::size_t i = 0; i < kMostCommandBytes / 16; ++i) {
    const auto one = Message("CmPa", static_cast<std::uint32_t>(i % 2));
    all.insert(all.end(), one.begin(), one.end());
  }
  REQUIRE(all.size() == kMostCommandBytes);
  const auto commands = ParseCommands(all);
  REQUIRE(commands);
  REQUIRE(commands->size() == 64);
  CHECK(commands->back().on);
  all.resize(kMostCommandBytes + 16);
  CHECK(ParseCommands(all).error() == Error{ErrorCode::kCapacity, "command bytes", 1024});
}

}  // namespace
}  // namespace nowait
