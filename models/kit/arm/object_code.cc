#include "models/kit/arm/object_code.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <optional>

namespace nowait::arm {
namespace {

std::string_view Trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t\r");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t\r") - begin + 1);
}

std::optional<std::uint64_t> Hex(std::string_view text) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, 16);
  if (error != std::errc() || end != text.data() + text.size()) return {};
  return value;
}

class Reader {
 public:
  std::expected<Program, std::string> Read(std::string_view text) {
    std::size_t number = 0;
    for (std::size_t begin = 0; begin < text.size();) {
      const std::size_t end = std::min(text.find('\n', begin), text.size());
      ++number;
      if (!Next(text.substr(begin, end - begin))) {
        return std::unexpected("line " + std::to_string(number) + ": " + problem_);
      }
      begin = end + 1;
    }
    if (program_.code.empty()) return std::unexpected("there is no code in it");
    return std::move(program_);
  }

 private:
  enum class Part { kNone, kSymbols, kCode, kContents };

  bool Next(std::string_view line) {
    const std::string_view words = Trimmed(line);
    if (words.empty()) return true;
    if (words == "SYMBOL TABLE:") {
      part_ = Part::kSymbols;
    } else if (words.starts_with("Disassembly of section")) {
      part_ = Part::kCode;
    } else if (words.starts_with("Contents of section")) {
      part_ = Part::kContents;
    } else if (words.find(":     file format ") != std::string_view::npos) {
      if (!words.ends_with("elf64-littleaarch64")) return Fail("it is not of AArch64");
      part_ = Part::kNone;
    } else if (part_ == Part::kSymbols) {
      return Symbol(words);
    } else if (part_ == Part::kCode) {
      return Code(line);
    } else if (part_ == Part::kContents) {
      return Contents(line);
    }
    return true;
  }
  bool Fail(std::string problem) {
    problem_ = std::move(problem);
    return false;
  }

  // 0000000000400150 g     F .text  0000000000000028 _Znwm
  bool Symbol(std::string_view line) {
    const auto address = Hex(line.substr(0, line.find(' ')));
    if (!address) return Fail("no symbol: \"" + std::string(line) + "\"");
    // Nobody runs initialisers, or copies thread-local data: zeros would stand for them.
    for (const std::string_view section : {" .init_array\t", " .tdata\t"}) {
      if (line.find(section) == std::string_view::npos) continue;
      return Fail("initialised by code, or in each thread: \"" + std::string(line) + "\"");
    }
    program_.symbols[std::string(line.substr(line.find_last_of(" \t") + 1))] = *address;
    return true;
  }

  //   400150:<tab>adrp<tab>x4, 420000 <used>, and between functions: 0000000000400150 <name>:
  bool Code(std::string_view line) {
    if (line.ends_with(">:") || Trimmed(line) == "...") return true;
    const std::size_t colon = line.find(":\t");
    const auto address =
        colon == std::string_view::npos ? std::nullopt : Hex(Trimmed(line.substr(0, colon)));
    if (!address) return Fail("no instruction: \"" + std::string(Trimmed(line)) + "\"");
    std::string text(Trimmed(line.substr(colon + 2)));
    text = text.substr(0, text.find("//"));
    std::replace(text.begin(), text.end(), '\t', ' ');
    const auto instruction = ParseInstruction(text, *address, {});
    Line read;
    if (instruction) {
      read.instruction = *instruction;
    } else {
      read.instruction.text = text;
      read.unread = instruction.error();
    }
    program_.code[*address] = std::move(read);
    return true;
  }

  //  400598 656c656d 656e7473 20636f6d 6520696e  elements come in
  bool Contents(std::string_view line) {
    constexpr std::size_t kColumns = 35;  // four words of four bytes
    line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
    const std::size_t space = line.find(' ');
    auto address = Hex(line.substr(0, space));
    if (!address || space == std::string_view::npos) {
      return Fail("no contents: \"" + std::string(line) + "\"");
    }
    const std::string_view bytes = line.substr(space + 1, kColumns);
    for (std::size_t i = 0; i + 1 < bytes.size(); i += 2) {
      if (bytes[i] == ' ') ++i;
      const auto byte = Hex(bytes.substr(i, 2));
      if (!byte) break;  // the last line is shorter
      program_.memory[(*address)++] = static_cast<std::uint8_t>(*byte);
    }
    return true;
  }

  Program program_;
  Part part_ = Part::kNone;
  std::string problem_;
};

}  // namespace

std::expected<Program, std::string> ParseObjectCode(std::string_view text) {
  return Reader().Read(text);
}

}  // namespace nowait::arm
