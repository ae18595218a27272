#include "models/kit/printing.h"
#include "models/kit/runner.h"

int main(int argc, char** argv) {
  return nowait::model::Printing([&] { return nowait::model::RunModel(argc, argv); });
}
