// The total order S of seq_cst operations: whether an execution graph has one.
//
// [atomics.order] 3-4 (N4861): S contains every seq_cst operation and fence and agrees with
// strongly-happens-before. Let A and B be events of one location, with A coherence-ordered before
// B. Then A comes before B in S if both are seq_cst (first condition). A fence that happens after B
// (second), a fence that A happens after (third), or both (fourth) can stand in for them. S exists
// if and only if the demands of these rules have no cycle.
//
// In one case less is demanded, because the text demands more there than processors provide (LWG
// 3941). Let B be a load that reads a store X which is not a read-modify-write, and let A come
// before X in modification order or read an older value than X. Then the first three conditions
// apply to A and B only if A happens before B. The demands are
//   first to third: rf, mo, fr; mo or fr and then rf from a read-modify-write; and where A happens
//                   before B, all of coherence-ordered-before
//   fourth:         all of coherence-ordered-before
// (rf: reads-from; mo: modification order; fr: from a load to the stores after the one it reads.)
#ifndef NOWAIT_MODELS_KIT_EXHAUSTIVE_GRAPH_SEQ_CST_H_
#define NOWAIT_MODELS_KIT_EXHAUSTIVE_GRAPH_SEQ_CST_H_

#include "models/kit/exhaustive/graph/graph.h"

namespace nowait::model {

// Whether the graph has an S.
bool HasTotalOrder(const Graph& graph);

// An order that no event of the graph shows: everything in `earlier` comes before `later` and
// before the events that happen after `later`.
struct Precedence {
  Clock earlier;
  Slot later;
};
// Whether the graph has an S that respects this order as well.
bool HasTotalOrder(const Graph& graph, const Precedence& besides);

// Implementation: why this is right.
//
// The case that is left out. LWG 3941 (open, priority 3, without a proposed resolution on 22 August
// 2026) says that S has to order seq_cst loads even where they read stores that are not seq_cst,
// and that x86 does not. SG1 has agreed to preserve existing implementations, and named x86. The
// wording is open. A thread may read its own X before other threads see it: on x86 and ARM, B then
// comes before A. If X is seq_cst, nothing changes: A comes before X, and X before B.
//
// The issue also mentions compilers that drop a seq_cst load after a store to the same location,
// and RC11 as a possible resolution. If X is part of a read-modify-write that is not seq_cst, both
// would leave out more than this rule does (litmus row SB+RMW+rfis); no processor with the usual
// code shows that.
//
// Every demand is one of N4861, so nothing that N4861 allows is left out. The claim that processors
// with the usual code satisfy the demands is argued, not proved. x86: take loads and fences when
// they are performed, and stores when they leave the buffer, which for a seq_cst store and for a
// read-modify-write is before anything that follows. Each demand agrees with that order. ARM:
// likewise, where acquires wait for the store of a read-modify-write that they read. POWER: each
// step from one location to another passes a sync, and between two syncs there is happens-before
// and the coherence of one location, which are both respected.
//
// RC11 (Lahav, Vafeiadis, Kang, Hur, Dreyer, "Repairing Sequential Consistency in C/C++11", PLDI
// 2017) leaves out the same and more, because it builds S on mo, fr and hb of one location (its
// scb). It is not the rule here, for two reasons. As a way into and out of happens-before it
// accepts only program order between different locations, so that compilers may merge stores
// (litmus row WWmerge, which N4861 forbids, LWG 3941 does not dispute and no processor shows). It
// also puts a fence before the successors of an acquire that the fence synchronises with directly,
// which N4861 does not.
//
// Coherence-ordered-before is a comparison of ranks: the write at place p has rank 2p, its readers
// have rank 2p + 1, and A comes before B if its rank is lower. (A read-modify-write has the rank of
// its write.)
//
// Strongly-happens-before is program order between two events of one thread. Between two threads it
// is program order after the first event, then happens-before, then program order before the
// second. C++20 also lets a seq_cst release synchronise directly with a seq_cst acquire. A release
// sequence has only read-modify-writes after its head, so the conditions above already cover that.
//
// An event that is added with the maximal choice (extension.h) creates no cycle: nothing happens
// after it, and no event of its location has a higher rank. Nothing therefore comes after it in S,
// and nothing comes after a fence on its account.

}  // namespace nowait::model

#endif  // NOWAIT_MODELS_KIT_EXHAUSTIVE_GRAPH_SEQ_CST_H_
