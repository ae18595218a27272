#include "models/kit/buffering/ways.h"

#include <algorithm>

namespace nowait::model::buffering {

using End = ThreadRun::End;

Ways::Ways(BufferingMachine& machine, int threads, const Limits& limits, const Rules& rules)
    : machine_(machine), limits_(limits), written_(static_cast<std::size_t>(threads)) {
  for (int thread = 0; thread < threads; ++thread) runs_.emplace_back(machine, thread, rules);
}

std::string Ways::Find() {
  do {
    FindRound();
  } while (has_news_ && refused_.empty());
  return refused_;
}

void Ways::FindRound() {
  found_.clear();
  tried_ = 0;
  failing_ = 0;
  alike_.assign(runs_.size(), {});
  offered_.assign(runs_.size(), {});
  const std::size_t ended_before = std::exchange(ended_, 0);
  for (std::size_t thread = 0; thread < runs_.size(); ++thread) {
    ByData alike;
    Collect(thread, 0, alike);
    for (auto& [key, runs] : alike) {
      ended_ += runs.runs.size();
      offered_[thread] |= runs.offers;
      alike_[thread].push_back(std::move(runs));
    }
  }
  has_news_ = ended_ != ended_before;
  KeepMost();
  std::vector<const Alike*> chosen;
  if (refused_.empty()) Combine(0, chosen);
}

// --- the runs of a thread ---

void Ways::Collect(std::size_t thread, std::size_t run, ByData& alike) {
  if (!refused_.empty()) return;
  if (runs_[thread].size() > limits_.runs) {
    refused_ =
        "more than " + std::to_string(limits_.runs) + " runs of thread " + std::to_string(thread);
    return;
  }
  const RunNode& node = runs_[thread][run];
  const Data needs = NeedsOf(node.run.events);
  if (!WasOffered(thread, 0, needs)) return;
  if (node.run.end == End::kAsks) {
    for (const Word answer : Answers(thread, node.run.question)) {
      Collect(thread, runs_[thread].Next(run, answer), alike);
    }
    return;
  }
  if (node.run.end == End::kRefused) {
    refused_ = node.run.refused;
    return;
  }
  if (node.run.failure && node.run.failure->kind == FailureKind::kInvariant) ++failing_;
  Data offers;
  for (const Event& event : node.run.events) {
    if (event.Writes()) offers.set(NumberOf({event.At(), event.written}));
  }
  Alike& those = alike[{needs.to_string(), offers.to_string()}];
  those.needs = needs;
  those.offers = offers;
  those.runs.push_back(run);
}

Ways::Data Ways::NeedsOf(const Events& events) {
  Data needs;
  for (std::size_t place = 0; place < events.size(); ++place) {
    const Event& event = events[place];
    if (event.Reads() && !IsOwn(events, place)) needs.set(NumberOf({event.At(), event.read}));
  }
  return needs;
}

void Ways::KeepMost() {
  most_.assign(runs_.size(), {});
  for (std::size_t thread = 0; thread < runs_.size(); ++thread) {
    for (const Alike& one : alike_[thread]) {
      const bool is_part = std::ranges::any_of(alike_[thread], [&](const Alike& other) {
        return one.offers != other.offers && (one.offers & ~other.offers).none();
      });
      const bool is_there = std::ranges::find(most_[thread], one.offers) != most_[thread].end();
      if (!is_part && !is_there) most_[thread].push_back(one.offers);
    }
  }
}

bool Ways::WasOffered(std::size_t thread, std::size_t other, const Data& needs) const {
  if (needs.none()) return true;
  if (other == most_.size()) return false;
  if (other == thread) return WasOffered(thread, other + 1, needs);
  return std::ranges::any_of(most_[other], [&](const Data& offers) {
    return WasOffered(thread, other + 1, needs & ~offers);
  });
}

std::set<Word> Ways::Answers(std::size_t thread, const Question& question) const {
  std::set<Word> answers;
  if (question.choices != 0) {
    for (Word choice = 0; choice < question.choices; ++choice) answers.insert(choice);
    return answers;
  }
  answers.insert(question.own);
  for (std::size_t other = 0; other < written_.size(); ++other) {
    if (other == thread) continue;
    for (auto at = written_[other].lower_bound({question.location, 0});
         at != written_[other].end() && at->first == question.location; ++at) {
      answers.insert(at->second);
    }
  }
  return answers;
}

bool Ways::IsOwn(const Events& events, std::size_t read) const {
  for (std::size_t place = read; place-- > 0;) {
    if (events[place].Writes() && events[place].At() == events[read].At()) {
      return events[place].written == events[read].read;
    }
  }
  return events[read].read == machine_.Initial(events[read].At());
}

std::size_t Ways::NumberOf(const Datum& datum) {
  const auto [at, is_new] = numbers_.try_emplace(datum, numbers_.size());
  if (is_new && numbers_.size() > kMostData) {
    refused_ = "more than " + std::to_string(kMostData) + " different values of its locations";
    return 0;
  }
  return at->second;
}

// --- the threads together ---

// Chooses a thread's runs, after those of the threads before it.
void Ways::Combine(std::size_t thread, std::vector<const Alike*>& chosen) {
  if (!refused_.empty() || !MayBeMet(chosen)) return;
  if (thread == runs_.size()) {
    Way way(runs_.size());
    Expand(0, chosen, way);
    return;
  }
  for (const Alike& alike : alike_[thread]) {
    chosen.push_back(&alike);
    Combine(thread + 1, chosen);
    chosen.pop_back();
  }
}

// Whether what the chosen runs need can be offered by others.
bool Ways::MayBeMet(const std::vector<const Alike*>& chosen) const {
  for (std::size_t thread = 0; thread < chosen.size(); ++thread) {
    Data offers;
    for (std::size_t other = 0; other < runs_.size(); ++other) {
      if (other == thread) continue;
      offers |= other < chosen.size() ? chosen[other]->offers : offered_[other];
    }
    if ((chosen[thread]->needs & ~offers).any()) return false;
  }
  return true;
}

void Ways::Expand(std::size_t thread, const std::vector<const Alike*>& chosen, Way& way) {
  if (!refused_.empty()) return;
  if (thread == way.size()) return Take(way);
  for (const std::size_t run : chosen[thread]->runs) {
    way[thread] = run;
    Expand(thread + 1, chosen, way);
  }
}

void Ways::Take(const Way& way) {
  if (++tried_ > limits_.ways) {
    refused_ = "more than " + std::to_string(limits_.ways) + " ways of its threads";
    return;
  }
  if (!HasGround(way)) return;
  for (std::size_t thread = 0; thread < way.size(); ++thread) {
    for (const Event& event : At(way, thread).run.events) {
      if (!event.Writes()) continue;
      has_news_ |= written_[thread].insert({event.At(), event.written}).second;
    }
  }
  found_.push_back(way);
}

// --- grounds ---

bool Ways::HasGround(const Way& way) const {
  Grounds in_order(way.size());
  Grounds at_home(way.size());
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t thread = 0; thread < way.size(); ++thread) {
      const RunNode& node = At(way, thread);
      Grounds::Of& ordered = in_order.of[thread];
      Grounds::Of& home = at_home.of[thread];
      changed |= Grow(thread, node.run.events, node.before, ordered.found, in_order);
      changed |= Grow(thread, node.run.events, node.same, home.grounded, at_home);
    }
  }
  for (std::size_t thread = 0; thread < way.size(); ++thread) {
    const Places everything = Only(At(way, thread).run.events.size()) - 1;
    const Places grounded = in_order.of[thread].grounded & at_home.of[thread].grounded;
    if (grounded != everything) return false;
  }
  return true;
}

bool Ways::Grow(std::size_t thread, const Events& events, const std::vector<Places>& needed,
                const Places& ready, Grounds& grounds) const {
  const auto is_there = [&](const Event& read) {
    for (std::size_t other = 0; other < grounds.of.size(); ++other) {
      if (other != thread && grounds.of[other].visible.contains({read.At(), read.read}))
        return true;
    }
    return false;
  };
  Grounds::Of& own = grounds.of[thread];
  bool changed = false;
  for (std::size_t place = 0; place < events.size(); ++place) {
    const Event& event = events[place];
    if (Has(own.grounded, place)) continue;
    if (event.Reads() && !Has(own.found, place)) {
      if (!IsOwn(events, place) && !is_there(event)) continue;
      own.found |= Only(place);
      changed = true;
    }
    if ((needed[place] & ~ready) != 0) continue;
    own.grounded |= Only(place);
    changed = true;
    if (event.Writes()) own.visible.insert({event.At(), event.written});
  }
  return changed;
}

}  // namespace nowait::model::buffering
