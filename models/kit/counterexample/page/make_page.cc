// For the tests: writes a record from the standard input as a page to the standard output, behind
// the story named on the command line, if there is one.
#include <iostream>
#include <iterator>
#include <string>

#include "models/kit/counterexample/page/page.h"

int main(int argc, char** argv) {
  const std::string record{std::istreambuf_iterator<char>(std::cin), {}};
  std::cout << nowait::model::counterexample::PageOf({record, "as text", argc > 1 ? argv[1] : ""});
}
