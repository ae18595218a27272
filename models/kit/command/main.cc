#include "models/kit/command/runner.h"
#include "models/kit/process/printing.h"

int main(int argc, char** argv) {
  return nowait::model::Printing([&] { return nowait::model::RunModel(argc, argv); });
}
