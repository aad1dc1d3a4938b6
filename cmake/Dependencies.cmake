# The libraries Sinter uses, each behind one INTERFACE target sinter_dep_<name>, so that rooms do not
# care how a distribution names it or whether it is linked statically. Nothing of CUDA is here: the
# driver, NVRTC and NVML are opened at run time.

include(GNUInstallDirs)
set(SINTER_DEPS "")

# Declares sinter_dep_<name> as an exported INTERFACE target that links the rest of the arguments.
function(sinter_add_dependency name)
  add_library(sinter_dep_${name} INTERFACE)
  target_link_libraries(sinter_dep_${name} INTERFACE ${ARGN})
  set(SINTER_DEPS ${SINTER_DEPS} sinter_dep_${name} PARENT_SCOPE)
endfunction()

# Stops the configuration, naming the Debian and Ubuntu package that is missing.
function(sinter_require found what package)
  if(NOT ${found})
    message(FATAL_ERROR "${what} was not found. Install it (package ${package} on Debian and Ubuntu) "
                        "or run scripts/setup, which installs all that Sinter needs.")
  endif()
endfunction()

# Finds lib<name>.a in static builds.
function(sinter_find_archive variable name)
  find_library(${variable} lib${name}.a)
  mark_as_advanced(${variable})
  sinter_require(${variable} "The static library lib${name}.a" "that brings lib${name}")
endfunction()

find_package(Threads REQUIRED)

find_package(fmt CONFIG QUIET)
sinter_require(fmt_FOUND "fmt" libfmt-dev)
if(SINTER_STATIC_DEPS)  # distributions ship no libfmt.a
  sinter_add_dependency(fmt fmt::fmt-header-only)
else()
  sinter_add_dependency(fmt fmt::fmt)
endif()

# spdlog's library spares us compiling it; distributions ship it shared only, so static builds use the
# headers. SPDLOG_FMT_EXTERNAL makes these use our fmt.
find_package(spdlog CONFIG QUIET)
sinter_require(spdlog_FOUND "spdlog" libspdlog-dev)
if(SINTER_STATIC_DEPS)
  sinter_add_dependency(spdlog sinter_dep_fmt Threads::Threads)
  target_compile_definitions(sinter_dep_spdlog INTERFACE SPDLOG_FMT_EXTERNAL)
else()
  sinter_add_dependency(spdlog spdlog::spdlog)
endif()

find_path(SINTER_XXHASH_INCLUDE xxhash.h)
find_library(SINTER_XXHASH_LIBRARY xxhash)
mark_as_advanced(SINTER_XXHASH_INCLUDE SINTER_XXHASH_LIBRARY)
sinter_require(SINTER_XXHASH_INCLUDE "xxHash" libxxhash-dev)
sinter_require(SINTER_XXHASH_LIBRARY "xxHash" libxxhash-dev)
if(SINTER_STATIC_DEPS)
  sinter_find_archive(SINTER_XXHASH_ARCHIVE xxhash)
  sinter_add_dependency(xxhash ${SINTER_XXHASH_ARCHIVE})
else()
  sinter_add_dependency(xxhash xxhash)
endif()

find_package(yaml-cpp CONFIG QUIET)
sinter_require(yaml-cpp_FOUND "yaml-cpp" libyaml-cpp-dev)
if(SINTER_STATIC_DEPS)
  sinter_find_archive(SINTER_YAML_ARCHIVE yaml-cpp)
  sinter_add_dependency(yaml ${SINTER_YAML_ARCHIVE})
elseif(TARGET yaml-cpp::yaml-cpp)
  sinter_add_dependency(yaml yaml-cpp::yaml-cpp)
else()
  sinter_add_dependency(yaml yaml-cpp)
endif()

find_package(SQLite3 QUIET)
sinter_require(SQLite3_FOUND "SQLite" libsqlite3-dev)
if(SINTER_STATIC_DEPS)
  sinter_find_archive(SINTER_SQLITE_ARCHIVE sqlite3)
  sinter_add_dependency(sqlite ${SINTER_SQLITE_ARCHIVE} m Threads::Threads)
else()
  sinter_add_dependency(sqlite SQLite::SQLite3)
endif()

find_package(nlohmann_json CONFIG QUIET)
sinter_require(nlohmann_json_FOUND "nlohmann/json" nlohmann-json3-dev)
sinter_add_dependency(json nlohmann_json::nlohmann_json)

find_package(CLI11 CONFIG QUIET)
sinter_require(CLI11_FOUND "CLI11" libcli11-dev)
sinter_add_dependency(cli CLI11::CLI11)

if(SINTER_BUILD_TESTS)
  find_path(SINTER_DOCTEST_INCLUDE doctest/doctest.h)
  mark_as_advanced(SINTER_DOCTEST_INCLUDE)
  sinter_require(SINTER_DOCTEST_INCLUDE "doctest" doctest-dev)
  # MPFR and GMP give the exact values of elementary functions; no export needs them.
  add_library(sinter_dep_mpfr INTERFACE)
  if(SINTER_STATIC_DEPS)
    sinter_find_archive(SINTER_MPFR_ARCHIVE mpfr)
    sinter_find_archive(SINTER_GMP_ARCHIVE gmp)
    target_link_libraries(sinter_dep_mpfr INTERFACE ${SINTER_MPFR_ARCHIVE} ${SINTER_GMP_ARCHIVE})
  else()
    find_library(SINTER_MPFR mpfr)
    find_library(SINTER_GMP gmp)
    mark_as_advanced(SINTER_MPFR SINTER_GMP)
    sinter_require(SINTER_MPFR "MPFR" libmpfr-dev)
    sinter_require(SINTER_GMP "GMP" libgmp-dev)
    target_link_libraries(sinter_dep_mpfr INTERFACE ${SINTER_MPFR} ${SINTER_GMP})
  endif()
endif()

if(SINTER_WITH_CPU)
  include(DependenciesCpu)
endif()

file(GLOB SINTER_NVRTC_FILES /usr/local/cuda*/lib64/libnvrtc.so* /usr/local/cuda*/targets/*/lib/libnvrtc.so*
     /usr/lib/*/libnvrtc.so* /opt/cuda/lib64/libnvrtc.so*)
if(SINTER_NVRTC_FILES)
  list(GET SINTER_NVRTC_FILES 0 first)
  message(STATUS "CUDA: ${first} (opened at run time, not linked)")
else()
  message(STATUS "CUDA: none found; this build still runs on the CPU and on machines with a driver and NVRTC")
endif()
