#include "tests/bench/scene_results.h"

#include <fmt/format.h>

#include <algorithm>

#include "tests/bench/samples.h"

namespace nowait {
namespace {

template <class Value>
Samples Of(const VariantRuns& runs, Value value) {
  Samples samples;
  for (const SceneRun& run : runs.rounds) samples.Add(value(run));
  return samples;
}

Samples Rates(const VariantRuns& runs) {
  return Of(runs, [](const SceneRun& run) { return run.steps_per_second; });
}

// By field, the median of the rounds: not every peer repeats its results.
Outcome MedianOutcome(const VariantRuns& runs) {
  const auto median = [&](double Outcome::*field) {
    return Of(runs, [field](const SceneRun& run) { return run.outcome.*field; }).Median();
  };
  return {.deepest_m = median(&Outcome::deepest_m),
          .mean_m = median(&Outcome::mean_m),
          .lost = median(&Outcome::lost),
          .drift_m = median(&Outcome::drift_m),
          .gained_j_per_kg = median(&Outcome::gained_j_per_kg),
          .motion_j_per_kg = median(&Outcome::motion_j_per_kg)};
}

// The longest distance of two rounds, by their median.
double Spread(const VariantRuns& runs) {
  const Samples rates = Rates(runs);
  return (rates.Max() - rates.Percentile(0)) / rates.Median();
}

double PhaseMs(const VariantRuns& runs, std::size_t phase) {
  return Of(runs, [phase](const SceneRun& run) { return run.phase_ms[phase]; }).Median();
}

std::string Threads(std::uint32_t threads) {
  return fmt::format("{} thread{}", threads, threads == 1 ? "" : "s");
}

}  // namespace

SceneResults::SceneResults(const PeerScene& scene, std::uint32_t steps,
                           const std::vector<Variant>& variants)
    : scene_(scene), steps_(steps) {
  for (const Variant& variant : variants) runs_.push_back({variant, {}});
}

void SceneResults::AddRound(const std::vector<SceneRun>& runs) {
  for (std::size_t i = 0; i < runs.size(); ++i) runs_[i].rounds.push_back(runs[i]);
}

const VariantRuns* SceneResults::Best(Engine engine, std::uint32_t threads) const {
  const VariantRuns* best = nullptr;
  for (const VariantRuns& runs : runs_) {
    if (runs.variant.engine != engine || runs.variant.threads > threads) continue;
    if (best == nullptr || Rates(runs).Median() > Rates(*best).Median()) best = &runs;
  }
  return best;
}

const VariantRuns& SceneResults::Ours(std::uint32_t threads) const {
  return *std::ranges::find_if(runs_, [threads](const VariantRuns& runs) {
    return runs.variant.engine == Engine::kOurs && runs.variant.threads == threads;
  });
}

std::vector<Ratio> SceneResults::Ratios() const {
  std::vector<Ratio> ratios;
  for (const VariantRuns& ours : runs_) {
    if (ours.variant.engine != Engine::kOurs) continue;
    for (const Engine peer : {Engine::kBullet, Engine::kOde}) {
      const VariantRuns* theirs = Best(peer, ours.variant.threads);
      if (theirs == nullptr) continue;
      Samples quotients;
      for (std::size_t i = 0; i < rounds(); ++i) {
        quotients.Add(ours.rounds[i].steps_per_second / theirs->rounds[i].steps_per_second);
      }
      ratios.push_back({peer, ours.variant.threads, quotients.Median(),
                        WorseIn(scene_.motion, MedianOutcome(ours), MedianOutcome(*theirs))});
    }
  }
  return ratios;
}

bool SceneResults::SameHashes() const {
  const std::uint64_t first = Ours(1).rounds.front().hash;
  return std::ranges::all_of(runs_, [first](const VariantRuns& runs) {
    return runs.variant.engine != Engine::kOurs ||
           std::ranges::all_of(runs.rounds,
                               [first](const SceneRun& run) { return run.hash == first; });
  });
}

void SceneResults::Print() const {
  fmt::print("{}: {} bodies, {} joints, {} steps, rounds: {}\n", scene_.name, scene_.bodies.size(),
             scene_.joints.size(), steps_, rounds());
  fmt::print("  {:<8}{:>8}{:>10}{:>9}{:>13}{:>10}{:>6}{:>11}{:>12}{:>14}\n", "", "threads",
             "steps/s", "spread", "deepest, mm", "mean, mm", "lost", "drift, mm", "gain, J/kg",
             "motion, J/kg");
  for (const VariantRuns& runs : runs_) {
    const Outcome outcome = MedianOutcome(runs);
    fmt::print(
        "  {:<8}{:>8}{:>10.1f}{:>8.0f}%{:>13.2f}{:>10.2f}{:>6.0f}{:>11.1f}{:>12.4f}{:>14.4f}\n",
        NameOf(runs.variant.engine), runs.variant.threads, Rates(runs).Median(),
        100.0 * Spread(runs), 1e3 * outcome.deepest_m, 1e3 * outcome.mean_m, outcome.lost,
        1e3 * outcome.drift_m, outcome.gained_j_per_kg, outcome.motion_j_per_kg);
  }
  for (const Ratio& ratio : Ratios()) {
    fmt::print(
        "  beside {}, {}: {:.2f} times as fast{}\n", NameOf(ratio.peer), Threads(ratio.threads),
        ratio.ratio,
        ratio.worse.empty() ? "" : fmt::format("; does not count, worse in: {}", ratio.worse));
  }
  for (const VariantRuns& runs : runs_) {
    if (runs.variant.engine != Engine::kOurs) continue;
    if (runs.variant.threads != 1) {
      Samples quotients;
      for (std::size_t i = 0; i < rounds(); ++i) {
        quotients.Add(runs.rounds[i].steps_per_second / Ours(1).rounds[i].steps_per_second);
      }
      fmt::print("  {} beside one: {:.2f} times as fast\n", Threads(runs.variant.threads),
                 quotients.Median());
    }
    fmt::print("  a step of ours, {}, ms:", Threads(runs.variant.threads));
    for (std::size_t i = 0; i < kPhases.size(); ++i) {
      fmt::print(" {} {:.3f}", kPhases[i], PhaseMs(runs, i));
    }
    fmt::print("\n");
  }
  const SceneRun& one = Ours(1).rounds.front();
  fmt::print("  contacts at the end: {}; hash: {}\n\n", one.contacts, HashString(one.hash));
  std::fflush(stdout);
}

Json SceneResults::ToJson() const {
  Json json;
  json["scene"] = scene_.name;
  json["bodies"] = scene_.bodies.size();
  json["joints"] = scene_.joints.size();
  json["steps"] = steps_;
  json["hash"] = HashString(Ours(1).rounds.front().hash);
  for (const VariantRuns& runs : runs_) {
    const Outcome outcome = MedianOutcome(runs);
    Json variant = {{"engine", NameOf(runs.variant.engine)},
                    {"threads", runs.variant.threads},
                    {"steps_per_second", Rates(runs).Median()},
                    {"spread_ratio", Spread(runs)},
                    {"deepest_m", outcome.deepest_m},
                    {"mean_m", outcome.mean_m},
                    {"lost", outcome.lost},
                    {"drift_m", outcome.drift_m},
                    {"gained_j_per_kg", outcome.gained_j_per_kg},
                    {"motion_j_per_kg", outcome.motion_j_per_kg}};
    if (runs.variant.engine == Engine::kOurs) {
      for (std::size_t i = 0; i < kPhases.size(); ++i) {
        variant["phases"][std::string(kPhases[i]) + "_ms"] = PhaseMs(runs, i);
      }
    }
    json["variants"].push_back(variant);
  }
  json["ratios"] = Json::array();
  for (const Ratio& ratio : Ratios()) {
    json["ratios"].push_back({{"peer", NameOf(ratio.peer)},
                              {"threads", ratio.threads},
                              {"speed_ratio", ratio.ratio},
                              {"counts", ratio.worse.empty()},
                              {"worse_in", ratio.worse}});
  }
  return json;
}

}  // namespace nowait
