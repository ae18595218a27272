// A record from the standard input as a page on the standard output, after a story if there is one
// on the command line: for the tests.
#include <iostream>
#include <iterator>
#include <string>

#include "models/kit/counterexample/page/page.h"

int main(int argc, char** argv) {
  const std::string record{std::istreambuf_iterator<char>(std::cin), {}};
  std::cout << nowait::model::counterexample::PageOf({record, "as text", argc > 1 ? argv[1] : ""});
}
