// WideVec: N vectors, a lane for each; the operations of Vec3 and Mat3 in the same order.
//
// Thread safety: values.
#ifndef NOWAIT_SRC_DYNAMICS_WIDE_VEC_H_
#define NOWAIT_SRC_DYNAMICS_WIDE_VEC_H_

#include "src/math/simd.h"

namespace nowait {
inline namespace HWY_NAMESPACE {

template <int N>
struct WideVec {
  Floats<N> x, y, z;

  friend WideVec operator+(const WideVec& a, const WideVec& b) {
    return {a.x + b.x, a.y + b.y, a.z + b.z};
  }
  friend WideVec operator-(const WideVec& a, const WideVec& b) {
    return {a.x - b.x, a.y - b.y, a.z - b.z};
  }
  friend WideVec operator*(const WideVec& a, Floats<N> s) { return {a.x * s, a.y * s, a.z * s}; }
  friend Floats<N> Dot(const WideVec& a, const WideVec& b) {
    return (a.x * b.x + a.y * b.y) + a.z * b.z;
  }
  friend WideVec Cross(const WideVec& a, const WideVec& b) {
    return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
  }
  friend WideVec Select(typename Floats<N>::Mask mask, const WideVec& yes, const WideVec& no) {
    return {Select(mask, yes.x, no.x), Select(mask, yes.y, no.y), Select(mask, yes.z, no.z)};
  }
};

template <int N>
struct WideMat {
  WideVec<N> x, y, z;  // the columns

  friend WideVec<N> operator*(const WideMat& m, const WideVec<N>& v) {
    return (m.x * v.x + m.y * v.y) + m.z * v.z;
  }
};

}  // namespace HWY_NAMESPACE
}  // namespace nowait

#endif  // NOWAIT_SRC_DYNAMICS_WIDE_VEC_H_
