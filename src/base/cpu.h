// CpuIsSufficient: whether this machine has the instructions that the program was compiled for.
//
// The opt configuration compiles for x86-64-v3 (AVX2, FMA, BMI). On an older CPU such a program
// ends with an illegal instruction, which does not explain itself. Each program therefore checks
// this first in main, and prints the reason.
//
// Thread safety: any thread, any time.
#ifndef NOWAIT_SRC_BASE_CPU_H_
#define NOWAIT_SRC_BASE_CPU_H_

namespace nowait {

inline constexpr const char* kCpuMessage =
    "this CPU is not x86-64-v3 (AVX2, FMA, BMI: Haswell, Zen or newer)";

// True where the build needs only the instructions of every x86-64.
inline bool CpuIsSufficient() {
#if defined(__AVX2__) || defined(__FMA__) || defined(__BMI2__)
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
         __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2");
#else
  return true;
#endif
}

// Whether a unit that is compiled for x86-64-v4 may run: the processor and the operating system
// have AVX-512 with its parts F, BW, CD, DQ and VL.
inline bool CpuHasAvx512() {
  return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
         __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") &&
         __builtin_cpu_supports("avx512vl");
}

}  // namespace nowait

#endif  // NOWAIT_SRC_BASE_CPU_H_
