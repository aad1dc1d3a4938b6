# How a room (a top folder of the tree) becomes a target, and how programs are made from rooms.
# The link lines of the rooms are the dependency rule of docs/design.md:
#   support <- ir <- dsl, support <- ir <- reference, support <- ir <- codegen <- runtime <- tools

set(SINTER_ROOMS "")

# Precompiled headers, each built once: `base` (standard library and fmt) for support, ir and the CPU
# module; `ir` (and the forms) for all above; `test` (and doctest) for the tests.
set(SINTER_PCH_BASE
  <algorithm> <array> <cstddef> <cstdint> <cstring> <functional> <map> <memory> <optional> <set>
  <span> <string> <string_view> <tuple> <unordered_map> <utility> <variant> <vector>
  <fmt/format.h>)
set(SINTER_PCH_IR ${SINTER_PCH_BASE}
  ${PROJECT_SOURCE_DIR}/support/check.h ${PROJECT_SOURCE_DIR}/ir/graph.h
  ${PROJECT_SOURCE_DIR}/ir/kernel.h ${PROJECT_SOURCE_DIR}/ir/facts.h ${PROJECT_SOURCE_DIR}/ir/text.h)
set(SINTER_PCH_TEST ${SINTER_PCH_IR} <doctest/doctest.h>)

# Makes the object library sinter_pch_<kind> that carries one precompiled header.
function(sinter_add_pch kind)
  string(TOUPPER ${kind} upper)
  set(source ${CMAKE_BINARY_DIR}/generated/pch_${kind}.cpp)
  file(WRITE ${source}.new "// Carries the precompiled header.\n")
  file(COPY_FILE ${source}.new ${source} ONLY_IF_DIFFERENT)
  add_library(sinter_pch_${kind} OBJECT ${source})
  target_include_directories(sinter_pch_${kind} PRIVATE
    ${PROJECT_SOURCE_DIR} ${PROJECT_SOURCE_DIR}/include ${SINTER_DOCTEST_INCLUDE})
  target_link_libraries(sinter_pch_${kind} PRIVATE sinter_dep_fmt)
  target_precompile_headers(sinter_pch_${kind} PRIVATE ${SINTER_PCH_${upper}})
  # gcc knows a header in it again by its time, which a cached copy may not have.
  set_target_properties(sinter_pch_${kind} PROPERTIES CXX_COMPILER_LAUNCHER "")
endfunction()

if(SINTER_PCH)
  sinter_add_pch(base)
  sinter_add_pch(ir)
  if(SINTER_BUILD_TESTS)
    sinter_add_pch(test)
    # As the tests themselves: they are compiled more often than they run long.
    target_compile_options(sinter_pch_test PRIVATE -O0)
  endif()
endif()
# What programs are given; tests/ sets it to `test`.
set(SINTER_PROGRAM_PCH ir)

# Gives a target of our own code the precompiled header `kind`.
function(sinter_use_pch target kind)
  if(SINTER_PCH)
    target_precompile_headers(${target} REUSE_FROM sinter_pch_${kind})
  endif()
endfunction()

# The .cpp files of a room and of its sub folders; files under a folder in EXCLUDE are left out.
function(sinter_room_sources variable)
  cmake_parse_arguments(arg "" "" "EXCLUDE" ${ARGN})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.cpp)
  foreach(excluded ${arg_EXCLUDE})
    string(REGEX REPLACE "([.+])" "\\\\\\1" pattern "${CMAKE_CURRENT_SOURCE_DIR}/${excluded}")
    list(FILTER sources EXCLUDE REGEX "^${pattern}")
  endforeach()
  set(${variable} ${sources} PARENT_SCOPE)
endfunction()

# sinter_add_room(name [PUBLIC libraries...] [PRIVATE libraries...] [EXCLUDE folders or files...])
# makes the static library sinter_<name>, exported as sinter::<name>. A room without sources yet is
# an INTERFACE target, so that all others can name it.
function(sinter_add_room name)
  cmake_parse_arguments(arg "" "" "PUBLIC;PRIVATE;EXCLUDE" ${ARGN})
  set(target sinter_${name})
  sinter_room_sources(sources EXCLUDE ${arg_EXCLUDE})
  if(sources)
    add_library(${target} STATIC ${sources})
    target_link_libraries(${target} PUBLIC ${arg_PUBLIC} PRIVATE ${arg_PRIVATE})
    set(scope PUBLIC)
    if(name MATCHES "^(support|ir)$")
      sinter_use_pch(${target} base)
    else()
      sinter_use_pch(${target} ir)
    endif()
  else()
    message(STATUS "Room ${name}: no sources yet")
    add_library(${target} INTERFACE)
    target_link_libraries(${target} INTERFACE ${arg_PUBLIC} ${arg_PRIVATE})
    set(scope INTERFACE)
  endif()
  target_include_directories(${target} ${scope}
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}>
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
    $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  target_compile_features(${target} ${scope} cxx_std_20)
  set_target_properties(${target} PROPERTIES EXPORT_NAME ${name})
  add_library(sinter::${name} ALIAS ${target})
  set(SINTER_ROOMS ${SINTER_ROOMS} ${target} PARENT_SCOPE)
endfunction()

# sinter_add_program(target sources...) makes an executable in bin/, beside the CPU module.
function(sinter_add_program target)
  add_executable(${target} ${ARGN})
  sinter_use_pch(${target} ${SINTER_PROGRAM_PCH})
endfunction()

include(SinterExportRooms)
