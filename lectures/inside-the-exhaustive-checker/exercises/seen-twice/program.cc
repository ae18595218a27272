// The program. Up to four threads, each a list of operations on the atomics x, y and z, which begin
// as 0.
#include "lectures/inside-the-exhaustive-checker/exercises/program.h"

namespace nowait::model::oracle {

StraightLine TheProgram() {
  return {.threads = {
              {Store(x, 1)},
              {Load(x)},
          }};
}

}  // namespace nowait::model::oracle
