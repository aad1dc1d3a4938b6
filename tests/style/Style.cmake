# How the code reads, checked by reading it: layers, sizes, format.

find_package(Python3 COMPONENTS Interpreter QUIET)
if(Python3_FOUND)
  sinter_add_test_entry(style.layers style
    ${Python3_EXECUTABLE} ${PROJECT_SOURCE_DIR}/tools/check_layers.py)
  sinter_add_test_entry(style.sizes style
    ${Python3_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/style/check_sizes.py)
  sinter_add_test_entry(style.format style
    ${Python3_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/style/check_format.py)
else()
  message(STATUS "Python 3 was not found: the style tests are left out")
endif()
