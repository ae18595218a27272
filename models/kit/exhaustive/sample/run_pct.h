// The back end that samples execution graphs, with a bound: probabilistic concurrency testing over
// the memory model's choices, for scenarios with too many executions to examine.
//
// Definition. A walk of depth d over a scenario of n threads is given by the thread whose priority
// is the lowest, and by d - 1 points. A point is a step of the walk at which the thread about to
// make it falls below the others, or at which the step gets another of its choices (pct_policy.h).
// A defect has depth d within k steps if there are such a thread and such points, at steps 1 .. k,
// that every walk with them meets it.
// Bound. Each walk draws the thread, and for each point the step, the kind and the choice. It draws
// independently of the other walks. Where no event has more than c other choices, it meets a given
// defect of depth d within k steps with a probability of at least 1 / (n (2 k c)^(d-1)).
// k is measured beforehand, as the length of the longest of 64 walks, and c meanwhile.
//
// Walk i depends on i alone: a failure is found again by its number, and shards and pieces add up.
// Load buffering never occurs, as in a search of all graphs; failing tries do.
//
// Source: Burckhardt, Kothari, Musuvathi, Nagarakatti, "A Randomized Scheduler with Probabilistic
// Guarantees of Finding Bugs", ASPLOS 2010, with the bound for interleavings. Gao, Chakraborty,
// Kulahcioglu Ozkan, "Probabilistic Concurrency Testing for Weak Memory Programs", ASPLOS 2023, has
// another measure of depth for weak memory: the reads that have to read from another thread.
#ifndef NOWAIT_MODELS_KIT_EXHAUSTIVE_SAMPLE_RUN_PCT_H_
#define NOWAIT_MODELS_KIT_EXHAUSTIVE_SAMPLE_RUN_PCT_H_

#include "models/kit/engine/run_search.h"

namespace nowait::model {

// Like RunSearch (models/kit/engine/run_search.h), for searches of kind kPct.
SearchResult RunPct(const ScenarioEntry& scenario, const Search& search, const Start& start,
                    SiteTable& sites, const SearchControl& control);

}  // namespace nowait::model

#endif  // NOWAIT_MODELS_KIT_EXHAUSTIVE_SAMPLE_RUN_PCT_H_
