# find_package(nowait_check): the target nowait_check::nowait_check, and with a watch on plain memory
# nowait_check::nowait_check_watched.
include(CMakeFindDependencyMacro)
find_dependency(fmt)
find_dependency(nlohmann_json)
find_dependency(Boost COMPONENTS context)
include(${CMAKE_CURRENT_LIST_DIR}/nowait_check-targets.cmake)
