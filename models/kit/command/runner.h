// The command line of a model's binary: which scenarios, which searches, and the output.
//
//   union_find                                   every execution of every unbounded scenario, and
//                                                the searches that each one names
//   union_find --with exhaustive | relacy        only the former, or only the latter
//   union_find --list                            the scenarios and their searches
//   union_find --all                             continue after a scenario that fails
//   union_find --scenario 2x1 --search bound:3   another search (models/kit/scenario/search.h)
//   union_find ... --seed 81 | --state 01220...  from where a failure was reported
//   union_find --scenario 2x1 --certificate FILE   every execution, for kit/certificate/verify.py
//   union_find --buffering                       the scenarios with load buffering (kit/buffering)
//   union_find --buffering --ways N              without those of more ways of their threads
//   union_find --sites                           the source operations that were executed
//   union_find --json FILE                       results and sites for programs
//   union_find --progress FILE                   how far it is, for programs (progress_file.h)
//   union_find --seconds 600 --save FILE         this much of each search, and then save
//   union_find --resume FILE                     continue a saved run
//   union_find --shard 2/4                       the second of four parts of each search
//   union_find --jobs 8                          processes for each search of every execution
//   union_find --counterexamples DIR             where to write failures (counterexample.h)
//   union_find --sources DIR                     show its files instead of those of src
//   union_find --color always                    colours even without a terminal
//   union_find --expect-failure WORDS            for mutants: pass only on a failure so labelled
//
// Exit code: 0 if all passed, 1 if something failed, 2 if the command line is invalid or something
// could not be written, 128 plus the signal's number if interrupted. Except with the last two
// codes, the last line is "N passed, M failed", counting scenarios. With --buffering it is 3 if a
// scenario fails possibly, and 4 if one does not fit (kit/buffering/table.h). Progress is shown on
// stderr.
#ifndef NOWAIT_MODELS_KIT_COMMAND_RUNNER_H_
#define NOWAIT_MODELS_KIT_COMMAND_RUNNER_H_

namespace nowait::model {

// A failure is shown in lanes (models/kit/counterexample/lanes.h). It is written to
// --counterexamples as DIR/union_find_2x1.json and as a page, .html. The default is
// out/counterexamples; in a Bazel test it is the directory of the test's outputs, printed under the
// name that it has after the test. Without --all, the scenarios behind the first failing one are
// left out, and the output names them.
//
// A run saves its state when SIGINT or SIGTERM interrupts it, or when --seconds or --executions
// limits it. The default of --jobs is one process per processor.
//
// A search of every execution that does not reach its end has not passed, whatever stopped it: its
// scenario counts as failed.
int RunModel(int argc, char** argv);

}  // namespace nowait::model

#endif  // NOWAIT_MODELS_KIT_COMMAND_RUNNER_H_
