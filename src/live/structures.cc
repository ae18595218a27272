#include "src/live/structures.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <utility>

#include "src/bodies/layers.h"
#include "src/broadphase/child_id.h"
#include "src/live/place.h"
#include "src/live/wire.h"

namespace nowait {
namespace {

constexpr std::uint32_t kThere = 1;
constexpr std::size_t kMostBoxes = kMaxLayers * LiveParts::kMostBoxes;
// Within an event, the new ones may precede the removal of the old ones.
constexpr std::size_t kMostBoxesWithin = 2 * kMostBoxes;
constexpr std::size_t kMostLinksWithin = 2 * LiveParts::kMostLinks;

}  // namespace

LiveBox LiveBox::Of(const TreeBox& box) {
  LiveBox live;
  live.word = kThere | static_cast<std::uint32_t>(box.layer) << 1 | (box.open ? 1u : 0u) << 5 |
              (box.changed ? 1u : 0u) << 6 | std::uint32_t{box.bodies} << 7 | box.level << 10;
  live.numbers = NumbersOf(box.box);
  return live;
}

std::array<std::int32_t, 6> LiveBox::NumbersOf(const Bounds<3>& box) {
  std::array<std::int32_t, 6> numbers;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    numbers[axis] = ToLiveUnits(box.min[axis]);
    numbers[axis + 3] = ToLiveUnits(box.max[axis]);
  }
  return numbers;
}

void StructuresWriter::Write(LiveParts shown, const LiveFrame& frame, EventWriter& writer) {
  if (shown.tree() && frame.parts.tree()) WriteTree(frame, writer);
  if (shown.links() && frame.parts.links()) WriteLinks(frame, writer);
  if (shown.ray() && frame.ray) WriteRay(*frame.ray, writer);
}

void StructuresWriter::WriteTree(const LiveFrame& frame, EventWriter& writer) {
  std::vector<Sent> now;
  now.reserve(frame.tree.boxes.size());
  for (const TreeBox& box : frame.tree.boxes) now.push_back({box.node, LiveBox::Of(box)});
  std::ranges::sort(now, {}, &Sent::node);

  writer.Begin(kLiveTree);
  writer.Varint(frame.tree.trees.size());
  for (const LayerTree& tree : frame.tree.trees) {
    writer.Varint(IndexOf(tree.layer));
    writer.Varint(frame.stats.rebuilds.rebuilds[IndexOf(tree.layer)]);
    writer.Varint(frame.stats.rebuilds.refits[IndexOf(tree.layer)]);
    writer.Varint(tree.staged);
    writer.Varint(tree.left_out);
  }
  std::uint32_t next_node = 0;
  const auto write = [&](std::uint32_t node, const LiveBox& before, const LiveBox& box) {
    writer.Varint(node - next_node);
    writer.Varint(box.word);
    next_node = node + 1;
    if (box.word == 0) return;  // it is gone
    for (std::size_t i = 0; i < box.numbers.size(); ++i) {
      writer.SignedVarint(std::int64_t{box.numbers[i]} - before.numbers[i]);
    }
  };
  auto before = boxes_.begin();
  for (const Sent& sent : now) {
    for (; before != boxes_.end() && before->node < sent.node; ++before) {
      write(before->node, {}, {});
    }
    LiveBox known;
    if (before != boxes_.end() && before->node == sent.node) known = (before++)->box;
    if (known != sent.box) write(sent.node, known, sent.box);
  }
  for (; before != boxes_.end(); ++before) write(before->node, {}, {});
  writer.End();
  boxes_ = std::move(now);
}

void StructuresWriter::WriteLinks(const LiveFrame& frame, EventWriter& writer) {
  std::vector<std::uint64_t> now;
  now.reserve(frame.links.links.size());
  for (const BodyLink& link : frame.links.links) now.push_back(KeyOf(link));

  writer.Begin(kLiveLinks);
  writer.Varint(frame.links.left_out);
  std::vector<std::uint64_t> differ;
  std::ranges::set_symmetric_difference(links_, now, std::back_inserter(differ));
  std::uint64_t before = 0;
  for (const std::uint64_t key : differ) writer.Varint(key - std::exchange(before, key));
  writer.End();
  links_ = std::move(now);
}

