// Layers: which bodies have a separate tree, and which layers interact.
//
// A layer is a tree of the broad phase. Two layers always exist: one for bodies that stay, and one
// for bodies that move. A game adds others for bodies that most queries do not ask for (triggers,
// debris, characters). A layer outside the query costs nothing: the query does not even enter its
// tree.
//
// There are two questions, each answered by a set of layers: where a query looks (a filter, given
// with the query), and which layers a layer's bodies touch (the collision matrix, given at
// creation).
#ifndef NOWAIT_SRC_BODIES_LAYERS_H_
#define NOWAIT_SRC_BODIES_LAYERS_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>

namespace nowait {

enum class Layer : std::uint8_t {
  kStatic,   // does not move, or hardly ever
  kDynamic,  // moves
};
inline constexpr std::size_t kLayerCount = 2;  // the number of layers that always exist
inline constexpr std::size_t kMaxLayers = 16;
inline constexpr std::size_t kMaxUserLayers = kMaxLayers - kLayerCount;

constexpr std::size_t IndexOf(Layer layer) { return static_cast<std::size_t>(layer); }

// The layers of a game's own: 0 .. kMaxUserLayers-1.
constexpr Layer UserLayer(std::size_t number) { return static_cast<Layer>(kLayerCount + number); }

// A set of layers.
class LayerSet {
 public:
  constexpr LayerSet() = default;
  constexpr LayerSet(std::initializer_list<Layer> layers) {
    for (const Layer layer : layers) Add(layer);
  }
  static constexpr LayerSet All() {
    LayerSet all;
    all.bits_ = (std::uint32_t{1} << kMaxLayers) - 1;
    return all;
  }

  constexpr bool Has(Layer layer) const { return (bits_ & Bit(layer)) != 0; }
  constexpr void Add(Layer layer) { bits_ |= Bit(layer); }
  constexpr void Drop(Layer layer) { bits_ &= ~Bit(layer); }

  friend constexpr bool operator==(LayerSet, LayerSet) = default;

 private:
  static constexpr std::uint32_t Bit(Layer layer) { return std::uint32_t{1} << IndexOf(layer); }
  std::uint32_t bits_ = 0;
};

// Which layers' bodies touch each other. Symmetric by construction.
class CollisionMatrix {
 public:
  // All layers touch each other and themselves, except that kStatic does not touch kStatic.
  constexpr CollisionMatrix() {
    partners_.fill(LayerSet::All());
    Set(Layer::kStatic, Layer::kStatic, false);
  }

  constexpr void Set(Layer a, Layer b, bool touch) {
    SetOne(a, b, touch);
    SetOne(b, a, touch);
  }
  constexpr bool Touch(Layer a, Layer b) const { return PartnersOf(a).Has(b); }
  // The filter with which a body of this layer looks for others.
  constexpr LayerSet PartnersOf(Layer layer) const { return partners_[IndexOf(layer)]; }

 private:
  constexpr void SetOne(Layer a, Layer b, bool touch) {
    if (touch) {
      partners_[IndexOf(a)].Add(b);
    } else {
      partners_[IndexOf(a)].Drop(b);
    }
  }

  std::array<LayerSet, kMaxLayers> partners_;
};

}  // namespace nowait

#endif  // NOWAIT_SRC_BODIES_LAYERS_H_
