#include "models/kit/arm/litmus.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <optional>
#include <utility>

#include "models/kit/arm/condition.h"
#include "models/kit/arm/exploration.h"
#include "models/kit/arm/instruction.h"

namespace nowait::arm {
namespace {

constexpr std::uint64_t kFirstCode = 0x100'000;  // of a thread; the next ones follow
constexpr std::uint64_t kFirstLocation = 0x10'000;
constexpr std::uint64_t kApart = 0x100;  // locations never overlap

std::string_view Trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t\r");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t\r") - begin + 1);
}

std::vector<std::string_view> SplitAt(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(separator, begin), text.size());
    parts.push_back(Trimmed(text.substr(begin, end - begin)));
    begin = end + 1;
  }
  return parts;
}

std::optional<std::uint64_t> Number(std::string_view text) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return {};
  return value;
}

bool IsName(std::string_view text) {
  return !text.empty() && std::isalpha(static_cast<unsigned char>(text[0])) != 0 &&
         std::all_of(text.begin(), text.end(),
                     [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; });
}

class Parser {
 public:
  explicit Parser(std::string_view text) : lines_(SplitAt(text, '\n')) {}

  std::expected<std::vector<LitmusTest>, std::string> All() {
    std::vector<LitmusTest> tests;
    while (Next()) {
      LitmusTest test;
      if (!One(test)) {
        return std::unexpected("line " + std::to_string(at_) + ": " + problem_);
      }
      tests.push_back(std::move(test));
    }
    return tests;
  }

 private:
  // The next line that says something. False at the end.
  bool Next() {
    while (at_ < lines_.size()) {
      line_ = lines_[at_++];
      if (!line_.empty() && !line_.starts_with('#')) return true;
    }
    line_ = {};
    return false;
  }
  bool Fail(std::string problem) {
    problem_ = std::move(problem);
    return false;
  }

  bool One(LitmusTest& test) {
    if (!line_.starts_with("AArch64 ")) return Fail("a test begins with \"AArch64 NAME\"");
    test.name = Trimmed(line_.substr(8));
    return Initial(test) && Code(test) && End(test);
  }

  // { 0:X1=x; x=1; }
  bool Initial(LitmusTest& test) {
    if (!Next() || !line_.starts_with('{')) return Fail("no { with the initial state");
    std::string all;
    while (line_.find('}') == std::string_view::npos) {
      all += line_;
      if (!Next()) return Fail("no } behind the initial state");
    }
    all += line_;
    const std::size_t begin = all.find('{') + 1;
    for (const std::string_view part :
         SplitAt(std::string_view(all).substr(begin, all.find('}') - begin), ';')) {
      if (!part.empty() && !Assign(part, test)) return false;
    }
    return true;
  }
  bool Assign(std::string_view part, LitmusTest& test) {
    const std::size_t equals = part.find('=');
    if (equals == std::string_view::npos) return Fail("no = in \"" + std::string(part) + "\"");
    const std::string_view left = Trimmed(part.substr(0, equals));
    const std::string_view right = Trimmed(part.substr(equals + 1));
    const auto number = Number(right);
    if (!number && !IsName(right)) return Fail("no value: \"" + std::string(right) + "\"");
    const std::uint64_t value = number ? *number : AddressOf(right, test);
    if (const auto reg = ParseThreadRegister(left)) {
      if (reg->number == 30) return Fail("X30 is the way back, and begins with no other value");
      if (reg->thread >= test.threads.size()) test.threads.resize(reg->thread + 1);
      test.threads[reg->thread].registers[reg->number] = value;
      return true;
    }
    if (!IsName(left))
      return Fail("neither a register nor a location: \"" + std::string(left) + "\"");
    const std::uint64_t address = AddressOf(left, test);
    for (unsigned i = 0; i < 8; ++i) {
      test.program.memory[address + i] = static_cast<std::uint8_t>(value >> (8 * i));
    }
    return true;
  }
  static std::uint64_t AddressOf(std::string_view name, LitmusTest& test) {
    const auto [at, is_new] = test.locations.try_emplace(
        std::string(name), kFirstLocation + kApart * test.locations.size());
    return at->second;
  }

