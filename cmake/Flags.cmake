# Language, warnings, optimisation, sanitizers, ccache and output folders for all of Sinter's own code.

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

# Static rooms also end up in shared libraries. The flag is given to executables as well (instead of
# CMAKE_POSITION_INDEPENDENT_CODE, which gives them -fPIE), so that all targets share one
# precompiled header.
add_compile_options(-fPIC)

add_compile_options(-Wall -Wextra -Wpedantic -Wconversion -Wno-sign-conversion)
# Plain structs with defaults are filled by name; what is not named has its default.
add_compile_options(-Wno-missing-field-initializers)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # Without "=local" gcc 12 complains of an enumerator named like a type.
  add_compile_options(-Wshadow=local)
  # False positives of gcc 12 and 13 in inlined std::string and std::vector code (gcc PR 105329,
  # 105651 and their kin).
  add_compile_options(-Wno-restrict)
  if(NOT CMAKE_BUILD_TYPE STREQUAL "Debug")
    add_compile_options(-Wno-stringop-overflow -Wno-array-bounds -Wno-maybe-uninitialized)
  endif()
else()
  add_compile_options(-Wshadow)
endif()
if(SINTER_WERROR)
  add_compile_options(-Werror)
endif()

if(PROJECT_IS_TOP_LEVEL)
  if(NOT CMAKE_BUILD_TYPE)
    set(CMAKE_BUILD_TYPE Release CACHE STRING "Debug or Release" FORCE)
  endif()
  set(CMAKE_CXX_FLAGS_DEBUG "-O1 -g1")
  set(CMAKE_CXX_FLAGS_RELEASE "-O2 -DNDEBUG")
  # Programs, tests and the CPU module lie in one folder: a program finds its module beside itself,
  # in the build tree as on another machine.
  set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin)
endif()
set(SINTER_BIN_DIR ${CMAKE_BINARY_DIR}/bin)

if(SINTER_VERIFY_PASSES)
  add_compile_definitions(SINTER_VERIFY_PASSES=1)
endif()

if(SINTER_SANITIZE)
  add_compile_options(-fsanitize=${SINTER_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${SINTER_SANITIZE})
endif()

if(SINTER_STATIC_DEPS)
  add_link_options(-static-libstdc++ -static-libgcc)
  add_compile_options(-ffunction-sections -fdata-sections)
  add_link_options(-Wl,--gc-sections)
endif()

find_program(SINTER_CCACHE_PROGRAM ccache)
mark_as_advanced(SINTER_CCACHE_PROGRAM)
if(SINTER_CCACHE AND SINTER_CCACHE_PROGRAM AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  # ccache looks into a precompiled header only with -fpch-preprocess and this sloppiness.
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env
      CCACHE_SLOPPINESS=pch_defines,time_macros
      ${SINTER_CCACHE_PROGRAM})
  if(SINTER_PCH AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    add_compile_options(-fpch-preprocess)
  endif()
endif()
