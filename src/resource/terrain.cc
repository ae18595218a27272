#include "src/resource/terrain.h"

#include <algorithm>
#include <array>

#include "src/base/or_no_memory.h"

namespace nowait {
namespace {

// The four posts around a place along one axis, and their weights.
struct Stencil {
  std::uint32_t first;
  std::array<double, 4> weights;
};

// place: in posts, at least one post away from either end.
Stencil CatmullRom(double place) {
  const auto below = static_cast<std::uint32_t>(place);
  const double t = place - static_cast<double>(below);
  // The cubic through posts 1 and 2 whose slopes there are those of the chords 0-2 and 1-3.
  return {below - 1,
          {t * (-0.5 + t * (1.0 - 0.5 * t)), 1.0 + t * t * (-2.5 + 1.5 * t),
           t * (0.5 + t * (2.0 - 1.5 * t)), t * t * (-0.5 + 0.5 * t)}};
}

// The places of all samples along one axis.
std::vector<Stencil> Stencils(double edge, double spacing, const TerrainWindow& window) {
  std::vector<Stencil> stencils;
  stencils.reserve(window.cells + 1);
  for (std::uint32_t i = 0; i <= window.cells; ++i) {
    stencils.push_back(CatmullRom((edge + double{window.cell_size} * i) / spacing));
  }
  return stencils;
}

// Whether all four posts of every stencil exist, for places from `first` to `last` metres. False
// for NaN.
bool IsInside(double first, double last, double spacing, std::uint32_t posts) {
  return 1.0 <= first / spacing && last / spacing < static_cast<double>(posts - 2);
}
bool IsInside(double edge, double spacing, std::uint32_t posts, const TerrainWindow& window) {
  return IsInside(edge, edge + double{window.cell_size} * window.cells, spacing, posts);
}

// Of a square's samples along one axis: the last one is at the edge of the next square, exactly.
std::vector<Stencil> Stencils(double edge, double spacing, const TerrainSquare& square) {
  std::vector<Stencil> stencils;
  stencils.reserve(square.cells + 1);
  for (std::uint32_t i = 0; i <= square.cells; ++i) {
    stencils.push_back(CatmullRom((edge + square.side * i / square.cells) / spacing));
  }
  return stencils;
}

double Interpolate(const Elevation& elevation, const Stencil& row, const Stencil& column) {
  double height = 0.0;
  for (std::uint32_t i = 0; i < 4; ++i) {
    double along = 0.0;
    for (std::uint32_t j = 0; j < 4; ++j) {
      along += column.weights[j] * elevation.At(row.first + i, column.first + j);
    }
    height += row.weights[i] * along;
  }
  return height;
}

// The window must be inside the posts.
Terrain Resampled(const Elevation& elevation, const TerrainWindow& window) {
  const auto rows = Stencils(window.south, elevation.row_spacing, window);
  const auto columns = Stencils(window.east, elevation.column_spacing, window);
  std::vector<double> metres;  // above sea level
  metres.reserve(rows.size() * columns.size());
  for (const Stencil& row : rows) {
    for (const Stencil& column : columns) metres.push_back(Interpolate(elevation, row, column));
  }
  const double lowest = *std::min_element(metres.begin(), metres.end());

  Terrain terrain;
  terrain.side = window.cells + 1;
  terrain.cell_size = window.cell_size;
  terrain.sea_level = static_cast<float>(-lowest);
  const double half = 0.5 * double{window.cell_size} * window.cells;
  terrain.north =
      elevation.north - (window.south + half) / elevation.row_spacing * elevation.row_degrees;
  terrain.west =
      elevation.west + (window.east + half) / elevation.column_spacing * elevation.column_degrees;
  terrain.heights.reserve(metres.size());
  for (const double height : metres) {
    terrain.heights.push_back(static_cast<float>(height - lowest));
  }
  return terrain;
}

std::unexpected<Error> Invalid(const char* detail) {
  return Fail(ErrorCode::kInvalidArgument, "terrain window", 0, detail);
}

}  // namespace

Result<Terrain> ResampleWindow(const Elevation& elevation, const TerrainWindow& window) {
  if (window.cells == 0 || window.cells > Terrain::kMaxCells) {
    return Invalid("its cells are not between 1 and 2048 along a side");
  }
  if (!(window.cell_size >= 0.01f)) return Invalid("its cells are smaller than 1 cm");
  if (!IsInside(window.south, elevation.row_spacing, elevation.rows, window) ||
      !IsInside(window.east, elevation.column_spacing, elevation.columns, window)) {
    return Invalid("it is not inside the measured posts");
  }
  return OrNoMemory([&]() -> Result<Terrain> { return Resampled(elevation, window); });
}

Result<std::vector<float>> ResampleSquare(const Elevation& elevation, const TerrainSquare& square) {
  if (square.cells == 0 || square.cells > Terrain::kMaxCells) {
    return Invalid("its cells are not between 1 and 2048 along a side");
  }
  if (!(square.side >= 0.01 * square.cells)) return Invalid("its cells are smaller than 1 cm");
  if (!IsInside(square.south, square.south + square.side, elevation.row_spacing, elevation.rows) ||
      !IsInside(square.east, square.east + square.side, elevation.column_spacing,
                elevation.columns)) {
    return Invalid("it is not inside the measured posts");
  }
  return OrNoMemory([&]() -> Result<std::vector<float>> {
    const auto rows = Stencils(square.south, elevation.row_spacing, square);
    const auto columns = Stencils(square.east, elevation.column_spacing, square);
    std::vector<float> heights;
    heights.reserve(rows.size() * columns.size());
    for (const Stencil& row : rows) {
      for (const Stencil& column : columns) {
        heights.push_back(static_cast<float>(Interpolate(elevation, row, column)));
      }
    }
    return heights;
  });
}

Result<float> HeightAt(const Elevation& elevation, double south, double east) {
  if (!IsInside(south, south, elevation.row_spacing, elevation.rows) ||
      !IsInside(east, east, elevation.column_spacing, elevation.columns)) {
    return Invalid("it is not inside the measured posts");
  }
  return static_cast<float>(Interpolate(elevation, CatmullRom(south / elevation.row_spacing),
                                        CatmullRom(east / elevation.column_spacing)));
}

}  // namespace nowait
