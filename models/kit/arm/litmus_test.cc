// The evaluator against published verdicts, and what it says to text that it does not understand.
#include "models/kit/arm/litmus.h"

#include <catch2/catch.hpp>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace nowait::arm {
namespace {

std::vector<LitmusTest> TestsOf(const std::string& family) {
  std::ifstream file("models/kit/arm/litmus/" + family + ".litmus");
  const auto tests = ParseLitmus(std::string(std::istreambuf_iterator<char>(file), {}));
  REQUIRE(tests.has_value());
  return *tests;
}

TEST_CASE("every verdict is the published one") {
  std::size_t allowed = 0;
  std::size_t forbidden = 0;
  for (const char* family :
       {"message_passing", "two_threads", "coherence", "more_threads", "atomics"}) {
    for (const LitmusTest& test : TestsOf(family)) {
      INFO(test.name << ", " << test.source);
      const auto verdict = Judge(test);
      REQUIRE(verdict.has_value());
      CHECK(verdict->allowed == test.allowed);
      CHECK(verdict->executions > 0);
      ++(test.allowed ? allowed : forbidden);
    }
  }
  CHECK(allowed == 44);
  CHECK(forbidden == 48);
}

// One thread writes x; the code of P1 and the lines behind the table are given.
std::string Said(const std::string& code, const std::string& behind = "Allowed [key] place") {
  const std::string text = "AArch64 T\n{ 0:X1=x; 1:X1=x; }\n P0 | P1 ;\n STR WZR,[X1] | " + code +
                           " ;\nexists (1:X0=0)\n" + behind + "\n";
  const auto tests = ParseLitmus(text);
  if (!tests) return tests.error();
  const auto verdict = Judge(tests->front());
  return verdict ? "judged" : verdict.error();
}

TEST_CASE("what is not understood is named, with its place") {
  CHECK(Said("LDR W0,[X1]") == "judged");
  CHECK(Said("LDXP W0,W2,[X1]") == "T: at 0x200000: no such instruction here: \"LDXP W0,W2,[X1]\"");
  CHECK(Said("LDAR W0") == "T: at 0x200000: operands that are not understood: \"LDAR W0\"");
  CHECK(Said("LDR W0") == "line 5: no place in the program: \"W0\", in T");
  CHECK(Said("ADD W0,[X1],#1") ==
        "T: at 0x200000: operands that are not understood: \"ADD W0,[X1],#1\"");
  CHECK(Said("LDR W0,[X31]") == "line 5: no operand: \"[X31]\", in T");
  CHECK(Said("CBZ W0,away") == "line 5: no place in the program: \"away\", in T");
  CHECK(Said("DMB FULL") == "T: at 0x200000: no such barrier: \"DMB FULL\"");
  CHECK(Said("CSEL W0,W1,W2,QQ") == "T: at 0x200000: no such condition: \"qq\"");
  CHECK(Said("LDR W0,[X7]") == "T: at 0x200000: a read of address 0x0");
  CHECK(Said("LDRB W0,[X1]") ==
        "T: at 0x200000: 1 bytes at 0x10000 overlap a shared location of 4 bytes at 0x10000");
  CHECK(Said("LDR W0,[X1] | NOP") == "line 4: more columns than threads");
}

TEST_CASE("a verdict needs a source, and a condition something to speak of") {
  CHECK(Said("NOP", "Allowed") ==
        "line 6: no verdict: \"Allowed [key] place\" or \"Forbidden [key] place\"");
  CHECK(Said("NOP", "Allowed by word of mouth") ==
        "line 6: the verdict has no source: \"[key] place\"");
  const auto condition = [](const std::string& text) {
    const auto tests = ParseLitmus("AArch64 T\n{ 0:X1=x; }\n P0 ;\n NOP ;\nexists " + text +
                                   "\nAllowed [key] place\n");
    return tests ? std::string() : tests.error();
  };
  CHECK(condition("(0:X1=0 \\/ ~(x=1 /\\ 0:X2=0))").empty());
  CHECK(condition("(0:X1=0") == "line 5: no ) in the condition");
  CHECK(condition("(0:X1=0) x") == "line 5: the condition goes on with \"x\"");
  CHECK(condition("(0:X1=one)") == "line 5: no number: \"one\"");
  CHECK(condition("(0:X1)") == "line 5: no equation in the condition, at \")\"");
  CHECK(condition("(1:X1=0)") == "line 6: a condition on a thread that is not there");
  CHECK(condition("(y=0)") == "line 6: a condition on a location that is not there: \"y\"");
  CHECK(condition(std::string(200, '(')) == "line 5: too many parentheses in the condition");
}

TEST_CASE("a file that is no litmus test is refused by its line") {
  const auto said = [](const std::string& text) {
    const auto tests = ParseLitmus(text);
    return tests ? std::to_string(tests->size()) + " tests" : tests.error();
  };
  CHECK(said("# nothing\n") == "0 tests");
  CHECK(said("X86 SB\n") == "line 1: a test begins with \"AArch64 NAME\"");
  CHECK(said("AArch64 T\nP0 ;\n") == "line 2: no { with the initial state");
  CHECK(said("AArch64 T\n{ 0:X1=x;\n") == "line 3: no } behind the initial state");
  CHECK(said("AArch64 T\n{ 0:X1; }\n") == "line 2: no = in \"0:X1\"");
  CHECK(said("AArch64 T\n{ 0:X1=[x]; }\n") == "line 2: no value: \"[x]\"");
  CHECK(said("AArch64 T\n{ 0:Y1=x; }\n") == "line 2: neither a register nor a location: \"0:Y1\"");
  CHECK(said("AArch64 T\n{ }\n NOP ;\n") == "line 3: no threads: a line \"P0 | P1 ;\"");
  CHECK(said("AArch64 T\n{ 3:X1=x; }\n P0 ;\n") ==
        "line 3: a register of a thread that is not there");
  CHECK(said("AArch64 T\n{ }\n P0 ;\n NOP ;\n") == "line 5: no line \"exists (...)\"");
  CHECK(said("AArch64 T\n{ }\n P0 ;\n NOP ;\nexists (0:X0=0)\n") ==
        "line 6: no verdict behind the condition");
}

}  // namespace
}  // namespace nowait::arm
