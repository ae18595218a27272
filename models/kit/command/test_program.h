// A model's program as a user runs it, for tests: in a process and a folder of its own.
//
//   const Folder folder;
//   CHECK(folder.Run({"--scenario", "losing"}).code == 1);
//
// Its scenarios (test_program.cc) are, in this order: `counting`, which passes; `losing` and
// `losing-twice`, which fail alike; `spreading`, which is bounded; `hurried`, which is not finished
// within its limit; and `many`, which has work for several processes.
#ifndef NOWAIT_MODELS_KIT_COMMAND_TEST_PROGRAM_H_
#define NOWAIT_MODELS_KIT_COMMAND_TEST_PROGRAM_H_

#include <sys/types.h>

#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace nowait::model {

// The whole of a file, "" where there is no file.
std::string TextAt(const std::string& path);

// A folder in which a test runs the program.
class Folder {
 public:
  Folder();
  ~Folder();
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  std::string operator/(const char* name) const { return path_ + "/" + name; }

  struct Ended {
    int code;
    std::string output;
    std::string errors;
  };
  // Runs the program there and returns its exit code and its output. meanwhile: called once the
  // program has executed something.
  Ended Run(std::vector<const char*> words,
            const std::function<void(pid_t)>& meanwhile = nullptr) const;

  // The results of a run, which writes them to a file.
  nlohmann::json RunForJson(std::vector<const char*> words) const;

 private:
  std::string path_;
};

// Makes the worker processes of a search report their executions, for one test.
class WorkersWrite {
 public:
  WorkersWrite();
  ~WorkersWrite();
  WorkersWrite(const WorkersWrite&) = delete;
  WorkersWrite& operator=(const WorkersWrite&) = delete;
};

// The results that must be equal however a run was divided.
std::vector<std::string> Essence(const nlohmann::json& results);

}  // namespace nowait::model

#endif  // NOWAIT_MODELS_KIT_COMMAND_TEST_PROGRAM_H_
