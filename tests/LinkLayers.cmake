# The linker's proof of the dependency rule: each of these rooms, whole, links with what it may use and
# nothing else.

file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/generated/link_layer.cpp CONTENT "// Carries a link check.\n")
foreach(room ir dsl reference codegen)
  get_target_property(type sinter_${room} TYPE)
  if(type STREQUAL "STATIC_LIBRARY" AND NOT SINTER_SANITIZE)
    add_library(sinter_link_layer_${room} MODULE ${CMAKE_BINARY_DIR}/generated/link_layer.cpp)
    target_link_libraries(sinter_link_layer_${room} PRIVATE
      $<LINK_LIBRARY:WHOLE_ARCHIVE,sinter_${room}>)
    target_link_options(sinter_link_layer_${room} PRIVATE -Wl,--no-undefined)
    set_target_properties(sinter_link_layer_${room} PROPERTIES
      LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/link_layers)
  endif()
endforeach()
