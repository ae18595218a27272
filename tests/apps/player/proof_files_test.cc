// The files of proofs, as the viewer's page asks for them.
#include "src/apps/player/proof_files.h"

#include <catch2/catch.hpp>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <random>
#include <string>
#include <string_view>

#include "src/base/report.h"

namespace nowait {
namespace {

namespace fs = std::filesystem;

class Folder {
 public:
  Folder() : path_(fs::temp_directory_path() / "proof_files_test" / std::to_string(++made)) {
    fs::remove_all(path_);
    fs::create_directories(path_);
  }
  ~Folder() { fs::remove_all(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  std::string path() const { return path_.string(); }
  void Write(std::string_view name, std::string_view text) const {
    fs::create_directories((path_ / name).parent_path());
    std::ofstream(path_ / name, std::ios::binary) << text;
  }

 private:
  static inline int made = 0;
  fs::path path_;
};

Json ListOf(const ProofFiles& files) {
  const auto list = files.Find("/proofs");
  REQUIRE(list);
  CHECK(list->type == "application/json");
  return Json::parse(list->text);
}

TEST_CASE("without any files there is an empty list") {
  const Folder folder;
  const Json list = ListOf(ProofFiles(folder.path() + "/not/there"));
  CHECK(list.at("schema") == "nowait.proofs");
  CHECK(list.at("pages").empty());
  CHECK(list.at("check").is_null());
  CHECK(list.at("check_error") == "");
}

TEST_CASE("pages are listed with their titles, and are found") {
  const Folder folder;
  const ProofFiles files(folder.path());
  folder.Write("gallery/02-b.html", "<html><title>Reads &lt;old&gt; &amp; new - nowait</title>two");
  folder.Write("gallery/01-a.html", "no title");
  folder.Write("gallery/index.html", "<title>not in the list</title>");
  folder.Write("gallery/03.json", "{}");
  folder.Write("counterexamples/union_find_2x1.html", "<title>fails</title>");
  const Json list = ListOf(files);
  REQUIRE(list.at("pages").size() == 3);
  CHECK(list.at("pages").at(0) ==
        Json{{"path", "/proofs/gallery/01-a.html"}, {"folder", "gallery"}, {"title", "01-a.html"}});
  CHECK(list.at("pages").at(1).at("title") == "Reads <old> & new");
  CHECK(list.at("pages").at(2).at("path") == "/proofs/counterexamples/union_find_2x1.html");
  for (const Json& page : list.at("pages")) CHECK(files.Find(page.at("path").get<std::string>()));
  CHECK(files.Find("/proofs/gallery/01-a.html")->text == "no title");
  // A page that is written later is there later.
  folder.Write("counterexamples/later.html", "");
  CHECK(ListOf(files).at("pages").size() == 4);
}

TEST_CASE("no path leads out of the folders") {
  const Folder folder;
  const ProofFiles files(folder.path());
  folder.Write("secret.html", "secret");
  folder.Write("gallery/.hidden.html", "secret");
  folder.Write("gallery/below/page.html", "secret");
  folder.Write("gallery/plain.txt", "secret");
  folder.Write("other/page.html", "secret");
  fs::create_directories(folder.path() + "/gallery/folder.html");
  fs::create_symlink(folder.path() + "/secret.html", folder.path() + "/gallery/link.html");
  for (const std::string_view path :
       {"/proofs/gallery/../secret.html", "/proofs/gallery/..%2fsecret.html", "/proofs/secret.html",
        "/proofs/gallery/.hidden.html", "/proofs/gallery/below/page.html",
        "/proofs/gallery/plain.txt", "/proofs/other/page.html", "/proofs/gallery/folder.html",
        "/proofs/gallery/link.html", "/proofs/gallery/%2e%2e/secret.html",
        "/proofs/gallery//etc/passwd", "/proofs/gallery/.html", "/proofs/gallery/", "/proofs/", "/",
        "", "/proofs/gallery//secret.html"}) {
    INFO(path);
    CHECK(!files.Find(path));
  }
  CHECK(ListOf(files).at("pages").empty());
  // Any bytes: a file's contents are found under no other name than its own.
  std::mt19937 random(1);
  for (int i = 0; i < 20'000; ++i) {
    std::string path = "/proofs/gallery/";
    for (unsigned length = random() % 12; length > 0; --length) {
      path += "./%\\ae~\0x"[random() % 9];
    }
    const auto found = files.Find(path + (i % 2 == 0 ? ".html" : "secret.html"));
    CHECK(!found);
  }
}

TEST_CASE("the list is bounded, and says how many pages it leaves out") {
  const Folder folder;
  for (std::size_t i = 0; i < ProofFiles::kMostPages; ++i) {
    folder.Write("gallery/" + std::to_string(i) + ".html", "");
  }
  folder.Write("counterexamples/a.html", "");
  folder.Write("counterexamples/b.html", "");
  const Json list = ListOf(ProofFiles(folder.path()));
  CHECK(list.at("pages").size() == ProofFiles::kMostPages);
  CHECK(list.at("left_out") == 2);
}

TEST_CASE("the progress is passed on, or its error in a line") {
  const Folder folder;
  const ProofFiles files(folder.path());
  const std::string good =
      R"({"schema":"nowait.check_progress","version":1,"what":"union_find","done":3})";
  folder.Write("check/progress.json", good);
  CHECK(ListOf(files).at("check") == Json::parse(good));
  const std::string wrong[] = {
      "", "{", "[]", "7", R"({"schema":"nowait.check_progress"})",
      R"({"schema":"nowait.check_progress","version":2})", R"({"schema":7,"version":1})",
      // Deeper than a thread's stack.
      good.substr(0, good.size() - 1) + ",\"x\":" + std::string(30'000, '[') +
          std::string(30'000, ']') + "}",
      good + std::string(ProofFiles::kMostProgressBytes, ' ')};
  for (const std::string& text : wrong) {
    folder.Write("check/progress.json", text);
    const Json list = ListOf(files);
    CHECK(list.at("check").is_null());
    const auto why = list.at("check_error").get<std::string>();
    CHECK(why.find("progress.json") != why.npos);
    CHECK(why.find('\n') == why.npos);
  }
}

}  // namespace
}  // namespace nowait
