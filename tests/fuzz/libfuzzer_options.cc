// libFuzzer's options from the environment of a test: how long, from which seed, and where what it
// finds is kept.
//
// Source: libFuzzer, LLVM 19's documentation, "Startup initialization".
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

namespace {

// In CI, of a test each.
constexpr const char* kSeconds = "15";

std::string FromEnvironment(const char* name, const char* otherwise) {
  const char* value = std::getenv(name);
  return value != nullptr && *value != '\0' ? value : otherwise;
}

}  // namespace

// arguments: the program and the folder of the corpus. libFuzzer reads the new ones after this.
extern "C" int LLVMFuzzerInitialize(int* count, char*** arguments) {
  // A failing input (libFuzzer prints its path), and the inputs that reach what the corpus does
  // not.
  const std::string kept = FromEnvironment("TEST_UNDECLARED_OUTPUTS_DIR", "/tmp");
  const std::string found = kept + "/found";
  std::filesystem::create_directories(found);
  static std::vector<std::string> words = {
      (*arguments)[0],
      "-max_total_time=" + FromEnvironment("NOWAIT_FUZZ_SECONDS", kSeconds),
      "-seed=" + FromEnvironment("NOWAIT_FUZZ_SEED", "1"),
      "-artifact_prefix=" + kept + "/",
      "-timeout=10",
      "-rss_limit_mb=1024",
      "-max_len=16384",
      "-verbosity=1",
      "-print_final_stats=1",
      found};
  for (int i = 1; i < *count; ++i) words.push_back((*arguments)[i]);
  static std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  *count = static_cast<int>(words.size());
  *arguments = pointers.data();
  return 0;
}
