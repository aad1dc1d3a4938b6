# tests/compile_fail/*.cpp: mistakes that the compiler catches. Each file must compile as it is and must
# not compile with SINTER_EXPECT_FAILURE defined. A line `// expect: text` in the file names what the
# compiler's error must say (a regular expression).

file(GLOB files CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/compile_fail/*.cpp)
foreach(file ${files})
  get_filename_component(name ${file} NAME_WE)
  set(compile ${CMAKE_CXX_COMPILER} -std=c++20 -fsyntax-only -I${PROJECT_SOURCE_DIR}/include ${file})
  sinter_add_test_entry(compile_fail.${name}.good compile_fail ${compile})
  sinter_add_test_entry(compile_fail.${name}.bad compile_fail ${compile} -DSINTER_EXPECT_FAILURE)
  file(STRINGS ${file} expected REGEX "^// expect: " LIMIT_COUNT 1)
  string(REGEX REPLACE "^// expect: " "" expected "${expected}")
  if(expected)
    set_tests_properties(compile_fail.${name}.bad PROPERTIES
      PASS_REGULAR_EXPRESSION "error: [^\n]*${expected}")
  else()
    set_tests_properties(compile_fail.${name}.bad PROPERTIES WILL_FAIL ON)
  endif()
endforeach()
