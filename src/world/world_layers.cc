#include "src/world/world_layers.h"

#include <array>
#include <cstddef>
#include <cstdint>

namespace nowait {
namespace {

constexpr std::array<const char*, kMaxUserLayers> kRows = {
    "user layer 0",  "user layer 1",  "user layer 2",  "user layer 3", "user layer 4",
    "user layer 5",  "user layer 6",  "user layer 7",  "user layer 8", "user layer 9",
    "user layer 10", "user layer 11", "user layer 12", "user layer 13"};

std::unexpected<Error> BadRow(std::size_t row, std::size_t number, const char* why) {
  return Fail(ErrorCode::kInvalidArgument, kRows[row], static_cast<std::int64_t>(number), why);
}

}  // namespace

Result<BroadPhaseDef> TreesOf(const WorldDef& def) {
  const std::size_t count = def.user_layers.size();
  if (count > kMaxUserLayers) {
    return Fail(ErrorCode::kInvalidArgument, "user_layers", static_cast<std::int64_t>(count),
                "at most 14");
  }
  BroadPhaseDef trees = BroadPhaseDef::ForBodies(def.max_bodies, static_cast<std::uint32_t>(count));
  trees.rebuild[IndexOf(Layer::kStatic)] = def.static_rebuild;
  trees.rebuild[IndexOf(Layer::kDynamic)] = def.dynamic_rebuild;
  for (std::size_t row = 0; row < count; ++row) {
    const LayerDef& layer = def.user_layers[row];
    if (layer.name.empty()) return BadRow(row, row, "it has no name");
    if (LayerNamed(layer.name, def) != UserLayer(row)) {
      return BadRow(row, row, "its name is another layer's");
    }
    for (std::size_t other = 0; other < row; ++other) {
      const bool touches = layer.touches.Has(UserLayer(other));
      if (touches != def.user_layers[other].touches.Has(UserLayer(row))) {
        return BadRow(row, other, "its row and the row of an earlier user layer disagree");
      }
      trees.collisions.Set(UserLayer(row), UserLayer(other), touches);
    }
    for (const Layer always : {Layer::kStatic, Layer::kDynamic, UserLayer(row)}) {
      trees.collisions.Set(UserLayer(row), always, layer.touches.Has(always));
    }
    trees.rebuild[IndexOf(UserLayer(row))] = layer.rebuild;
  }
  return trees;
}

Result<Layer> LayerOf(const BodyDef& body, const WorldDef& def) {
  if (!body.layer) return body.type == BodyType::kStatic ? Layer::kStatic : Layer::kDynamic;
  const std::size_t index = IndexOf(*body.layer);
  if (index < kLayerCount) {
    return Fail(ErrorCode::kInvalidArgument, "layer", static_cast<std::int64_t>(index),
                "kStatic and kDynamic go by the body's type");
  }
  if (index >= kLayerCount + def.user_layers.size()) {
    return Fail(ErrorCode::kInvalidArgument, "layer", static_cast<std::int64_t>(index),
                "the world has no such layer");
  }
  return *body.layer;
}

Result<Layer> LayerNamed(std::string_view name, const WorldDef& def) {
  if (name == "static") return Layer::kStatic;
  if (name == "dynamic") return Layer::kDynamic;
  for (std::size_t i = 0; i < def.user_layers.size(); ++i) {
    if (def.user_layers[i].name == name) return UserLayer(i);
  }
  return Fail(ErrorCode::kNotFound, "layer");
}

}  // namespace nowait
