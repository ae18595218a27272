// Model of swapping and reclaiming trees: src/sync/reader_epochs.h and src/broadphase on top
// of it.
//
// Readers come for ever: pin, read the tree that is current, unpin. The writer makes one physics
// update after the other: rebuilds or finds nothing to do, swaps, and reclaims old trees whose
// readers have left. A tree stands for the nodes that one rebuild replaces.
//
//   step of the model          in src
//   Pin, Unpin                 sync/reader_epochs.h: Pin, ~Guard
//   BankIsEmpty, TryAdvance    sync/reader_epochs.h, by the same names
//   Reclaim                    broadphase/tree_storage.h, Reclaim; the look at its end is Drained
//   Rebuild                    broadphase/broad_phase.cc, Rebuild: Reclaim, and QuadTree::Rebuild
//                              if the storage has room; without room the current tree stays
//   Swap                       broadphase/broad_phase.cc, Swap: QuadTree::Swap (the root's store,
//                              and Retire) and Reclaim
//
// Left out: memory orders (operations are sequentially consistent here;
// models/sync/reader_epochs.cc and models/broadphase/swap.cc have the orders), and the contents of
// a tree.
//
// Bounds: two readers, each with a stripe of its own, for one may keep an old tree while the other
// comes and goes, and the writer looks at one stripe after the other. Three trees: a current one,
// one that waits for an advance and one that drains; the storage is then full, and a rebuild fails.
// Two where trees are not the question. The epoch counts to 64 bits in the source and to EPOCHS
// here. An even number keeps the banks alternating, and a reader that misses just that many
// advances between its two looks stands in the right bank.
//
// A thread that may stop (WRITER_STOPS, READER_STOPS) stops anywhere, also in the middle of an
// operation, or never. It stops for ever: a property that holds then needs no further step of that
// thread.
//
// Without the second look (NO_SECOND_LOOK) nothing goes wrong here: a count in a bank of the past
// keeps the writer from advancing, and the reader finds the current tree afterwards. The second look
// prevents a read of the root that takes effect before the count. Only a checker of memory orders
// sees that: models/sync/reader_epochs.cc with its mutant no_second_look.
//
// run: assertions                                            holds
// run: end_states                                            holds
// run: reclaimed                                             holds
// run: readers_never_wait           WRITER_STOPS TREES=2     holds
// run: writer_never_waits           READER_STOPS TREES=2     holds
// run: assertions                   NO_SECOND_LOOK           holds
// run: reclaimed                    READER_STOPS             violated
// run: pin_is_wait_free                                      violated
// run: never_retired                                         violated
// run: never_full                                            violated
// run: never_draining_with_readers                           violated
// run: never_pinned_twice           WITNESS                  violated
// run: assertions                   BUG_WRONG_BANK           violated
// run: assertions                   BUG_ADVANCE_UNASKED      violated
// run: assertions                   BUG_ADVANCE_TWICE        violated
// run: assertions                   BUG_RETIRED_IS_FREE      violated
// run: assertions                   BUG_NOT_DRAINED          violated
// run: assertions                   BUG_RETIRE_FIRST         violated
// run: reclaimed                    BUG_ONE_BANK             violated
// run: reclaimed                    BUG_COUNT_KEPT           violated
// run: readers_never_wait           WRITER_STOPS BUG_READER_WAITS  violated
// run: writer_never_waits           READER_STOPS BUG_WRITER_WAITS  violated
#define READERS 2
#ifndef TREES
#define TREES 3
#endif
#define NONE TREES
#define EPOCHS 4

mtype = { kFree, kBuilt, kCurrent, kRetired, kDraining };

byte epoch;
byte readers_in[2 * READERS];  // bank 0's stripes, then bank 1's
byte root;
mtype tree[TREES] = kFree;  // each one's state

bool pinned[READERS];
bool updating;

bool writer_stopped, reader_stopped;

#ifdef BUG_ONE_BANK
#define Bank(number) 0
#else
#define Bank(number) ((number) % 2)
#endif
#define Stripe(bank, reader) readers_in[(bank) * READERS + (reader)]

// Events on the way, for the properties that begin with never_.
#ifdef WITNESS
bool pinned_twice;
#define Witness(what) what = true
#else
#define Witness(what) skip
#endif

inline Pin(seen) {
  do
#ifdef BUG_READER_WAITS
  :: !updating;
     seen = epoch;
#else
  :: seen = epoch;
#endif
     Stripe(Bank(seen), me)++;
#ifdef NO_SECOND_LOOK
     atomic { pinned[me] = true; break }
#else
     if
     :: atomic { epoch == seen -> pinned[me] = true; break }
     :: atomic { epoch != seen -> Witness(pinned_twice); }
     fi;
#ifndef BUG_COUNT_KEPT
     Stripe(Bank(seen), me)--;
#endif
#endif
  od
}

