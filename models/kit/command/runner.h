// The command line of a model's binary: which scenarios, which searches, and the output.
//
//   union_find                                   every execution of every unbounded scenario, and
//                                                the searches that each one names
//   union_find --with exhaustive | relacy        only the former, or only the latter
//   union_find --list                            the scenarios and their searches
//   union_find --all                             go on after a scenario that fails
//   union_find --scenario 2x1 --search bound:3   another search (models/kit/scenario/search.h)
//   union_find ... --seed 81 | --state 01220...  from where a failure was reported
//   union_find --sites                           which operations of the source were executed
//   union_find --json FILE                       results and sites for programs
//   union_find --seconds 600 --save FILE         so much of each search, and then save
//   union_find --resume FILE                     continue a saved run
//   union_find --shard 2/4                       the second of four parts of each search
//   union_find --jobs 8                          processes for each search of every execution
//   union_find --counterexamples DIR             where to write failures (counterexample.h)
//   union_find --sources DIR                     show its files instead of those of src
//   union_find --color always                    also without a terminal
//   union_find --expect-failure WORDS            for mutants: passes only if a scenario fails so
//
// Exit code: 0 all passed, 1 something failed, 2 the command line makes no sense or something could
// not be written, 128 and the signal's number when interrupted. The last line is "N passed, M
// failed", counting scenarios, except for the last two. Progress is shown on stderr.
#ifndef NOWAIT_MODELS_KIT_COMMAND_RUNNER_H_
#define NOWAIT_MODELS_KIT_COMMAND_RUNNER_H_

namespace nowait::model {

// A failure is shown in lanes (models/kit/counterexample/lanes.h), and written to --counterexamples
// as DIR/union_find_2x1.json and a page, .html. The default is out/counterexamples, in a test of
// Bazel's the directory of the test's outputs, which the output names as it is called after the
// test. The scenarios behind the first one that fails are left out, and named, without --all.
//
// A run that SIGINT or SIGTERM interrupts saves its state, as does one that is limited by --seconds
// or --executions. The default of --jobs is one process for each processor.
//
// A search of every execution that does not come to its end has not passed, whatever stopped it:
// its scenario counts as failed.
int RunModel(int argc, char** argv);

}  // namespace nowait::model

#endif  // NOWAIT_MODELS_KIT_COMMAND_RUNNER_H_
