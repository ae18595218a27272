// Animation: packed curves beside uncompressed frames and beside quantised keys at a fixed rate.
//
//   clip/FILE     of a captured motion, without playing it: bytes of a bone and second, the part of
//                 its raw bytes (Motion::RawBytes), and the largest errors. "ours": points of a
//                 track and frame; shaking is the part of all rotations that lie farther from the
//                 curve through their neighbours than the limit. "any_motion": in the formats of
//                 src/animation/quantise.h alone. "character_frame": rotations in the frame of the
//                 character at the same limit; "same_chain": in the parents' frames, with the
//                 chain's error of that
//   sample/...    1,000 characters of 90 bones, each at a time of its own, a frame at 60 Hz on one
//                 core. "ours": touched is the bytes of all cache lines that a frame reads of the
//                 stream, divided by the bytes of the points in them; touched_once counts a line
//                 that two frames read once
//   blend, scene, matrices: the rest of a frame for as many characters
//
// The baselines play the same motion at the same errors. Keys of a fixed rate are the points of
// src/animation/quantise.h, linearly mixed, at the lowest rate whose errors are within the limits.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "src/animation/blend.h"
#include "src/animation/fit_clip.h"
#include "src/animation/local_to_global.h"
#include "src/animation/packed_clip.h"
#include "src/animation/sampler.h"
#include "src/apps/crowd/import_motion.h"
#include "src/apps/crowd/variants.h"
#include "src/math/random.h"
#include "src/resource/blob.h"

