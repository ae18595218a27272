// AddNumber: a whole number as an option of a program's command line.
#ifndef NOWAIT_SRC_APPS_COMMAND_LINE_NUMBER_H_
#define NOWAIT_SRC_APPS_COMMAND_LINE_NUMBER_H_

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <charconv>
#include <string>
#include <system_error>

namespace nowait {

// A whole number of low .. high as an option; a bad value is reported with the option's name.
template <class T>
void AddNumber(CLI::App& app, const std::string& name, T& value, T low, T high,
               const std::string& help) {
  app.add_option(name, value, help)
      ->capture_default_str()
      ->type_name("N")
      ->check([low, high](const std::string& text) -> std::string {
        // Not CLI::Range: it takes -1 for a large unsigned number and names doubles in its message.
        // And the number parsed by CLI11 must be the one written: CLI11 takes 010 for eight, and
        // 2^64 for 2^64 - 1.
        T number = 0;
        T taken = 0;
        const char* const end = text.data() + text.size();
        const auto read = std::from_chars(text.data(), end, number);
        const bool whole = read.ec == std::errc() && read.ptr == end;
        if (whole && low <= number && number <= high && CLI::detail::lexical_cast(text, taken) &&
            taken == number) {
          return {};
        }
        return fmt::format("'{}' is not a whole number from {} to {}", text, low, high);
      });
}

}  // namespace nowait

#endif  // NOWAIT_SRC_APPS_COMMAND_LINE_NUMBER_H_