  // Columns of instructions, one thread each.
  bool Code(LitmusTest& test) {
    if (!Next() || !line_.starts_with("P0")) return Fail("no threads: a line \"P0 | P1 ;\"");
    const std::size_t threads = SplitAt(Row(), '|').size();
    if (threads > kMostThreads) {
      return Fail("more than " + std::to_string(kMostThreads) + " threads");
    }
    if (threads < test.threads.size()) return Fail("a register of a thread that is not there");
    test.threads.resize(threads);
    std::vector<std::vector<std::string>> columns(threads);
    std::vector<Labels> labels(threads);
    while (Next() && !line_.starts_with("exists")) {
      const auto cells = SplitAt(Row(), '|');
      if (cells.size() > threads) return Fail("more columns than threads");
      for (std::size_t thread = 0; thread < cells.size(); ++thread) {
        std::string_view cell = cells[thread];
        if (const std::size_t colon = cell.find(':'); colon != std::string_view::npos) {
          labels[thread][std::string(Trimmed(cell.substr(0, colon)))] =
              AddressOfCode(thread, columns[thread].size());
          cell = Trimmed(cell.substr(colon + 1));
        }
        if (!cell.empty()) columns[thread].emplace_back(cell);
      }
    }
    for (std::size_t thread = 0; thread < threads; ++thread) {
      columns[thread].emplace_back("ret");
      test.threads[thread].pc = AddressOfCode(thread, 0);
      for (std::size_t i = 0; i < columns[thread].size(); ++i) {
        const std::uint64_t address = AddressOfCode(thread, i);
        const auto instruction = ParseInstruction(columns[thread][i], address, labels[thread]);
        if (!instruction) return Fail(instruction.error() + ", in " + test.name);
        test.program.code[address] = {*instruction};
      }
    }
    return true;
  }
  std::string_view Row() const { return line_.substr(0, line_.find_last_of(';')); }
  static std::uint64_t AddressOfCode(std::size_t thread, std::size_t instruction) {
    return kFirstCode * (thread + 1) + 4 * instruction;
  }

  bool End(LitmusTest& test) {
    if (!line_.starts_with("exists")) return Fail("no line \"exists (...)\"");
    auto condition = ParseCondition(line_.substr(6));
    if (!condition) return Fail(condition.error());
    test.condition = std::move(*condition);
    if (!Next()) return Fail("no verdict behind the condition");
    test.allowed = line_.starts_with("Allowed ");
    if (!test.allowed && !line_.starts_with("Forbidden ")) {
      return Fail("no verdict: \"Allowed [key] place\" or \"Forbidden [key] place\"");
    }
    test.source = Trimmed(line_.substr(line_.find(' ')));
    if (!test.source.starts_with('[')) return Fail("the verdict has no source: \"[key] place\"");
    return Known(test.condition, test);
  }
  bool Known(const Condition& condition, const LitmusTest& test) {
    if (condition.kind == Condition::Kind::kRegister && condition.thread >= test.threads.size()) {
      return Fail("a condition on a thread that is not there");
    }
    if (condition.kind == Condition::Kind::kLocation &&
        !test.locations.contains(condition.location)) {
      return Fail("a condition on a location that is not there: \"" + condition.location + "\"");
    }
    return std::all_of(condition.of.begin(), condition.of.end(),
                       [&](const Condition& part) { return Known(part, test); });
  }

  std::vector<std::string_view> lines_;
  std::size_t at_ = 0;
  std::string_view line_;
  std::string problem_;
};

std::uint64_t InMemory(std::uint64_t address, const LitmusTest& test,
                       const std::vector<const Path*>& paths, const Contents& shared) {
  if (const auto found = shared.find(address); found != shared.end()) return found->second;
  std::uint64_t value = 0;
  for (unsigned i = 0; i < 8; ++i) {
    std::uint64_t byte = 0;
    const auto initial = test.program.memory.find(address + i);
    if (initial != test.program.memory.end()) byte = initial->second;
    for (const Path* path : paths) {
      if (const auto own = path->memory.find(address + i); own != path->memory.end()) {
        byte = own->second;
      }
    }
    value |= byte << (8 * i);
  }
  return value;
}

bool IsTrue(const Condition& condition, const LitmusTest& test,
            const std::vector<const Path*>& paths, const Contents& shared) {
  const auto is_true = [&](const Condition& part) { return IsTrue(part, test, paths, shared); };
  switch (condition.kind) {
    case Condition::Kind::kRegister:
      return paths[condition.thread]->registers[condition.number] == condition.value;
    case Condition::Kind::kLocation:
      return InMemory(test.locations.at(condition.location), test, paths, shared) ==
             condition.value;
    case Condition::Kind::kAnd:
      return std::all_of(condition.of.begin(), condition.of.end(), is_true);
    case Condition::Kind::kOr:
      return std::any_of(condition.of.begin(), condition.of.end(), is_true);
    case Condition::Kind::kNot:
      return !is_true(condition.of[0]);
  }
  return false;
}

}  // namespace

std::expected<std::vector<LitmusTest>, std::string> ParseLitmus(std::string_view text) {
  return Parser(text).All();
}

std::expected<Verdict, std::string> Judge(const LitmusTest& test) {
  Verdict verdict;
  const auto explored =
      Explore(test.program, test.program.memory, test.threads, Limits{},
              [&](const std::vector<const Path*>& paths, const Contents& shared,
                  const std::map<std::uint64_t, unsigned>&) {
                verdict.allowed = verdict.allowed || IsTrue(test.condition, test, paths, shared);
              });
  if (!explored) return std::unexpected(test.name + ": " + explored.error());
  if (!verdict.allowed && explored->cut != 0) {
    return std::unexpected(test.name + ": " + std::to_string(explored->cut) +
                           " executions go on beyond the rounds that are examined");
  }
  if (explored->executions == 0) return std::unexpected(test.name + ": no execution ends");
  verdict.executions = explored->executions;
  return verdict;
}

}  // namespace nowait::arm
