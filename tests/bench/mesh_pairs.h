// The part of the benchmark of the narrow phase that has to do with triangle meshes: bodies on a
// mesh, rays into a mesh of a million triangles, and what building it takes.
#ifndef NOWAIT_TESTS_BENCH_MESH_PAIRS_H_
#define NOWAIT_TESTS_BENCH_MESH_PAIRS_H_

namespace nowait {

void RegisterMeshes();

}  // namespace nowait

#endif  // NOWAIT_TESTS_BENCH_MESH_PAIRS_H_
