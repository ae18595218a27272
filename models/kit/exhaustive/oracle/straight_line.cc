#include "models/kit/exhaustive/oracle/straight_line.h"

#include <fmt/format.h>

#include "models/kit/program/operation.h"

namespace nowait::model::oracle {

std::size_t StraightLine::Size() const {
  std::size_t size = 0;
  for (const auto& thread : threads) size += thread.size();
  return size;
}

std::string Format(const Statement& statement) {
  using enum Statement::Kind;
  const char location = "xyz"[statement.location];
  const char* order = Name(statement.order);
  switch (statement.kind) {
    case kLoad:
      return fmt::format("{}.load({})", location, order);
    case kStore:
      return fmt::format("{}.store({}, {})", location, statement.value, order);
    case kAdd:
      return fmt::format("{}.fetch_add({}, {})", location, statement.value, order);
    case kExchange:
      return fmt::format("{}.exchange({}, {})", location, statement.value, order);
    case kStrong:
    case kWeak:
      return fmt::format("{}.cas_{}({} -> {}, {}, {})", location,
                         statement.kind == kWeak ? "weak" : "strong", statement.expected,
                         statement.value, order, Name(statement.failure));
    case kFence:
      return fmt::format("fence({})", order);
    case kRead:
    case kWrite:
      return fmt::format("{}{} data",
                         statement.only_if ? fmt::format("if {} ", *statement.only_if) : "",
                         statement.kind == kRead ? "read" : "write");
  }
  return "";
}

std::string Format(const StraightLine& program) {
  std::string text;
  for (std::size_t t = 0; t < program.threads.size(); ++t) {
    text += fmt::format("  thread {}:", t);
    for (const Statement& statement : program.threads[t]) text += " " + Format(statement) + ";";
    text += "\n";
  }
  return text;
}

}  // namespace nowait::model::oracle
