# LLVM (16 or later, the newest that is installed) and OpenBLAS as sinter_llvm and sinter_openblas,
# linked only by the module sinter_cpu_jit. llvm-config is asked, not LLVM's CMake package: that one
# also wants development packages which Sinter does not need (zstd, libedit, curl).

set(SINTER_LLVM_CONFIG "" CACHE FILEPATH "llvm-config to use; empty: the newest of version 16 or later")

# Sets `variable` to what llvm-config answers to the arguments.
function(sinter_ask_llvm variable)
  execute_process(COMMAND ${SINTER_LLVM_CONFIG} ${ARGN} OUTPUT_VARIABLE answer
                  OUTPUT_STRIP_TRAILING_WHITESPACE RESULT_VARIABLE code ERROR_VARIABLE problem)
  if(code)
    message(FATAL_ERROR "${SINTER_LLVM_CONFIG} ${ARGN} failed: ${problem}")
  endif()
  set(${variable} "${answer}" PARENT_SCOPE)
endfunction()

foreach(version 22 21 20 19 18 17 16)
  if(NOT SINTER_LLVM_CONFIG)
    find_program(sinter_llvm_config_${version} NAMES llvm-config-${version} llvm-config
                 PATHS /usr/lib/llvm-${version}/bin /usr/lib/llvm${version}/bin NO_DEFAULT_PATH)
    find_program(sinter_llvm_config_${version} NAMES llvm-config-${version})
    mark_as_advanced(sinter_llvm_config_${version})
    if(sinter_llvm_config_${version})
      set(SINTER_LLVM_CONFIG ${sinter_llvm_config_${version}})
    endif()
  endif()
endforeach()
if(NOT SINTER_LLVM_CONFIG)
  find_program(sinter_llvm_config_any NAMES llvm-config)
  mark_as_advanced(sinter_llvm_config_any)
  if(sinter_llvm_config_any)
    set(SINTER_LLVM_CONFIG ${sinter_llvm_config_any})
  endif()
endif()
set(SINTER_LLVM_VERSION 0)
if(SINTER_LLVM_CONFIG)
  sinter_ask_llvm(SINTER_LLVM_VERSION --version)
endif()
if(SINTER_LLVM_VERSION VERSION_LESS 16)
  message(FATAL_ERROR
    "LLVM 16 or later was not found. Install one of the packages llvm-19-dev, llvm-18-dev, llvm-17-dev, "
    "llvm-16-dev (scripts/setup picks the newest that this system offers), or leave out the CPU backend "
    "with -DSINTER_WITH_CPU=OFF.")
endif()
message(STATUS "LLVM: ${SINTER_LLVM_VERSION} (${SINTER_LLVM_CONFIG})")

add_library(sinter_llvm INTERFACE)
sinter_ask_llvm(include_dir --includedir)
sinter_ask_llvm(library_dir --libdir)
target_include_directories(sinter_llvm SYSTEM INTERFACE ${include_dir})
if(SINTER_STATIC_DEPS)
  # core and the parser read IR text, passes optimise it, orcjit and native run it.
  sinter_ask_llvm(libraries --link-static --libs core irreader asmparser passes orcjit native)
  sinter_ask_llvm(system_libraries --link-static --system-libs core orcjit native)
  separate_arguments(libraries UNIX_COMMAND "${libraries}")
  separate_arguments(system_libraries UNIX_COMMAND "${system_libraries}")
  target_link_options(sinter_llvm INTERFACE -Wl,--as-needed)
  target_link_libraries(sinter_llvm INTERFACE -L${library_dir} ${libraries})
  foreach(library ${system_libraries})  # an archive where there is one; -lxml2 and -ledit go unused
    string(REGEX REPLACE "^-l" "" name "${library}")
    find_library(sinter_llvm_archive_${name} NAMES lib${name}.a)
    find_library(sinter_llvm_shared_${name} NAMES ${name} lib${name}.so.1)  # .so.1: no -dev package
    mark_as_advanced(sinter_llvm_archive_${name} sinter_llvm_shared_${name})
    if(name MATCHES "^(z|zstd|tinfo)$" AND sinter_llvm_archive_${name})
      target_link_libraries(sinter_llvm INTERFACE ${sinter_llvm_archive_${name}})
    elseif(sinter_llvm_shared_${name})
      target_link_libraries(sinter_llvm INTERFACE ${sinter_llvm_shared_${name}})
    elseif(name MATCHES "^(rt|dl|m|pthread)$")
      target_link_libraries(sinter_llvm INTERFACE ${name})
    endif()
  endforeach()
else()
  sinter_ask_llvm(libraries --link-shared --libs)
  target_link_libraries(sinter_llvm INTERFACE -L${library_dir} ${libraries})
endif()

find_path(SINTER_CBLAS_INCLUDE cblas.h PATH_SUFFIXES openblas openblas-pthread)
find_library(SINTER_OPENBLAS_LIBRARY openblas)
mark_as_advanced(SINTER_CBLAS_INCLUDE SINTER_OPENBLAS_LIBRARY)
sinter_require(SINTER_CBLAS_INCLUDE "OpenBLAS (cblas.h)" libopenblas-dev)
sinter_require(SINTER_OPENBLAS_LIBRARY "OpenBLAS" libopenblas-dev)
add_library(sinter_openblas INTERFACE)
target_include_directories(sinter_openblas SYSTEM INTERFACE ${SINTER_CBLAS_INCLUDE})
if(SINTER_STATIC_DEPS)
  sinter_find_archive(SINTER_OPENBLAS_ARCHIVE openblas)
  target_link_libraries(sinter_openblas INTERFACE ${SINTER_OPENBLAS_ARCHIVE} m Threads::Threads)
else()
  target_link_libraries(sinter_openblas INTERFACE ${SINTER_OPENBLAS_LIBRARY})
endif()