void StructuresWriter::WriteRay(const RayTrace& trace, EventWriter& writer) {
  const std::size_t sent = std::min(trace.nodes.size(), LiveParts::kMostVisits);
  writer.Begin(kLiveRay);
  writer.Value(trace.ray.origin);
  writer.Value(trace.ray.translation);
  writer.Value(trace.hit ? trace.hit->fraction : 1.0f);
  writer.Varint(trace.hit ? trace.hit->body.slot() + 1u : 0u);
  writer.Varint(trace.bodies);
  writer.Varint(trace.nodes.size() - sent);
  std::array<std::int32_t, 6> before{};
  for (std::size_t node = 0; node < sent; ++node) {
    const auto numbers = LiveBox::NumbersOf(trace.nodes[node]);
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      writer.SignedVarint(std::int64_t{numbers[i]} - before[i]);
    }
    before = numbers;
  }
  writer.End();
}

bool LiveStructures::ReadTree(EventCursor cursor) {
  const std::uint64_t count = cursor.Varint();
  if (cursor.failed() || count > kMaxLayers) return false;
  trees.clear();
  for (std::uint64_t i = 0; i < count; ++i) {
    LiveTree tree;
    for (std::uint32_t* const field :
         {&tree.layer, &tree.rebuilds, &tree.refits, &tree.staged, &tree.left_out}) {
      *field = static_cast<std::uint32_t>(cursor.Varint());
    }
    if (cursor.failed() || tree.layer >= kMaxLayers) return false;
    trees.push_back(tree);
  }
  std::uint64_t next_node = 0;
  while (cursor.left() > 0) {
    const std::uint64_t gap = cursor.Varint();
    const std::uint64_t word = cursor.Varint();
    if (cursor.failed() || gap >= location::kMaxNodes<4> || word >> 32 != 0) return false;
    const std::uint64_t node = next_node + gap;
    if (node >= location::kMaxNodes<4>) return false;
    next_node = node + 1;
    const auto index = static_cast<std::uint32_t>(node);
    if (word == 0) {
      if (boxes.erase(index) == 0) return false;
      continue;
    }
    if ((word & kThere) == 0 || (boxes.size() >= kMostBoxesWithin && !boxes.contains(index))) {
      return false;
    }
    LiveBox& box = boxes[index];
    box.word = static_cast<std::uint32_t>(word);
    for (std::int32_t& number : box.numbers) {
      const auto sum = AddChange(number, cursor.SignedVarint());
      if (!sum) return false;
      number = *sum;
    }
  }
  return !cursor.failed() && boxes.size() <= kMostBoxes;
}

bool LiveStructures::ReadLinks(EventCursor cursor) {
  const std::uint64_t left_out = cursor.Varint();
  if (cursor.failed()) return false;
  links_left_out = static_cast<std::uint32_t>(left_out);
  constexpr std::uint64_t kEnd = std::uint64_t{1} << (2 * ProxyId::kSlotBits + 1);
  std::uint64_t key = 0;
  while (cursor.left() > 0) {
    const std::uint64_t gap = cursor.Varint();
    if (cursor.failed() || gap >= kEnd) return false;
    key += gap;
    if (key >= kEnd) return false;
    if (links.erase(key) == 0) {
      if (links.size() == kMostLinksWithin) return false;
      links.insert(key);
    }
  }
  return links.size() <= LiveParts::kMostLinks;
}

bool LiveStructures::ReadRay(EventCursor cursor) {
  LiveRay read;
  read.origin = cursor.Value<Vec3>();
  read.translation = cursor.Value<Vec3>();
  read.fraction = cursor.Value<float>();
  const std::uint64_t hit = cursor.Varint();
  read.bodies = static_cast<std::uint32_t>(cursor.Varint());
  read.left_out = static_cast<std::uint32_t>(cursor.Varint());
  if (cursor.failed() || !IsFinite(read.origin) || !IsFinite(read.translation) ||
      !(read.fraction >= 0.0f && read.fraction <= 1.0f) || hit > ProxyId::kMaxBodies) {
    return false;
  }
  if (hit > 0) read.hit = static_cast<std::uint32_t>(hit - 1);
  std::array<std::int32_t, 6> numbers{};
  while (cursor.left() > 0) {
    if (read.nodes.size() == LiveParts::kMostVisits) return false;
    for (std::int32_t& number : numbers) {
      const auto sum = AddChange(number, cursor.SignedVarint());
      if (!sum) return false;
      number = *sum;
    }
    read.nodes.push_back(numbers);
  }
  if (cursor.failed()) return false;
  ray = std::move(read);
  return true;
}

}  // namespace nowait
