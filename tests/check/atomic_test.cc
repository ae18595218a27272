// check::atomic has the interface of std::atomic: the same code over both leaves the same values.
#include <nowait_check/as_std.h>

#include <atomic>
#include <catch2/catch.hpp>
#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>
#include <vector>

namespace {

using Values = std::vector<std::string>;

template <class T>
void Note(Values& values, T value) {
  values.push_back(std::to_string(value));
}

template <class A, class T>
void Exchanges(Values& values, T first, T second) {
  A a(first);
  T expected = second;
  Note(values, a.compare_exchange_strong(expected, second));
  Note(values, expected);
  Note(values, a.compare_exchange_strong(expected, second, std::memory_order_acq_rel));
  Note(values, a.load(std::memory_order_acquire));
  Note(values, a.compare_exchange_weak(expected, first, std::memory_order_release));
  expected = second;
  while (!a.compare_exchange_weak(expected, first, std::memory_order_acq_rel,
                                  std::memory_order_acquire)) {
  }
  Note(values, a.exchange(second));
  Note(values, a.exchange(first, std::memory_order_relaxed));
  a.store(second, std::memory_order_release);
  a.store(first);
  const A& constant = a;
  Note(values, static_cast<T>(constant));
  Note(values, a = second);
  a.wait(first);
  a.notify_one();
  a.notify_all();
  Note(values, a.is_lock_free() && A::is_always_lock_free);
}

template <class A, class T>
void Sums(Values& values, T first, T operand) {
  A a(first);
  Note(values, a.fetch_add(operand));
  Note(values, a.fetch_sub(operand, std::memory_order_relaxed));
  Note(values, a += operand);
  Note(values, a -= operand);
  Note(values, a++);
  Note(values, ++a);
  Note(values, a--);
  Note(values, --a);
}

template <class A, class T>
void Bits(Values& values, T first, T operand) {
  A a(first);
  Note(values, a.fetch_or(operand));
  Note(values, a.fetch_xor(1, std::memory_order_acq_rel));
  Note(values, a.fetch_and(operand));
  Note(values, a |= 8);
  Note(values, a ^= operand);
  Note(values, a &= 9);
}

// Over every kind of type, and past the ends of their ranges.
template <template <class> class Atom, class Flag>
Values Everything() {
  Values values;
  const auto of = [&]<class T>(T first, T operand) {
    Exchanges<Atom<T>, T>(values, first, operand);
    if constexpr (!std::is_same_v<T, bool>) {
      Bits<Atom<T>, T>(values, first, operand);
      Sums<Atom<T>, T>(values, first, operand);
    }
  };
  of(3, -5);
  of(std::numeric_limits<int>::max(), 7);
  of(std::uint8_t{250}, std::uint8_t{9});
  of(std::int8_t{-128}, std::int8_t{3});
  of(std::int16_t{-1}, std::int16_t{300});
  of(std::numeric_limits<std::uint64_t>::max(), std::uint64_t{12});
  of(std::numeric_limits<std::int64_t>::min(), std::int64_t{-1});
  of(true, false);

  Atom<double> real(1.5);
  Note(values, real.fetch_add(0.25));
  Note(values, real -= 4);
  Exchanges<Atom<float>, float>(values, 0.5f, -2.0f);

  int array[8] = {};
  Atom<int*> pointer(array);
  Note(values, pointer.fetch_add(3) - array);
  Note(values, (pointer += 2) - array);
  Note(values, pointer-- - array);
  Note(values, (--pointer) - array);
  Note(values, pointer.load() - array);

  enum class Phase : std::uint8_t { kFirst, kSecond };
  Atom<Phase> phase = Phase::kFirst;
  phase = Phase::kSecond;
  Note(values, phase == Phase::kSecond);
  struct Tagged {
    std::uint32_t index;
    std::uint32_t tag;
    bool operator==(const Tagged&) const = default;
  };
  Atom<Tagged> tagged(Tagged{1, 2});
  Tagged expected{1, 2};
  Note(values, tagged.compare_exchange_strong(expected, Tagged{3, 3}));
  Note(values, tagged.load() == Tagged{3, 3});

  Flag flag = ATOMIC_FLAG_INIT;
  Note(values, flag.test());
  Note(values, flag.test_and_set(std::memory_order_acquire));
  Note(values, flag.test_and_set());
  flag.clear(std::memory_order_release);
  Note(values, flag.test(std::memory_order_relaxed));
  return values;
}

static_assert(std::is_same_v<check::atomic<int*>::difference_type, std::ptrdiff_t>);
static_assert(std::is_same_v<check::atomic<short>::value_type, short>);
static_assert(!std::is_copy_constructible_v<check::atomic<int>>);
static_assert(!std::is_copy_assignable_v<check::atomic<int>>);

// The mapped std: the checker's atomics, and for everything else the real one.
namespace std_here = nowait::check::as_std;
static_assert(std::is_same_v<std_here::atomic<int>, check::atomic<int>>);
static_assert(std::is_same_v<std_here::vector<int>, std::vector<int>>);
static_assert(std::is_same_v<std_here::lock_guard<std_here::mutex>, std::lock_guard<check::mutex>>);

// Each name that <atomic> has for an atomic: one that is missing would be the real one.
template <class T>
constexpr bool kIsMapped = std::is_same_v<T, check::atomic<typename T::value_type>>;
static_assert(kIsMapped<std_here::atomic_bool>);
static_assert(kIsMapped<std_here::atomic_char>);
static_assert(kIsMapped<std_here::atomic_schar>);
static_assert(kIsMapped<std_here::atomic_uchar>);
static_assert(kIsMapped<std_here::atomic_short>);
static_assert(kIsMapped<std_here::atomic_ushort>);
static_assert(kIsMapped<std_here::atomic_int>);
static_assert(kIsMapped<std_here::atomic_uint>);
static_assert(kIsMapped<std_here::atomic_long>);
static_assert(kIsMapped<std_here::atomic_ulong>);
static_assert(kIsMapped<std_here::atomic_llong>);
static_assert(kIsMapped<std_here::atomic_ullong>);
static_assert(kIsMapped<std_here::atomic_char8_t>);
static_assert(kIsMapped<std_here::atomic_char16_t>);
static_assert(kIsMapped<std_here::atomic_char32_t>);
static_assert(kIsMapped<std_here::atomic_wchar_t>);
static_assert(kIsMapped<std_here::atomic_int8_t>);
static_assert(kIsMapped<std_here::atomic_uint8_t>);
static_assert(kIsMapped<std_here::atomic_int16_t>);
static_assert(kIsMapped<std_here::atomic_uint16_t>);
static_assert(kIsMapped<std_here::atomic_int32_t>);
static_assert(kIsMapped<std_here::atomic_uint32_t>);
static_assert(kIsMapped<std_here::atomic_int64_t>);
static_assert(kIsMapped<std_here::atomic_uint64_t>);
static_assert(kIsMapped<std_here::atomic_int_least8_t>);
static_assert(kIsMapped<std_here::atomic_uint_least8_t>);
static_assert(kIsMapped<std_here::atomic_int_least16_t>);
static_assert(kIsMapped<std_here::atomic_uint_least16_t>);
static_assert(kIsMapped<std_here::atomic_int_least32_t>);
static_assert(kIsMapped<std_here::atomic_uint_least32_t>);
static_assert(kIsMapped<std_here::atomic_int_least64_t>);
static_assert(kIsMapped<std_here::atomic_uint_least64_t>);
static_assert(kIsMapped<std_here::atomic_int_fast8_t>);
static_assert(kIsMapped<std_here::atomic_uint_fast8_t>);
static_assert(kIsMapped<std_here::atomic_int_fast16_t>);
static_assert(kIsMapped<std_here::atomic_uint_fast16_t>);
static_assert(kIsMapped<std_here::atomic_int_fast32_t>);
static_assert(kIsMapped<std_here::atomic_uint_fast32_t>);
static_assert(kIsMapped<std_here::atomic_int_fast64_t>);
static_assert(kIsMapped<std_here::atomic_uint_fast64_t>);
static_assert(kIsMapped<std_here::atomic_intptr_t>);
static_assert(kIsMapped<std_here::atomic_uintptr_t>);
static_assert(kIsMapped<std_here::atomic_size_t>);
static_assert(kIsMapped<std_here::atomic_ptrdiff_t>);
static_assert(kIsMapped<std_here::atomic_intmax_t>);
static_assert(kIsMapped<std_here::atomic_uintmax_t>);

}  // namespace

TEST_CASE("each operation leaves the values that std::atomic leaves") {
  // The comparison is made in the body: memory of an execution ends with it.
  const Values standard = Everything<std::atomic, std::atomic_flag>();
  CHECK(standard.size() > 150);
  const check::Result result = check::explore([&] {
    check::require(Everything<check::atomic, check::atomic_flag>() == standard, "the same values");
  });
  CAPTURE(result);
  CHECK(result.passed());
}