inline ReadForEver() {
  do
  :: Pin(seen);
     mine = root;
     d_step {
       assert(tree[mine] != kFree && tree[mine] != kBuilt);  // reads it for the last time
       pinned[me] = false;
       Stripe(Bank(seen), me)--;  // Unpin
       seen = 0;
       mine = 0;
     }
  od
}

proctype Reader(byte me) {
  byte seen, mine;
#ifdef READER_STOPS
  { ReadForEver() } unless { me == 0 && reader_stopped }
#else
  ReadForEver();
#endif
}

// Looks at one stripe after the other, and stops when it has found a reader.
inline BankIsEmpty(bank, drained) {
  do
  :: atomic { stripe < READERS && Stripe(bank, stripe) == 0 -> stripe++; }
  :: atomic { stripe < READERS && Stripe(bank, stripe) != 0 -> drained = false; stripe = 0; break }
  :: atomic { stripe == READERS -> drained = true; stripe = 0; break }
  od
}

inline TryAdvance(advanced) {
#ifdef BUG_WRONG_BANK
  BankIsEmpty(Bank(epoch), advanced);
#else
  BankIsEmpty(Bank(epoch + 1), advanced);
#endif
#ifdef BUG_WRITER_WAITS
  do
  :: advanced -> break
  :: else -> BankIsEmpty(Bank(epoch + 1), advanced)
  od;
#endif
#ifdef BUG_ADVANCE_UNASKED
  advanced = true;
#endif
  if
#ifdef BUG_ADVANCE_TWICE
  :: advanced -> epoch = (epoch + 2) % EPOCHS;
#else
  :: advanced -> epoch = (epoch + 1) % EPOCHS;
#endif
  :: else
  fi
}

inline MoveAll(from, to) {
  d_step {
    other = 0;
    do
    :: other < TREES ->
       if
       :: tree[other] == from -> tree[other] = to;
       :: else
       fi;
       other++;
    :: else -> break
    od;
    other = 0;
  }
}

inline Reclaim() {
  TryAdvance(drained);
  if
  :: drained ->
     MoveAll(kDraining, kFree);
     MoveAll(kRetired, kDraining);
#ifndef BUG_NOT_DRAINED
     BankIsEmpty(Bank(epoch + 1), drained);
#endif
     if
     :: drained -> MoveAll(kDraining, kFree)
     :: else
     fi
  :: else
  fi;
  drained = false;
}

inline Rebuild() {
  Reclaim();
  if
  :: next = NONE;  // nothing has changed
  :: d_step {
       next = 0;
       do
       :: next < TREES && tree[next] != kFree -> next++;
       :: else -> break
       od;
       if
       :: next < TREES -> tree[next] = kBuilt;
       :: else
       fi
     }
  fi
}

inline Swap() {
  if
  :: next != NONE ->
#ifdef BUG_RETIRE_FIRST
     d_step { old = root; tree[old] = kRetired; }
     Reclaim();
     d_step { tree[next] = kCurrent; root = next; }
#else
     d_step { old = root; tree[next] = kCurrent; root = next; }
#ifdef BUG_RETIRED_IS_FREE
     tree[old] = kFree;
#else
     tree[old] = kRetired;
#endif
#endif
  :: else
  fi;
  d_step { next = 0; old = 0; }
  Reclaim();
}

inline UpdateForEver() {
  do
  :: updating = true;
     Rebuild();
     Swap();
     updating = false;
  od
}

proctype Writer() {
  byte next, old, other, stripe;
  bool drained;
#ifdef WRITER_STOPS
  { UpdateForEver() } unless { writer_stopped }
#else
  UpdateForEver();
#endif
}

proctype Stop() {
  skip;
#ifdef WRITER_STOPS
  writer_stopped = true;
#endif
#ifdef READER_STOPS
  reader_stopped = true;
#endif
}

init {
  atomic {
    tree[root] = kCurrent;
    run Reader(0);
    run Reader(1);
    run Writer();
    run Stop();
  }
}

#define Waits(t) (tree[t] == kRetired || tree[t] == kDraining)

// A tree that was replaced is free again eventually, however the readers come and go.
ltl reclaimed { [] ((Waits(0) -> <> !Waits(0)) && (Waits(1) -> <> !Waits(1))) }

// Readers do not wait: while the writer stands still, wherever it stopped, they pin again and
// again.
ltl readers_never_wait { <> [] writer_stopped -> [] <> pinned[1] }

// Updates wait for no reader.
ltl writer_never_waits { ([] <> updating) && ([] <> !updating) }

// Pin is lock-free but not wait-free: a writer that advances again and again between the two
// looks of one reader keeps it trying.
ltl pin_is_wait_free { [] <> pinned[1] }

// The cases of the properties above do happen.
ltl never_retired { [] !Waits(0) }
ltl never_full { [] !(Waits(0) && Waits(1)) }
ltl never_draining_with_readers { [] !(tree[0] == kDraining && pinned[0]) }
#ifdef WITNESS
ltl never_pinned_twice { [] !pinned_twice }
#endif
