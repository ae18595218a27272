#include "models/kit/arm/instruction.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <optional>

namespace nowait::arm {
namespace {

using Bad = std::unexpected<std::string>;

std::string Lower(std::string_view text) {
  std::string lower(text);
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return lower;
}

std::string_view Trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t") - begin + 1);
}

// At the commas that are not within brackets.
std::vector<std::string_view> Split(std::string_view text) {
  std::vector<std::string_view> parts;
  int depth = 0;
  std::size_t begin = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    depth += text[i] == '[' ? 1 : text[i] == ']' ? -1 : 0;
    if (text[i] != ',' || depth != 0) continue;
    parts.push_back(Trimmed(text.substr(begin, i - begin)));
    begin = i + 1;
  }
  if (!Trimmed(text).empty()) parts.push_back(Trimmed(text.substr(begin)));
  return parts;
}

std::optional<std::int64_t> Number(std::string_view text, int base = 10) {
  const bool negative = text.starts_with('-');
  if (negative) text.remove_prefix(1);
  if (text.starts_with("0x")) {
    text.remove_prefix(2);
    base = 16;
  }
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  if (error != std::errc() || end != text.data() + text.size() || text.empty()) return {};
  return static_cast<std::int64_t>(negative ? 0 - value : value);
}

// "0.0", "-1.5e+00".
std::optional<double> Real(std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || text.empty()) return {};
  return value;
}

std::optional<Register> ParseRegister(std::string_view text) {
  if (text == "sp") return Register{kStack, 64};
  if (text == "wsp") return Register{kStack, 32};
  if (text == "xzr") return Register{kZero, 64};
  if (text == "wzr") return Register{kZero, 32};
  constexpr std::string_view kKinds = "xwds";
  if (text.size() < 2 || kKinds.find(text[0]) == std::string_view::npos) return {};
  const bool is_float = text[0] == 'd' || text[0] == 's';
  const auto number = Number(text.substr(1));
  if (!number || *number < 0 || *number > (is_float ? 31 : 30) || text[1] == '-') return {};
  return Register{static_cast<unsigned>(*number) + (is_float ? kFloats : 0),
                  text[0] == 'x' || text[0] == 'd' ? 64u : 32u};
}

// "lsl #3", "sxtw", "uxtw #0".
std::optional<Operand> ParseShift(std::string_view text) {
  static constexpr std::array kShifts = {"lsl",  "lsr",  "asr",  "ror",  "uxtb", "uxth",
                                         "uxtw", "uxtx", "sxtb", "sxth", "sxtw", "sxtx"};
  const std::string_view word = text.substr(0, text.find(' '));
  if (std::find(kShifts.begin(), kShifts.end(), word) == kShifts.end()) return {};
  Operand shift{.kind = Operand::Kind::kShift, .word = std::string(word)};
  const std::string_view amount = Trimmed(text.substr(word.size()));
  if (amount.empty()) return shift;
  const auto number = Number(amount.substr(amount[0] == '#' ? 1 : 0));
  if (!number || *number < 0 || *number > 63) return {};
  shift.immediate = *number;
  return shift;
}

// "[x0]", "[x0, #8]", "[x0, #8]!", "[x0, x1, lsl #3]".
std::optional<Operand> ParseMemory(std::string_view text) {
  Operand memory{.kind = Operand::Kind::kMemory};
  memory.pre_index = text.ends_with('!');
  if (memory.pre_index) text.remove_suffix(1);
  if (!text.starts_with('[') || !text.ends_with(']')) return {};
  const auto parts = Split(text.substr(1, text.size() - 2));
  if (parts.empty() || parts.size() > 3) return {};
  const auto base = ParseRegister(parts[0]);
  if (!base || base->bits != 64 || base->number >= kFloats) return {};
  memory.reg = *base;
  if (parts.size() == 1) return memory;
  if (parts[1].starts_with('#')) {
    const auto offset = Number(parts[1].substr(1));
    if (!offset || parts.size() != 2) return {};
    memory.immediate = *offset;
    return memory;
  }
  const auto index = ParseRegister(parts[1]);
  if (!index || index->number >= kFloats) return {};
  memory.has_index = true;
  memory.index = *index;
  if (parts.size() == 2) return memory;
  const auto shift = ParseShift(parts[2]);
  if (!shift) return {};
  memory.index_shift = shift->word;
  memory.index_amount = static_cast<unsigned>(shift->immediate);
  return memory;
}

// Whether the last operand is a place in the program: objdump writes "21c <Name+0x10>". A load of a
// constant beside the code names one, too.
bool NamesPlace(std::string_view name, std::string_view last) {
  return (name == "ldr" && !last.starts_with('[') && !last.starts_with('#')) || name == "b" ||
         name.starts_with("b.") || name == "bl" || name == "cbz" || name == "cbnz" ||
         name == "tbz" || name == "tbnz" || name == "adrp" || name == "adr";
}

std::optional<Operand> ParseOperand(std::string_view text) {
  if (const auto reg = ParseRegister(text)) {
    return Operand{.kind = Operand::Kind::kRegister, .reg = *reg};
  }
  if (text.starts_with('[')) return ParseMemory(text);
  if (text.starts_with('#')) {
    if (const auto number = Number(text.substr(1))) return Operand{.immediate = *number};
    if (const auto real = Real(text.substr(1))) {
      return Operand{.kind = Operand::Kind::kReal, .real = *real};
    }
    return {};
  }
  if (const auto shift = ParseShift(text)) return shift;
  if (const auto number = Number(text)) return Operand{.immediate = *number};
  const bool is_word = std::all_of(
      text.begin(), text.end(), [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; });
  if (is_word && !text.empty())
    return Operand{.kind = Operand::Kind::kWord, .word = std::string(text)};
  return {};
}

}  // namespace

std::expected<Instruction, std::string> ParseInstruction(std::string_view text,
                                                         std::uint64_t address,
                                                         const Labels& labels) {
  text = Trimmed(text);
  Instruction instruction{.address = address, .text = std::string(text)};
  const std::size_t end = text.find_first_of(" \t");
  instruction.name = Lower(text.substr(0, end));
  if (end == std::string_view::npos) return instruction;
  const auto parts = Split(text.substr(end));
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (i + 1 == parts.size() && NamesPlace(instruction.name, parts[i])) {
      const auto label = labels.find(parts[i]);
      const auto number = label != labels.end()
                              ? std::optional(static_cast<std::int64_t>(label->second))
                              : Number(parts[i].substr(0, parts[i].find(' ')), 16);
      if (!number) return Bad("no place in the program: \"" + std::string(parts[i]) + "\"");
      instruction.operands.push_back({.immediate = *number});
      continue;
    }
    const auto operand = ParseOperand(Lower(parts[i]));
    if (!operand) return Bad("no operand: \"" + std::string(parts[i]) + "\"");
    instruction.operands.push_back(*operand);
  }
  return instruction;
}

}  // namespace nowait::arm
