# `cmake --install` gives headers, libraries, the program, the models and find_package(eslabon).
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

install(DIRECTORY ${PROJECT_SOURCE_DIR}/eslabon TYPE INCLUDE FILES_MATCHING PATTERN "*.hpp")
install(DIRECTORY ${PROJECT_SOURCE_DIR}/models DESTINATION ${CMAKE_INSTALL_DATADIR}/eslabon)
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/eslabon)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/eslabon)
install(EXPORT eslabon_targets NAMESPACE eslabon:: FILE eslabonTargets.cmake DESTINATION ${package_dir})
configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/eslabonConfig.cmake.in
  ${PROJECT_BINARY_DIR}/eslabonConfig.cmake INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/eslabonConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/eslabonConfig.cmake ${PROJECT_BINARY_DIR}/eslabonConfigVersion.cmake
  ${PROJECT_SOURCE_DIR}/cmake/FindKLU.cmake ${PROJECT_SOURCE_DIR}/cmake/FindCVODE.cmake
  DESTINATION ${package_dir})
