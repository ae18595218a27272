#include "src/apps/session/session.h"

#include <sys/resource.h>

#include <catch2/catch.hpp>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "src/resource/document_text.h"

namespace nowait {
namespace {

// A log in a folder of its own.
class Folder {
 public:
  Folder() {
    std::string made = (std::filesystem::temp_directory_path() / "session.XXXXXX").string();
    REQUIRE(::mkdtemp(made.data()) != nullptr);
    path_ = made;
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  std::string log() const { return path_ / "log"; }
  std::string Bytes() const {
    std::ifstream file(log(), std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  void Write(const std::string& bytes) const {
    std::ofstream(log(), std::ios::binary | std::ios::trunc) << bytes;
  }

 private:
  std::filesystem::path path_;
};

Value Parsed(const std::string& text) {
  const auto value = ParseDocument(text);
  REQUIRE(value);
  return *value;
}

TEST_CASE("changes of different fields are merged, and every revision is in the log") {
  const Folder folder;
  const Value initial = Parsed(R"({"lamp": 1, "door": 1})");
  {
    auto session = Session::Open(folder.log(), &initial);
    REQUIRE(session);
    CHECK(session->revision() == 1);
    const auto anna = session->Submit(1, "anna", Parsed(R"({"lamp": 2, "door": 1})"));
    REQUIRE(anna);
    CHECK((anna->revision == 2 && anna->conflicts.empty()));
    const auto bert = session->Submit(1, "bert", Parsed(R"({"lamp": 1, "door": 5})"));
    REQUIRE(bert);
    CHECK((bert->revision == 3 && bert->conflicts.empty()));
    CHECK(Same(session->document(), Parsed(R"({"lamp": 2, "door": 5})")));
    // The file belongs to one session.
    CHECK(Session::Open(folder.log(), &initial).error().code == ErrorCode::kIo);
  }
  const auto again = Session::Open(folder.log(), nullptr);
  REQUIRE(again);
  CHECK(again->revision() == 3);
  CHECK(again->Find(2)->author == "anna");
  CHECK(again->Find(3)->author == "bert");
  CHECK(Same(again->Find(2)->document, Parsed(R"({"lamp": 2, "door": 1})")));
  CHECK(again->Find(0) == nullptr);
  CHECK(again->Find(4) == nullptr);
}

TEST_CASE("two changes of one field: the second is refused as a whole, and nothing is logged") {
  const Folder folder;
  const Value initial = Parsed(R"({"lamp": 1, "door": 1})");
  auto session = Session::Open(folder.log(), &initial);
  REQUIRE(session);
  REQUIRE(session->Submit(1, "anna", Parsed(R"({"lamp": 2, "door": 1})")));
  const std::string before = folder.Bytes();
  const auto bert = session->Submit(1, "bert", Parsed(R"({"lamp": 3, "door": 7})"));
  REQUIRE(bert);
  CHECK(bert->revision == 2);
  REQUIRE(bert->conflicts.size() == 1);
  CHECK(bert->conflicts[0] == "/lamp");
  CHECK(Same(session->document(), Parsed(R"({"lamp": 2, "door": 1})")));
  CHECK(folder.Bytes() == before);
}

TEST_CASE("a change whose answer was lost may be submitted again") {
  const Folder folder;
  const Value initial = Parsed(R"([{"id": "a", "x": 1}])");
  auto session = Session::Open(folder.log(), &initial);
  REQUIRE(session);
  const Value change = Parsed(R"([{"id": "a", "x": 1}, {"id": "b", "x": 2}])");
  REQUIRE(session->Submit(1, "anna", change));
  REQUIRE(session->Submit(2, "bert", Parsed(R"([{"id": "a", "x": 9}, {"id": "b", "x": 2}])")));
  const auto again = session->Submit(1, "anna", change);
  REQUIRE(again);
  CHECK((again->revision == 3 && again->conflicts.empty()));
  CHECK(Same(session->document(), Parsed(R"([{"id": "a", "x": 9}, {"id": "b", "x": 2}])")));
}

TEST_CASE("bad submissions are refused with their field") {
  const Folder folder;
  const Value initial = Parsed("{}");
  auto session = Session::Open(folder.log(), &initial);
  REQUIRE(session);
  const auto refused = [&](std::uint64_t base, const char* author, const char* text) {
    const auto answer = session->Submit(base, author, Parsed(text));
    REQUIRE_FALSE(answer);
    return std::string(answer.error().subject);
  };
  CHECK(refused(0, "anna", "{}") == "base");
  CHECK(refused(2, "anna", "{}") == "base");
  CHECK(refused(1, "", "{}") == "author");
  CHECK(refused(1, "an na", "{}") == "author");
  CHECK(refused(1, "anna\n", "{}") == "author");
  CHECK(refused(1, std::string(65, 'a').c_str(), "{}") == "author");
  CHECK(refused(1, "anna", R"({"a": {"$conflict": "value", "left": 1}})") == "document");
  CHECK(session->revision() == 1);
}

TEST_CASE("only the last revisions are kept, and an older base is refused") {
  const Folder folder;
  const Value initial = Parsed(R"({"n": 0})");
  auto session = Session::Open(folder.log(), &initial);
  REQUIRE(session);
  for (std::uint64_t i = 1; i <= Session::kMostKept + 2; ++i) {
    REQUIRE(session->Submit(i, "anna", Parsed("{\"n\": " + std::to_string(i) + "}")));
  }
  CHECK_FALSE(session->Submit(2, "bert", Parsed("{}")));
  CHECK(session->Submit(4, "bert", session->Find(4)->document));
}

TEST_CASE("a log that ends at any byte has every record that is whole, and goes on") {
  const Folder folder;
  const Value initial = Parsed(R"({"n": 0})");
  std::vector<std::size_t> ends;
  {
    auto session = Session::Open(folder.log(), &initial);
    REQUIRE(session);
    ends.push_back(folder.Bytes().size());
    for (std::uint64_t i = 1; i <= 3; ++i) {
      REQUIRE(session->Submit(i, "anna", Parsed("{\"n\": " + std::to_string(i) + "}")));
      ends.push_back(folder.Bytes().size());
    }
  }
  const std::string whole = folder.Bytes();
  for (std::size_t length = 0; length <= whole.size(); ++length) {
    CAPTURE(length);
    // Also with zeros behind: the file had its length before its bytes.
    for (const std::size_t zeros : {0u, 5u, 64u}) {
      folder.Write(whole.substr(0, length) + std::string(zeros, '\0'));
      std::uint64_t expected = 0;
      while (expected < ends.size() && ends[expected] <= length) ++expected;
      auto session = Session::Open(folder.log(), &initial);
      if (!session) {
        // A record whose bytes were lost, with zeros in their place and some behind it.
        CHECK(session.error().code == ErrorCode::kCorrupt);
        CHECK(zeros > 0);
        continue;
      }
      REQUIRE(session->revision() == std::max<std::uint64_t>(expected, 1));
      const std::uint64_t last = session->revision();
      REQUIRE(session->Submit(last, "bert", Parsed(R"({"m": 1})")));
      REQUIRE(session->revision() == last + 1);
    }
  }
}

TEST_CASE("a damaged byte is found, unless it is in the last record") {
  const Folder folder;
  const Value initial = Parsed(R"({"n": 0})");
  std::size_t last = 0;
  {
    auto session = Session::Open(folder.log(), &initial);
    REQUIRE(session);
    REQUIRE(session->Submit(1, "anna", Parsed(R"({"n": 1})")));
    last = folder.Bytes().size();
    REQUIRE(session->Submit(2, "anna", Parsed(R"({"n": 2})")));
  }
  const std::string whole = folder.Bytes();
  for (std::size_t at = 0; at < whole.size(); ++at) {
    for (int bit = 0; bit < 8; ++bit) {
      CAPTURE(at, bit);
      if (at >= last && bit != static_cast<int>(at % 8))
        continue;  // each of these is cut, and synced
      std::string damaged = whole;
      damaged[at] = static_cast<char>(damaged[at] ^ (1 << bit));
      folder.Write(damaged);
      const auto session = Session::Open(folder.log(), &initial);
      if (at < last) {
        // Nothing that was accepted is cut off.
        REQUIRE_FALSE(session);
        CHECK(session.error().code == ErrorCode::kCorrupt);
        CHECK(folder.Bytes() == damaged);
      } else {
        REQUIRE(session);
        CHECK(session->revision() == 2);
        CHECK(Same(session->document(), Parsed(R"({"n": 1})")));
      }
    }
  }
}

TEST_CASE("a file that is no log is left as it is, and a look at no file leaves no file") {
  const Folder folder;
  const Value initial = Parsed("{}");
  for (const std::string bytes : {"{\"lamp\": 1}\n", "x", "nwlog 2\n", "a letter of some length"}) {
    CAPTURE(bytes);
    folder.Write(bytes);
    CHECK(Session::Open(folder.log(), &initial).error().code == ErrorCode::kCorrupt);
    CHECK(EditLog::Look(folder.log()).error().code == ErrorCode::kCorrupt);
    CHECK(folder.Bytes() == bytes);
  }
  std::filesystem::remove(folder.log());
  CHECK(EditLog::Look(folder.log()).error().code == ErrorCode::kNotFound);
  CHECK_FALSE(std::filesystem::exists(folder.log()));
}

TEST_CASE("a log is looked at while its session runs") {
  const Folder folder;
  const Value initial = Parsed("{}");
  auto session = Session::Open(folder.log(), &initial);
  REQUIRE(session);
  REQUIRE(session->Submit(1, "anna", Parsed(R"({"n": 1})")));
  std::ofstream(folder.log(), std::ios::binary | std::ios::app) << "half a record";
  const auto texts = EditLog::Look(folder.log());
  REQUIRE(texts);
  CHECK(texts->size() == 2);
  REQUIRE(session->Submit(2, "anna", Parsed(R"({"n": 2})")));
  CHECK(EditLog::Look(folder.log())->size() == 3);
}

TEST_CASE("a change that is submitted again does not undo what others have made of it") {
  const char* const later[] = {R"({"lamp": 1, "door": 1})", R"({"lamp": 9, "door": 1})"};
  for (const char* const bert : later) {
    CAPTURE(bert);
    const Folder folder;
    const Value initial = Parsed(R"({"lamp": 1, "door": 1})");
    const Value change = Parsed(R"({"lamp": 2, "door": 1})");
    {
      auto session = Session::Open(folder.log(), &initial);
      REQUIRE(session);
      REQUIRE(session->Submit(1, "anna", change));
      REQUIRE(session->Submit(2, "bert", Parsed(bert)));
    }
    // Also when the server was killed in between.
    auto session = Session::Open(folder.log(), nullptr);
    REQUIRE(session);
    const auto again = session->Submit(1, "anna", change);
    REQUIRE(again);
    CHECK((again->revision == 3 && again->conflicts.empty()));
    CHECK(Same(session->document(), Parsed(bert)));
    // From the newer base it is a change of its own, and another one's is one in any case.
    const auto anew = session->Submit(3, "anna", change);
    REQUIRE(anew);
    CHECK(anew->revision == 4);
    CHECK(Same(session->document(), change));
  }
}

TEST_CASE("a document that a log could not give back is refused") {
  const auto nested = [](int levels) {
    return Parsed(std::string(static_cast<std::size_t>(levels), '[') +
                  std::string(static_cast<std::size_t>(levels), ']'));
  };
  const Folder folder;
  const Value most = nested(Session::kMostLevels), more = nested(Session::kMostLevels + 1);
  CHECK(Session::Open(folder.log(), &more).error().subject == std::string("levels of JSON"));
  {
    auto session = Session::Open(folder.log(), &most);
    REQUIRE(session);
    CHECK(session->Submit(1, "anna", more).error().subject == std::string("levels of JSON"));
  }
  CHECK(Session::Open(folder.log(), nullptr));

  const Folder other;
  const Value conflict = Parsed(R"({"a": {"$conflict": "value", "left": 1}})");
  CHECK(Session::Open(other.log(), &conflict).error().subject == std::string("document"));
}

TEST_CASE("documents that are too long together, and revisions that are") {
  const Folder folder;
  const Value initial = Parsed(R"({"n": 0})");
  auto session = Session::Open(folder.log(), &initial);
  REQUIRE(session);
  const std::string text(Session::kMostRecordBytes / 2, 'x');
  const auto with = [&](const char* key, int n) {
    return Value::Object({{"n", Value::FromNumber(std::to_string(n))}, {key, Value::String(text)}});
  };
  REQUIRE(session->Submit(1, "anna", with("a", 0)));
  CHECK(session->Submit(1, "bert", with("b", 0)).error().subject == std::string("document bytes"));
  CHECK(session->revision() == 2);
  for (int n = 1; n <= 8; ++n) {
    REQUIRE(session->Submit(session->revision(), "anna", with("a", n)));
  }
  CHECK(session->revision() == 10);
  CHECK(session->Find(1) == nullptr);
  CHECK(session->Find(2) == nullptr);
  CHECK(session->Find(4) != nullptr);
  CHECK(session->Submit(1, "bert", initial).error().subject == std::string("base"));
}

TEST_CASE("no folder, and a folder in place of a log") {
  const Value initial = Parsed("{}");
  CHECK(Session::Open("/nowhere/log", &initial).error().code == ErrorCode::kNotFound);
  CHECK_FALSE(Session::Open("/tmp", &initial));
  const Folder folder;
  CHECK(Session::Open(folder.log(), nullptr).error().subject == std::string("document"));
}

// The process limits the length of its files: an append beyond it fails in the middle.
class LengthLimit {
 public:
  explicit LengthLimit(std::uint64_t bytes) {
    REQUIRE(::getrlimit(RLIMIT_FSIZE, &before_) == 0);
    handler_ = std::signal(SIGXFSZ, SIG_IGN);
    const rlimit little = {bytes, before_.rlim_max};
    REQUIRE(::setrlimit(RLIMIT_FSIZE, &little) == 0);
  }
  ~LengthLimit() {
    ::setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, handler_);
  }

 private:
  rlimit before_;
  void (*handler_)(int);
};

TEST_CASE("an edit that the disk has no room for has not happened, and is taken later") {
  const Folder folder;
  const Value initial = Parsed(R"({"a": 1})");
  auto session = Session::Open(folder.log(), &initial);
  REQUIRE(session);
  REQUIRE(session->Submit(1, "anna", Parsed(R"({"a": 2})")));
  const std::string before = folder.Bytes();
  const Value longer = Parsed("{\"a\": 2, \"b\": \"" + std::string(500, 'x') + "\"}");
  {
    const LengthLimit limit(before.size() + 100);
    for (int i = 0; i < 3; ++i) {
      const auto answer = session->Submit(2, "bert", longer);
      REQUIRE_FALSE(answer);
      CHECK(answer.error().code == ErrorCode::kIo);
      CHECK(answer.error().subject == std::string("log"));
      CHECK(answer.error().amount == EFBIG);
      CHECK(session->revision() == 2);
      CHECK(session->Find(3) == nullptr);
      CHECK(Same(session->document(), Parsed(R"({"a": 2})")));
      CHECK(folder.Bytes() == before);
    }
  }
  const auto answer = session->Submit(2, "bert", longer);
  REQUIRE(answer);
  CHECK(answer->revision == 3);
  CHECK(Same(session->document(), longer));
  CHECK(EditLog::Look(folder.log())->size() == 3);
}

TEST_CASE("a log that is open is nobody else's, and free when it ends, moved or not") {
  const Folder folder;
  {
    auto opened = EditLog::Open(folder.log());
    REQUIRE(opened);
    CHECK(opened->texts.empty());
    CHECK(opened->log.bytes() == EditLog::kMark.size());
    EditLog moved = std::move(opened->log);
    const auto second = EditLog::Open(folder.log());
    REQUIRE_FALSE(second);
    CHECK(second.error().code == ErrorCode::kIo);
    REQUIRE(moved.Append("one"));
    CHECK(moved.bytes() == folder.Bytes().size());
  }
  const auto again = EditLog::Open(folder.log());
  REQUIRE(again);
  CHECK(again->texts == std::vector<std::string>{"one"});
  CHECK(again->log.bytes() == folder.Bytes().size());
}

TEST_CASE("an author has 1 to 64 printable characters, and a base is a revision that there is") {
  const Folder folder;
  const Value initial = Parsed(R"({"a": 1})");
  auto session = Session::Open(folder.log(), &initial);
  REQUIRE(session);
  const auto subject = [&](std::uint64_t base, const std::string& author) {
    const auto answer = session->Submit(base, author, initial);
    return answer ? std::string("taken") : std::string(answer.error().subject);
  };
  CHECK(subject(1, std::string(64, 'a')) == "taken");
  CHECK(subject(1, "!~") == "taken");
  for (const std::string& bad :
       {std::string(), std::string(65, 'a'), std::string("a b"), std::string("a\x7f"),
        std::string("\xc3\xa4"), std::string("a\0", 2)}) {
    CHECK(subject(1, bad) == "author");
  }
  CHECK(subject(0, "anna") == "base");
  CHECK(subject(2, "anna") == "base");
  CHECK(subject(~std::uint64_t{0}, "anna") == "base");
  CHECK(session->revision() == 1);  // nothing has changed, and nothing is logged
  CHECK(EditLog::Look(folder.log())->size() == 1);
}

}  // namespace
}  // namespace nowait
