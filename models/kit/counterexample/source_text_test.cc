// The names that the source gives for a site.
#include "models/kit/counterexample/source_text.h"

#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

namespace nowait::model::counterexample {
namespace {

class Directory {
 public:
  Directory() {
    const char* tests = std::getenv("TEST_TMPDIR");
    path_ = (tests != nullptr ? tests : "/tmp") + std::string("/sources");
    std::filesystem::create_directories(path_);
    std::ofstream(path_ + "/a.h") << "#line 1 \"a.h\"\n"
                                     "fetched_.load(order);\n"
                                     "  node->child[slot + f(1)].store(1, order);\n"
                                     "Get(3).load(order);\n"
                                     "load(order);\n"
                                     "auto& count = banks_[b % 2].stripes[s].readers;\n"
                                     "for (auto& row : min) row[slot].store(0, order);\n"
                                     "  count.load(order);\n"
                                     "auto& count = Two(1) + 1;\n"
                                     "const auto& odd = other.count;\n";
  }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

TEST_CASE("A receiver is read off the source") {
  const Directory directory;
  SourceText text({directory.path()});
  const auto at = [&](std::uint32_t line, std::uint32_t column) {
    return text.ReceiverAt({"a.h", line, column, ""});
  };
  CHECK(at(1, 14) == "fetched_");
  CHECK(at(2, 33) == "node->child[slot + f(1)]");
  CHECK(at(3, 12) == "Get(3)");
  CHECK(at(4, 5).empty());
  CHECK(at(1, 1).empty());
  CHECK(at(99, 1).empty());
  CHECK(text.Lines("a.h").size() == 9);
}

TEST_CASE("A reference stands for its object") {
  const Directory directory;
  SourceText text({directory.path()});
  const auto at = [&](std::uint32_t line, std::uint32_t column) {
    return text.ReceiverAt({"a.h", line, column, ""});
  };
  CHECK(at(6, 38) == "min[][slot]");
  CHECK(at(7, 13) == "banks_[b % 2].stripes[s].readers");
}

TEST_CASE("A file outside the workspace is not read") {
  SourceText text;
  CHECK(text.Lines("/etc/passwd").empty());
  CHECK(text.Lines("no/such.h").empty());
  CHECK(text.Lines("").empty());
}

}  // namespace
}  // namespace nowait::model::counterexample