namespace nowait {
namespace {

constexpr std::uint32_t kCharacters = 1'000;
constexpr std::uint32_t kBones = 90;
constexpr std::size_t kLine = 64;
const FitLimits kLimits;
constexpr float kNoLimit = 1e9f;

struct Source {
  const char* name;
  ImportDef import;
};
const Source kSources[] = {
    {"01_01", {0.0254f / 0.45f, 1}}, {"01_03", {0.0254f / 0.45f, 1}}, {"Boxing_Toes", {0.01f, 0}}};

Motion Read(const Source& source) {
  const std::string file = "/usr/share/assimp/models/BVH/" + std::string(source.name) + ".bvh";
  auto motion = ReadMotion(file, source.import);
  if (!motion) {
    std::fprintf(stderr, "animation: %s: %s\n", file.c_str(), ToString(motion.error()).c_str());
    std::exit(1);
  }
  return *motion;
}

double PerBoneAndSecond(std::size_t bytes, const Motion& motion) {
  const double seconds = static_cast<double>(motion.frames) / motion.frame_rate;
  return static_cast<double>(bytes) / seconds / motion.skeleton.size();
}

// The frames between every stride-th one and the next, with points of the formats at these.
Motion AtFixedRate(const Motion& motion, std::uint32_t stride) {
  Motion shown = motion;
  const auto mix = [&](const auto& samples, auto& out, auto format) {
    using Format = decltype(format);
    for (std::uint32_t f = 0; f < motion.frames; ++f) {
      const std::uint32_t key = f / stride * stride;
      const std::uint32_t next = std::min(key + stride, motion.frames - 1);
      const float weight =
          next == key ? 0.0f : static_cast<float>(f - key) / static_cast<float>(next - key);
      const auto a = Format::Unpack(Format::Pack(samples[key]));
      auto b = Format::Unpack(Format::Pack(samples[next]));
      float dot = 0;
      for (std::size_t k = 0; k < a.size(); ++k) dot += a[k] * b[k];
      float length = 0;
      for (std::size_t k = 0; k < a.size(); ++k) {
        if (a.size() == 4 && dot < 0) b[k] = -b[k];
        out[f][k] = a[k] + (b[k] - a[k]) * weight;
        length += out[f][k] * out[f][k];
      }
      if (a.size() != 4) continue;
      for (float& component : out[f]) component /= std::sqrt(length);
    }
  };
  for (std::uint32_t bone = 0; bone < motion.skeleton.size(); ++bone) {
    mix(motion.rotations[bone], shown.rotations[bone], Rotation<10>());
    if (motion.positions[bone].empty()) continue;
    mix(motion.positions[bone], shown.positions[bone], Position());
  }
  return shown;
}

// The largest distance of keys, in frames, at which the errors are within the limits.
std::uint32_t FixedStride(const Motion& motion) {
  std::uint32_t stride = 1;
  for (std::uint32_t next = 2; next < 64; ++next) {
    const MotionError error = Compare(motion, AtFixedRate(motion, next));
    if (error.degrees > kLimits.degrees || error.metres > kLimits.metres) break;
    stride = next;
  }
  return stride;
}
std::size_t FixedBytes(const Motion& motion, std::uint32_t stride) {
  const std::size_t keys = (motion.frames - 2) / stride + 2;
  std::size_t bytes = 0;
  for (const auto& track : motion.positions) bytes += track.empty() ? 4 : 4 + 6;
  return keys * bytes;
}

void Describe(benchmark::State& state, const Motion& motion, std::size_t bytes,
              const MotionError& error) {
  state.counters["bytes/bone/s"] = PerBoneAndSecond(bytes, motion);
  state.counters["of_raw"] = static_cast<double>(bytes) / static_cast<double>(motion.RawBytes());
  state.counters["degrees"] = error.degrees;
  state.counters["mm"] = error.metres * 1e3;
  state.counters["chain_degrees"] = error.chain_degrees;
  state.counters["chain_mm"] = error.chain_metres * 1e3;
}

// The part of the rotations that a curve through the two frames before and the two behind does not
// have within the limit: how much of a motion changes from frame to frame.
double Shaking(const Motion& motion) {
  std::size_t far = 0, all = 0;
  for (const auto& track : motion.rotations) {
    for (std::size_t f = 2; f + 2 < track.size(); ++f, ++all) {
      CurveWindow<4> window;
      for (const std::size_t at : {f - 2, f - 1, f + 1, f + 2}) {
        window.Push(static_cast<std::uint16_t>(at), track[at]);
      }
      CubicLanes<1, 4> cubic;
      cubic.Set(0, window);
      const auto lanes = Normalised<1>(cubic.At(static_cast<float>(f)));
      CurveValue<4> between;
      for (int k = 0; k < 4; ++k) between[k] = lanes[k].ToArray()[0];
      if (Chord(between, track[f]) > ChordOfDegrees(kLimits.degrees)) ++far;
    }
  }
  return static_cast<double>(far) / static_cast<double>(all);
}

Quat At(const Motion& motion, std::uint32_t bone, std::uint32_t frame) {
  const auto& q = motion.rotations[bone][frame];
  return {q[0], q[1], q[2], q[3]};
}

// Rotations in the frame of the character, as if no bone had a parent.
Motion InCharacterFrame(const Motion& motion) {
  std::vector<Skeleton::Bone> bones(motion.skeleton.bones().begin(), motion.skeleton.bones().end());
  for (auto& bone : bones) bone.parent = Skeleton::kNoParent;
  Motion flat = motion;
  flat.skeleton = *Skeleton::Create(std::move(bones));
  for (std::uint32_t bone = 0; bone < motion.skeleton.size(); ++bone) {
    const std::uint16_t parent = motion.skeleton[bone].parent;
    if (parent == Skeleton::kNoParent) continue;
    for (std::uint32_t f = 0; f < motion.frames; ++f) {
      const Quat q = Normalise(At(flat, parent, f) * At(motion, bone, f));
      flat.rotations[bone][f] = {q.x, q.y, q.z, q.w};
    }
  }
  return flat;
}

// Back from there: frames of the motion's skeleton.
Motion InParentsFrames(const Motion& flat, const Skeleton& skeleton) {
  Motion motion = flat;
  motion.skeleton = skeleton;
  for (std::uint32_t bone = 0; bone < skeleton.size(); ++bone) {
    const std::uint16_t parent = skeleton[bone].parent;
    if (parent == Skeleton::kNoParent) continue;
    for (std::uint32_t f = 0; f < flat.frames; ++f) {
      const Quat q = Normalise(Conjugate(At(flat, parent, f)) * At(flat, bone, f));
      motion.rotations[bone][f] = {q.x, q.y, q.z, q.w};
    }
  }
  return motion;
}

struct InCharacterFrameFitted {
  std::size_t bytes;
  MotionError error;
};
InCharacterFrameFitted FitInCharacterFrame(const Motion& motion) {
  const Motion flat = InCharacterFrame(motion);
  FitLimits limits = kLimits;
  limits.chain_metres = limits.chain_degrees = kNoLimit;
  const auto fitted = FitClip(flat, limits);
  const Motion shown = InParentsFrames(FramesOf(*fitted, flat.skeleton), motion.skeleton);
  return {PackClip(*fitted)->size(), Compare(motion, shown)};
}

void ClipInCharacterFrame(benchmark::State& state, const Source& source) {
  const Motion motion = Read(source);
  for (auto _ : state) {
    const auto fitted = FitInCharacterFrame(motion);
    Describe(state, motion, fitted.bytes, fitted.error);
  }
}
void ClipWithSameChain(benchmark::State& state, const Source& source) {
  const Motion motion = Read(source);
  FitLimits limits = kLimits;
  limits.chain_metres = FitInCharacterFrame(motion).error.chain_metres;
  limits.chain_degrees = kNoLimit;
  for (auto _ : state) {
    const auto fitted = FitClip(motion, limits);
    Describe(state, motion, PackClip(*fitted)->size(),
             Compare(motion, FramesOf(*fitted, motion.skeleton)));
  }
}

// The time is that of the fit.
void Clip(benchmark::State& state, const Source& source, FitLimits limits) {
  const Motion motion = Read(source);
  for (auto _ : state) {
    const auto fitted = FitClip(motion, limits);
    const auto bytes = PackClip(*fitted);
    Describe(state, motion, bytes->size(), Compare(motion, FramesOf(*fitted, motion.skeleton)));
    std::size_t points = 0;
    for (const auto& track : fitted->tracks) {
      points += std::visit([](const auto& curve) { return curve.points.size(); }, track.curve);
    }
    state.counters["points"] =
        static_cast<double>(points) / static_cast<double>(fitted->tracks.size() * motion.frames);
    state.counters["shaking"] = Shaking(motion);
  }
}
void ClipAtFixedRate(benchmark::State& state, const Source& source) {
  const Motion motion = Read(source);
  for (auto _ : state) {
    const std::uint32_t stride = FixedStride(motion);
    Describe(state, motion, FixedBytes(motion, stride),
             Compare(motion, AtFixedRate(motion, stride)));
    state.counters["keys/s"] = motion.frame_rate / static_cast<float>(stride);
  }
}

// A motion of 90 bones, its clip, and a time for each character. All benchmarks of a frame share
// it.
struct Scene {
  Scene()
      : motion(*WithBones(Read(kSources[0]), kBones)),
        packed(*PackClip(*FitClip(motion, kLimits))),
        clip(*PackedClip::Open(*Blob::Open(packed))) {
    Random random(1);
    for (std::uint32_t i = 0; i < kCharacters; ++i) {
      begin.push_back(random.Between(0.0f, static_cast<float>(motion.frames) / 2));
      poses.emplace_back(motion.skeleton);
    }
  }
  // The character's time in a frame of the game, in frames of the motion: at most twice the half.
  float Time(std::uint32_t character, std::uint32_t frame) const {
    const float step = motion.frame_rate / 60.0f;
    const auto frames = static_cast<std::uint32_t>(static_cast<float>(motion.frames) / 2 / step);
    return begin[character] + step * static_cast<float>(frame % frames);
  }
  const Motion motion;
  const std::vector<std::byte> packed;
  const PackedClip clip;
  std::vector<float> begin;
  std::vector<Pose> poses;
};

void PerBone(benchmark::State& state) {
  state.counters["per_bone"] =
      benchmark::Counter(static_cast<double>(state.iterations()) * kCharacters * kBones,
                         benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

void SamplePacked(benchmark::State& state, Scene& scene) {
  const PackedClip& clip = scene.clip;
  std::vector<Sampler> samplers;
  for (std::uint32_t i = 0; i < kCharacters; ++i) {
    samplers.push_back(*Sampler::Create(clip));
    samplers[i].Sample(scene.begin[i], scene.poses[i]);
  }
  std::uint32_t frame = 1;
  for (auto _ : state) {
    for (std::uint32_t i = 0; i < kCharacters; ++i) {
      samplers[i].Sample(scene.Time(i, frame), scene.poses[i]);
    }
    benchmark::ClobberMemory();
    ++frame;
  }
  PerBone(state);

  // Once more beside the clock: the lines of each frame of some seconds.
  std::size_t consumed = 0, touched = 0, distinct = 0;  // bits, lines, lines
  const auto address = reinterpret_cast<std::uintptr_t>(clip.stream().data());
  // Between two bits of the stream.
  const auto lines = [&](std::size_t from, std::size_t to) {
    return (address + (to - 1) / 8) / kLine - (address + from / 8) / kLine + 1;
  };
  for (std::uint32_t i = 0; i < 100; ++i) {
    Sampler sampler = *Sampler::Create(clip);
    sampler.Sample(scene.begin[i], scene.poses[i]);
    const std::size_t first = sampler.place();
    for (std::uint32_t f = 1; f < 300; ++f) {
      const std::size_t from = sampler.place();
      sampler.Sample(scene.Time(i, f), scene.poses[i]);
      const std::size_t to = sampler.place();
      if (to == from) continue;
      consumed += to - from;
      touched += lines(from, to);
    }
    distinct += lines(first, sampler.place());
  }
  const double bytes = static_cast<double>(consumed) / 8;
  state.counters["touched"] = static_cast<double>(touched * kLine) / bytes;
  state.counters["touched_once"] = static_cast<double>(distinct * kLine) / bytes;
  state.counters["bytes/frame"] = bytes / (100.0 * 299.0);
}

// The two frames around a time, with all bones of a frame next to each other.
void SampleUncompressed(benchmark::State& state, Scene& scene) {
  std::vector<Pose> frames;
  for (std::uint32_t f = 0; f < scene.motion.frames; ++f) {
    frames.emplace_back(scene.motion.skeleton);
    for (std::uint32_t bone = 0; bone < kBones; ++bone) {
      const auto& q = scene.motion.rotations[bone][f];
      frames[f].SetRotation(bone, {q[0], q[1], q[2], q[3]});
      if (scene.motion.positions[bone].empty()) continue;
      const auto& p = scene.motion.positions[bone][f];
      frames[f].SetPosition(bone, {p[0], p[1], p[2]});
    }
  }
  std::uint32_t frame = 1;
  for (auto _ : state) {
    for (std::uint32_t i = 0; i < kCharacters; ++i) {
      const float time = scene.Time(i, frame);
      const auto f = std::min(static_cast<std::uint32_t>(time), scene.motion.frames - 2);
      Blend(frames[f], frames[f + 1], time - static_cast<float>(f), scene.poses[i]);
    }
    benchmark::ClobberMemory();
    ++frame;
  }
  PerBone(state);
}

// Keys at the fixed rate, all bones of a key next to each other; unpacked in each frame.
void SampleFixedRate(benchmark::State& state, Scene& scene) {
  const std::uint32_t stride = FixedStride(scene.motion);
  std::vector<std::vector<std::uint32_t>> keys;
  for (std::uint32_t f = 0; f < scene.motion.frames; f += stride) {
    auto& key = keys.emplace_back();
    for (const auto& track : scene.motion.rotations) {
      key.push_back(static_cast<std::uint32_t>(Rotation<10>::Pack(track[f])));
    }
  }
  const auto unpack = [](const std::vector<std::uint32_t>& key, Pose& pose) {
    for (std::uint32_t bone = 0; bone < kBones; ++bone) {
      const auto q = Rotation<10>::Unpack(key[bone]);
      pose.SetRotation(bone, {q[0], q[1], q[2], q[3]});
    }
  };
  Pose a(scene.motion.skeleton), b(scene.motion.skeleton);
  std::uint32_t frame = 1;
  for (auto _ : state) {
    for (std::uint32_t i = 0; i < kCharacters; ++i) {
      const float time = scene.Time(i, frame) / static_cast<float>(stride);
      const auto k = std::min(static_cast<std::size_t>(time), keys.size() - 2);
      unpack(keys[k], a);
      unpack(keys[k + 1], b);
      Blend(a, b, std::min(time - static_cast<float>(k), 1.0f), scene.poses[i]);
    }
    benchmark::ClobberMemory();
    ++frame;
  }
  PerBone(state);
}

// One random access: the head of a segment, and half a segment of the stream on average.
void SampleAtRandom(benchmark::State& state, Scene& scene) {
  const PackedClip& clip = scene.clip;
  Sampler sampler = *Sampler::Create(clip);
  Random random(2);
  for (auto _ : state) {
    sampler.Sample(random.Between(0.0f, static_cast<float>(clip.end_frame())), scene.poses[0]);
  }
}

void BlendPoses(benchmark::State& state, Scene& scene) {
  std::vector<Pose> other(kCharacters, Pose(scene.motion.skeleton));
  // Not into the poses of the scene: blended again and again they become denormal, which is slow.
  std::vector<Pose> out = other;
  for (auto _ : state) {
    for (std::uint32_t i = 0; i < kCharacters; ++i) {
      Blend(scene.poses[i], other[i], 0.3f, out[i]);
    }
    benchmark::ClobberMemory();
  }
  PerBone(state);
}
void ToScene(benchmark::State& state, Scene& scene) {
  std::vector<Pose> global(kCharacters, Pose(scene.motion.skeleton));
  for (auto _ : state) {
    for (std::uint32_t i = 0; i < kCharacters; ++i) {
      LocalToGlobal(scene.motion.skeleton, scene.poses[i], global[i]);
    }
    benchmark::ClobberMemory();
  }
  PerBone(state);
}
void Matrices(benchmark::State& state, Scene& scene) {
  std::vector<Affine> matrices(std::size_t{kCharacters} * kBones);
  for (auto _ : state) {
    for (std::uint32_t i = 0; i < kCharacters; ++i) {
      ToMatrices(scene.poses[i], {}, std::span(matrices).subspan(i * kBones, kBones));
    }
    benchmark::ClobberMemory();
  }
  PerBone(state);
}

void RegisterAll(Scene& scene) {
  for (const Source& source : kSources) {
    const std::string name = std::string("clip/") + source.name;
    FitLimits no_chain = kLimits;
    no_chain.chain_metres = no_chain.chain_degrees = kNoLimit;
    benchmark::RegisterBenchmark((name + "/ours").c_str(), Clip, source, kLimits)->Iterations(1);
    FitLimits any_motion = kLimits;
    any_motion.boxes = false;
    benchmark::RegisterBenchmark((name + "/any_motion").c_str(), Clip, source, any_motion)
        ->Iterations(1);
    benchmark::RegisterBenchmark((name + "/local_alone").c_str(), Clip, source, no_chain)
        ->Iterations(1);
    benchmark::RegisterBenchmark((name + "/character_frame").c_str(), ClipInCharacterFrame, source)
        ->Iterations(1);
    benchmark::RegisterBenchmark((name + "/same_chain").c_str(), ClipWithSameChain, source)
        ->Iterations(1);
    benchmark::RegisterBenchmark((name + "/baseline").c_str(), ClipAtFixedRate, source)
        ->Iterations(1);
  }
  const auto add = [&](const char* name, auto* function) {
    benchmark::RegisterBenchmark(name, [&scene, function](benchmark::State& state) {
      function(state, scene);
    })->Unit(benchmark::kMillisecond);
  };
  add("sample/ours", SamplePacked);
  add("sample/uncompressed", SampleUncompressed);
  add("sample/fixed_rate", SampleFixedRate);
  add("sample_at_random", SampleAtRandom);
  add("blend", BlendPoses);
  add("scene", ToScene);
  add("matrices", Matrices);
}

}  // namespace
}  // namespace nowait

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  nowait::Scene scene;
  nowait::RegisterAll(scene);
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
