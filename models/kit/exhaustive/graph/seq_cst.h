// The total order S of seq_cst operations: whether an execution graph has one.
//
// [atomics.order] 3-4 (N4861): S contains every seq_cst operation and fence, agrees with
// strongly-happens-before, and for events A and B of one location, A coherence-ordered before B: A
// comes before B in S if both are seq_cst (first condition); and a fence that A happens after
// (second), a fence that happens after B (third), or both (fourth) stand in for them. S exists if
// and only if the demands of these rules have no cycle.
//
// In one case less is demanded, since the letter goes further there than processors do (LWG 3941).
// When B is a load, reads a store X that is no read-modify-write, and A comes before X in
// modification order or reads an older value than X, the first three conditions do not hold of A
// and B, unless A happens before B. The demands are
//   first to third: rf, mo, fr; mo or fr and then rf from a read-modify-write; and where A happens
//                   before B, all of coherence-ordered-before
//   fourth:         all of coherence-ordered-before
// (rf reads-from, mo modification order, fr from a load to the stores after the one it reads.)
#ifndef NOWAIT_MODELS_KIT_EXHAUSTIVE_GRAPH_SEQ_CST_H_
#define NOWAIT_MODELS_KIT_EXHAUSTIVE_GRAPH_SEQ_CST_H_

#include "models/kit/exhaustive/graph/graph.h"

namespace nowait::model {

// Whether the graph has an S.
bool HasTotalOrder(const Graph& graph);

// An order that no event of the graph shows: all of `earlier` comes before `later` and the events
// that happen after that.
struct Precedence {
  Clock earlier;
  Slot later;
};
// Whether it has one that keeps this, too.
bool HasTotalOrder(const Graph& graph, const Precedence& besides);

// Implementation: why this is right.
//
// The case that is left out. LWG 3941 (open, priority 3, without a proposed resolution on 22 August
// 2026) says that S has to order seq_cst loads even where they read stores that are not seq_cst,
// and x86 does not. SG1 has agreed that existing implementations are to be preserved, x86 named.
// The wording is open. A thread may read its own X before others see it: then B comes, on x86 and
// ARM, before A. If X is seq_cst, nothing changes: A comes before X, and X before B.
//
// The issue also speaks of compilers that drop a seq_cst load after a store to the same location,
// and of RC11 as a possible resolution. Where X is part of a read-modify-write that is not seq_cst,
// both would leave out more than this rule does (litmus row SB+RMW+rfis); no processor with the
// usual code shows it.
//
// Every demand is one of N4861, so nothing that N4861 allows is left out. That processors with the
// usual code keep the demands is argued, not proved. x86: take loads and fences when they are
// performed, stores when they leave the buffer, which a seq_cst store and a read-modify-write do
// before anything after them: each demand agrees with that order. ARM: likewise, where acquires
// wait for the store of a read-modify-write that they read. POWER: each step from one location to
// another passes a sync, and from sync to sync there is happens-before and the coherence of one
// location, which are kept.
//
// RC11 (Lahav, Vafeiadis, Kang, Hur, Dreyer, "Repairing Sequential Consistency in C/C++11", PLDI
// 2017) leaves the same out, and more, by building S on mo, fr and hb of one location (its scb). It
// is not the rule here, for two reasons. It also takes only program order between different
// locations as a way into and out of happens-before, so that compilers may merge stores (litmus row
// WWmerge, which N4861 forbids, LWG 3941 does not dispute and no processor shows). And it puts a
// fence before the successors of an acquire that the fence synchronises with directly, which N4861
// does not.
//
// Coherence-ordered before is a comparison of ranks: the write at place p has rank 2p, its readers
// rank 2p + 1, and A comes before B when its rank is lower. (A read-modify-write has its write's.)
//
// Strongly-happens-before between two events of one thread is program order; between two threads,
// program order after the first, then happens-before, then program order before the second. C++20
// also lets a seq_cst release synchronise directly with a seq_cst acquire. A release sequence has
// only read-modify-writes after its head, so the conditions above have that already.
//
// An event that is added with the maximal choice (extension.h) makes no cycle: nothing happens
// after it, and no event of its location has a higher rank. So nothing comes after it in S, and
// nothing, for its sake, after a fence.

}  // namespace nowait::model

#endif  // NOWAIT_MODELS_KIT_EXHAUSTIVE_GRAPH_SEQ_CST_H_
