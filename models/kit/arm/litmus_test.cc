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

// Verdicts that follow from the rules: each of them once was a wrong one.
std::string Judged(const std::string& text) {
  const auto tests = ParseLitmus(text);
  if (!tests) return tests.error();
  const auto verdict = Judge(tests->front());
  if (!verdict) return verdict.error();
  return verdict->allowed ? "allowed" : "forbidden";
}

TEST_CASE("no execution is lost, and none that is cut passes for a verdict") {
  // A round of a loop that changes only the flags is no round in vain.
  CHECK(Judged(R"(AArch64 flags-loop
{ 0:X1=x; 1:X1=x; 0:X3=y; }
 P0 | P1 ;
 CMP WZR,#0 | MOV W2,#7 ;
 L: LDR W0,[X1] | STR W2,[X1] ;
 B.NE done | ;
 CMP W0,#7 | ;
 B L | ;
 done: MOV W9,#1 | ;
exists (0:X9=1 /\ 0:X0=0)
Allowed [rule] here
)") == "allowed");
  // A loop that goes on is no proof that nothing is there.
  CHECK(Judged(R"(AArch64 cut-loop
{ 0:X1=x; 1:X1=x; }
 P0 | P1 ;
 MOV W9,#0 | MOV W2,#7 ;
 L: LDR W0,[X1] | STR W2,[X1] ;
 ADD W9,W9,#1 | ;
 CMP W9,#5 | ;
 B.NE L | ;
exists (0:X9=5)
Allowed [rule] here
)") == "cut-loop: 4 executions go on beyond the rounds that are examined");
  // A barrier of the processor's own domain orders nothing for others.
  CHECK(Judged(R"(AArch64 SB+dmb.nsh
{ 0:X1=x; 0:X2=y; 1:X1=x; 1:X2=y; }
 P0 | P1 ;
 MOV W3,#1 | MOV W3,#1 ;
 STR W3,[X1] | STR W3,[X2] ;
 DMB NSH | DMB NSH ;
 LDR W0,[X2] | LDR W0,[X1] ;
exists (0:X0=0 /\ 1:X0=0)
Allowed [rule] here
)") == "SB+dmb.nsh: at 0x200008: no such barrier: \"DMB NSH\"");
  CHECK(Judged(R"(AArch64 MP+misaligned
{ 0:X1=x; 1:X1=x; }
 P0 | P1 ;
 MOV W3,#1 | ;
 STR W3,[X1,#2] | LDR W0,[X1,#2] ;
exists (1:X0=3)
Allowed [rule] here
)") == "MP+misaligned: at 0x200000: 4 bytes at 0x10002 are not aligned: no single access");
  // An operand counts as far as the access is wide.
  CHECK(Judged(R"(AArch64 umaxb
{ x=5; 0:X1=x; 1:X1=x; }
 P0 | P1 ;
 MOV W3,#256 | LDRB W5,[X1] ;
 LDUMAXB W3,W0,[X1] | ;
exists (1:X5=0)
Allowed [rule] here
)") == "forbidden");
  CHECK(Judged(R"(AArch64 ret-reg
{ 0:X1=x; 1:X1=x; }
 P0 | P1 ;
 MOV X5,X30 | LDR W0,[X1] ;
 MOV W2,#1 | ;
 BL f | ;
 RET X5 | ;
 f: STR W2,[X1] | ;
 RET X5 | ;
exists (1:X0=1)
Allowed [rule] here
)") == "allowed");
  // The order of a csel's pick does not go through memory.
  CHECK(Judged(R"(AArch64 LB+csel-stack+data
{ 0:X1=x; 0:X2=y; 0:X3=z; 1:X1=x; 1:X2=y; }
 P0 | P1 ;
 LDR W0,[X1] | LDR W0,[X2] ;
 MOV W6,#1 | STR W0,[X1] ;
 CMP W0,#1 | ;
 CSEL W7,W6,W6,EQ | ;
 STR W7,[X3] | ;
 LDR W8,[X3] | ;
 STR W8,[X2] | ;
exists (0:X0=1 /\ 1:X0=1)
Allowed [rule] here
)") == "allowed");
  // A thread that never ends is no thread that keeps its promise.
  CHECK(Judged(R"(AArch64 forever
{ 0:X1=x; 1:X1=x; }
 P0 | P1 ;
 L: LDR W0,[X1] | MOV W2,#1 ;
 CBZ W0,L | LDR W3,[X1] ;
 | STR WZR,[X1] ;
exists (0:X0=1)
Allowed [rule] here
)") == "forever: no execution ends");
  // A round behind which a dependency is gone is no round in vain.
  CHECK(Judged(R"(AArch64 vanished-source
{ 0:X1=x; 0:X2=y; 0:X3=z; 1:X1=x; 1:X2=y; 2:X3=z; }
 P0 | P1 | P2 ;
 LDR W5,[X1] | LDR W0,[X2] | MOV W4,#1 ;
 MOV W7,W5 | STR W0,[X1] | STR W4,[X3] ;
 MOV W6,#0 | | ;
 L: LDR W6,[X3] | | ;
 CBNZ W6,done | | ;
 MOV W5,#1 | | ;
 B L | | ;
 done: STR W5,[X2] | | ;
exists (0:X7=1 /\ 0:X5=1 /\ 1:X0=1 /\ x=1 /\ y=1)
Allowed [rule] here
)") == "allowed");
  // An attempt that remembers a failure is not the same again.
  CHECK(Judged(R"(AArch64 remembers
{ 0:X1=x; 1:X1=x; }
 P0 | P1 ;
 CMP WZR,#0 | MOV W2,#7 ;
 MOV W5,#2 | LDR W0,[X1] ;
 MOV W7,#1 | ;
 L: LDXR W4,[X1] | ;
 STXR W9,W7,[X1] | ;
 CBZ W9,e | ;
 MOV W8,#1 | ;
 CMP W8,#1 | ;
 B.EQ L | ;
 e: NOP | ;
exists (0:X8=1)
Allowed [rule] here
)") == "allowed");
}

TEST_CASE("single floats have their values, and carry their dependencies") {
  // A NaN has no order with a number: V is set, and it is neither less nor equal.
  CHECK(Judged(R"(AArch64 values
{ 0:X1=x; 1:X1=x; }
 P0 | P1 ;
 FMOV S0,#1.5 | LDR W0,[X1] ;
 FMOV S1,#2.0e+00 | ;
 FMUL S2,S0,S1 | ;
 FMOV W0,S2 | ;
 FCMPE S0,S1 | ;
 CSET W3,MI | ;
 FCSEL S4,S0,S1,GT | ;
 STR S4,[X1] | ;
 MOV W5,#2143289344 | ;
 FMOV S5,W5 | ;
 FCMP S5,S0 | ;
 CSET W6,VS | ;
 CSET W7,LS | ;
 CSET W8,MI | ;
 FCMP S0,#0.0 | ;
 CSET W9,GT | ;
 FSUB S10,S1,S0 | ;
 FADD S10,S10,S10 | ;
 FMOV S11,#1.0 | ;
 FCMP S10,S11 | ;
 CSET W1,EQ | ;
exists (0:X0=1077936128 /\ 0:X3=1 /\ x=1073741824 /\ 0:X6=1 /\ 0:X7=0 /\ 0:X8=0 /\ 0:X9=1 /\ 0:X1=1)
Allowed [rule] here
)") == "allowed");
  const auto buffering = [](const std::string& value) {
    return Judged("AArch64 LB+float\n{ 0:X1=x; 0:X2=y; 1:X1=x; 1:X2=y; }\n P0 | P1 ;\n" +
                  std::string(" LDR S0,[X1] | LDR W0,[X2] ;\n FMOV W0,S0 | DMB SY ;\n ") + value +
                  " | FMOV S3,#1.0 ;\n FMOV S2,#1.0 | STR S3,[X1] ;\n FADD S1,S1,S2 | ;\n" +
                  " STR S1,[X2] | ;\nexists (0:X0=1065353216 /\\ 1:X0=1065353216)\n" +
                  "Allowed [rule] here\n");
  };
  CHECK(buffering("FSUB S1,S0,S0") == "forbidden");
  CHECK(buffering("FMOV S1,WZR") == "allowed");
  CHECK(Said("FSUB D0,D1,D2") ==
        "T: at 0x200000: only single floats are known here: \"FSUB D0,D1,D2\"");
  CHECK(Said("ADD S0,S1,S2") ==
        "T: at 0x200000: operands that are not understood: \"ADD S0,S1,S2\"");
  CHECK(Said("LDR Q0,[X1]") == "T: at 0x200000: operands that are not understood: \"LDR Q0,[X1]\"");
  CHECK(Said("LDR W0,[D1]") == "line 5: no operand: \"[D1]\", in T");
}

TEST_CASE("the bits of a NaN are not known") {
  CHECK(Judged(R"(AArch64 nan
{ 0:X1=x; 1:X1=x; }
 P0 | P1 ;
 MOV W5,#2143289344 | STR WZR,[X1] ;
 FMOV S5,W5 | ;
 FADD S5,S5,S5 | ;
exists (0:X5=0)
Allowed [rule] here
)") == "nan: at 0x100008: the result is no number: \"FADD S5,S5,S5\"");
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
  CHECK(said("AArch64 T\n{ 0:X30=x; }\n") ==
        "line 2: X30 is the way back, and begins with no other value");
  CHECK(said("AArch64 T\n{ }\n NOP ;\n") == "line 3: no threads: a line \"P0 | P1 ;\"");
  CHECK(said("AArch64 T\n{ 3:X1=x; }\n P0 ;\n") ==
        "line 3: a register of a thread that is not there");
  CHECK(said("AArch64 T\n{ }\n P0 ;\n NOP ;\n") == "line 5: no line \"exists (...)\"");
  CHECK(said("AArch64 T\n{ }\n P0 ;\n NOP ;\nexists (0:X0=0)\n") ==
        "line 6: no verdict behind the condition");
}

}  // namespace
}  // namespace nowait::arm
