# What a user's project sees: sinter::sinter (language, compiler, runtime) and sinter::tools (the
# `sinter` program as a function), in this build and after installation through find_package(Sinter).

include(CMakePackageConfigHelpers)

add_library(sinter INTERFACE)
target_link_libraries(sinter INTERFACE sinter_runtime sinter_dsl)
add_library(sinter::sinter ALIAS sinter)

# The headers alone: for shared operator libraries, whose symbols come from the program that opens them.
add_library(sinter_headers INTERFACE)
target_include_directories(sinter_headers INTERFACE
  $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
  $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
target_compile_features(sinter_headers INTERFACE cxx_std_20)
set_target_properties(sinter_headers PROPERTIES EXPORT_NAME headers)
add_library(sinter::headers ALIAS sinter_headers)

set(sinter_package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/Sinter)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/sinter DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
        FILES_MATCHING PATTERN "*.h")
install(TARGETS sinter sinter_headers ${SINTER_ROOMS} ${SINTER_DEPS} EXPORT SinterTargets
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(EXPORT SinterTargets NAMESPACE sinter:: DESTINATION ${sinter_package_dir})
# The examples of the guide with the header they share: -I <prefix>/share/sinter finds examples/host_data.h.
install(DIRECTORY ${PROJECT_SOURCE_DIR}/examples DESTINATION ${CMAKE_INSTALL_DATADIR}/sinter
        COMPONENT examples PATTERN CMakeLists.txt EXCLUDE)
if(TARGET sinter_cpu_jit)
  install(TARGETS sinter_cpu_jit LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/sinter)
endif()
if(TARGET sinter_program)
  install(TARGETS sinter_program RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()

configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/SinterConfig.cmake.in
  ${CMAKE_BINARY_DIR}/generated/SinterConfig.cmake INSTALL_DESTINATION ${sinter_package_dir})
write_basic_package_version_file(${CMAKE_BINARY_DIR}/generated/SinterConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/generated/SinterConfig.cmake
  ${CMAKE_BINARY_DIR}/generated/SinterConfigVersion.cmake
  ${PROJECT_SOURCE_DIR}/cmake/SinterExportRooms.cmake DESTINATION ${sinter_package_dir})
