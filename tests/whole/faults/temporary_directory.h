// TemporaryDirectory: a place for a test's files, gone with it.
#ifndef NOWAIT_TESTS_WHOLE_FAULTS_TEMPORARY_DIRECTORY_H_
#define NOWAIT_TESTS_WHOLE_FAULTS_TEMPORARY_DIRECTORY_H_

#include <stdlib.h>

#include <catch2/catch.hpp>
#include <filesystem>
#include <string>
#include <string_view>

namespace nowait::whole {

class TemporaryDirectory {
 public:
  TemporaryDirectory() {
    const char* const root = std::getenv("TEST_TMPDIR");
    path_ = std::string(root == nullptr ? "/tmp" : root) + "/faults.XXXXXX";
    REQUIRE(mkdtemp(path_.data()) != nullptr);
  }
  ~TemporaryDirectory() { std::filesystem::remove_all(path_); }
  TemporaryDirectory(const TemporaryDirectory&) = delete;
  TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;

  std::string operator/(std::string_view name) const { return path_ + "/" + std::string(name); }

 private:
  std::string path_;
};

}  // namespace nowait::whole

#endif  // NOWAIT_TESTS_WHOLE_FAULTS_TEMPORARY_DIRECTORY_H_
