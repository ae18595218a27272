// A record from the standard input as a page on the standard output: for the tests.
#include <iostream>
#include <iterator>
#include <string>

#include "models/kit/counterexample/page/page.h"

int main() {
  const std::string record{std::istreambuf_iterator<char>(std::cin), {}};
  std::cout << nowait::model::counterexample::PageOf(record);
}
