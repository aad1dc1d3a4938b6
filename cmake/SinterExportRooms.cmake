# For programs that open operator libraries; in this build and, installed, in users' projects.

# Lets shared operator libraries that `target` opens at run time use the Sinter inside `target`:
# every symbol of the rooms is linked in and exported.
function(sinter_export_rooms target)
  set(archives "")
  foreach(room tools runtime codegen dsl ir support)
    get_target_property(type sinter::${room} TYPE)
    if(type STREQUAL "STATIC_LIBRARY")
      string(APPEND archives " $<TARGET_FILE:sinter::${room}>")
      target_link_libraries(${target} PRIVATE sinter::${room})
    endif()
  endforeach()
  set_target_properties(${target} PROPERTIES ENABLE_EXPORTS ON)
  target_link_options(${target} PRIVATE "SHELL:-Wl,--whole-archive${archives} -Wl,--no-whole-archive")
endfunction()
