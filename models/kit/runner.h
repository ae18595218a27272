// The command line of a model's binary: which scenarios, which searches, what to print.
//
//   union_find                                     every scenario with its own searches
//   union_find --list                              what there is
//   union_find --scenario 2x1 --search bound:3     another search (models/kit/search.h)
//   union_find ... --seed 81 | --state 01220...    from where a failure was reported
//   union_find --sites                             which operations of the source were executed
//   union_find --json FILE                         results and sites for programs
//   union_find --expect-failure WORDS              for mutants: passes only if a scenario fails so
//
// Exit code: 0 all passed, 1 something failed, 2 the command line makes no sense. The last line is
// "N passed, M failed", counting scenarios.
#ifndef NOWAIT_MODELS_KIT_RUNNER_H_
#define NOWAIT_MODELS_KIT_RUNNER_H_

namespace nowait::model {

int RunModel(int argc, char** argv);

}  // namespace nowait::model

#endif  // NOWAIT_MODELS_KIT_RUNNER_H_
