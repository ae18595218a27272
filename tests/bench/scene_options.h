// Options of the benchmarks that run a scene: whole numbers in a range, and a file for the JSON.
// An error in them is one line on standard error, and exit status 2.
#ifndef NOWAIT_TESTS_BENCH_SCENE_OPTIONS_H_
#define NOWAIT_TESTS_BENCH_SCENE_OPTIONS_H_

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <optional>
#include <string>
#include <system_error>

namespace nowait {

inline void AddCount(CLI::App& app, const std::string& name, std::uint32_t& value,
                     std::uint32_t low, std::uint32_t high, const std::string& help) {
  app.add_option(name, value, help)
      ->capture_default_str()
      ->type_name("N")
      ->check([low, high](const std::string& text) -> std::string {
        const bool whole = !text.empty() && text.size() < 10 &&
                           text.find_first_not_of("0123456789") == std::string::npos;
        if (whole && low <= std::stoul(text) && std::stoul(text) <= high) return {};
        return fmt::format("'{}' is not a whole number from {} to {}", text, low, high);
      });
}

inline void AddJson(CLI::App& app, std::string& path, const std::string& page) {
  app.add_option("--json", path, "write the results there (" + page + ")")
      ->type_name("FILE")
      ->check([](const std::string& text) -> std::string {
        // Said before anything is measured.
        std::filesystem::path folder = std::filesystem::path(text).parent_path();
        if (folder.empty()) folder = ".";
        std::error_code ignored;
        if (!text.empty() && std::filesystem::is_directory(folder, ignored) &&
            !std::filesystem::is_directory(text, ignored)) {
          return {};
        }
        return fmt::format("'{}' cannot be written", text);
      });
}

// The exit status when the program is not to go on.
inline std::optional<int> ParseScene(CLI::App& app, int argc, char** argv) {
  app.set_help_flag("-h,--help", "print this and exit");
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp& help) {
    return app.exit(help);
  } catch (const CLI::ParseError& error) {
    // CLI11's message may have several lines; the first has the point.
    const std::string what = error.what();
    fmt::print(stderr, "{}: {}\n", app.get_name(), what.substr(0, what.find('\n')));
    return 2;
  }
  return std::nullopt;
}

}  // namespace nowait

#endif  // NOWAIT_TESTS_BENCH_SCENE_OPTIONS_H_
