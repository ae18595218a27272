// The command line of a model's binary: which scenarios, which searches, and the output.
//
//   union_find                                     every execution of every scenario that is not
//                                                  bounded, and the searches that each one names
//   union_find --with exhaustive | relacy          only the former, or only the latter
//   union_find --list                              what there is
//   union_find --scenario 2x1 --search bound:3     another search (models/kit/search.h)
//   union_find ... --seed 81 | --state 01220...    from where a failure was reported
//   union_find --sites                             which operations of the source were executed
//   union_find --json FILE                         results and sites for programs
//   union_find --seconds 600 --save FILE           so much of each search, and then save
//   union_find --resume FILE                       go on with what was saved
//   union_find --shard 2/4                         the second of four parts of each search
//   union_find --jobs 8                            eight processes for each search of every execution;
//                                                  if not given, one for each processor
//   union_find --counterexamples DIR               where to write what fails (counterexample.h), as
//                                                  DIR/union_find_2x1.json and a page, .html; if not given, to
//                                                  out/counterexamples, in a test of Bazel's to what
//                                                  it keeps of the test
//   union_find --sources DIR                       whose files are shown instead of those of src
//   union_find --color always                      also where no terminal is
//   union_find --expect-failure WORDS              for mutants: passes only if a scenario fails so
//
// A failure is shown in lanes (models/kit/counterexample/lanes.h).
//
// A run that SIGINT or SIGTERM interrupts saves its state, as one does that is limited by --seconds
// or --executions; progress is shown on stderr.
//
// A search of every execution that does not come to its end has not passed, whatever stopped it:
// its scenario counts as failed.
//
// Exit code: 0 all passed, 1 something failed, 2 the command line makes no sense or something could
// not be written, 128 and the signal's number when interrupted. The last line is "N passed, M
// failed", counting scenarios, except for the last two.
#ifndef NOWAIT_MODELS_KIT_RUNNER_H_
#define NOWAIT_MODELS_KIT_RUNNER_H_

namespace nowait::model {

int RunModel(int argc, char** argv);

}  // namespace nowait::model

#endif  // NOWAIT_MODELS_KIT_RUNNER_H_
