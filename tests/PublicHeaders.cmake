# Compiles each header under include/sinter alone, also where the preset joins files into one unit, with
# nothing but include/ on the path: a public header that needs another one first, a room or a library does
# not build.

file(GLOB_RECURSE headers CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR}/include
     ${PROJECT_SOURCE_DIR}/include/sinter/*.h)
set(sources "")
foreach(header ${headers})
  string(REGEX REPLACE "[/.]" "_" name ${header})
  set(source ${CMAKE_BINARY_DIR}/generated/headers/${name}.cpp)
  file(CONFIGURE OUTPUT ${source} CONTENT "#include \"${header}\"\n#include \"${header}\"\n")
  list(APPEND sources ${source})
endforeach()
if(sources)
  add_library(sinter_public_headers OBJECT ${sources})
  target_include_directories(sinter_public_headers PRIVATE ${PROJECT_SOURCE_DIR}/include)
  set_target_properties(sinter_public_headers PROPERTIES UNITY_BUILD OFF)
endif()
