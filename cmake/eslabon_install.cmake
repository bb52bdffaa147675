# `cmake --install` gives headers, libraries, the program with its manual page and completion (apps/cli), the models and find_package(eslabon). What a user of the program needs is the
# component `program`, which tools/package makes a Debian package of; all else is `development`.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

install(DIRECTORY ${PROJECT_SOURCE_DIR}/eslabon TYPE INCLUDE COMPONENT development FILES_MATCHING PATTERN "*.hpp")
install(DIRECTORY ${PROJECT_SOURCE_DIR}/models DESTINATION ${CMAKE_INSTALL_DATADIR}/eslabon COMPONENT program)
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/eslabon RENAME copyright COMPONENT program)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/eslabon)
install(EXPORT eslabon_targets NAMESPACE eslabon:: FILE eslabonTargets.cmake DESTINATION ${package_dir} COMPONENT development)
configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/eslabonConfig.cmake.in
  ${PROJECT_BINARY_DIR}/eslabonConfig.cmake INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/eslabonConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/eslabonConfig.cmake ${PROJECT_BINARY_DIR}/eslabonConfigVersion.cmake
  ${PROJECT_SOURCE_DIR}/cmake/FindKLU.cmake ${PROJECT_SOURCE_DIR}/cmake/FindCVODE.cmake
  DESTINATION ${package_dir} COMPONENT development)

if(PROJECT_IS_TOP_LEVEL)
  set(CPACK_GENERATOR DEB)
  set(CPACK_PACKAGE_NAME eslabon)
  set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "describe a mechanism once; understand, move, instrument and estimate it")
  set(CPACK_PACKAGE_CONTACT "the authors of eslabon <eslabon@localhost>")
  set(CPACK_COMPONENTS_ALL program)
  set(CPACK_COMPONENTS_GROUPING ALL_COMPONENTS_IN_ONE)
  set(CPACK_DEB_COMPONENT_INSTALL ON)
  set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
  set(CPACK_STRIP_FILES ON)
  set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
  set(CPACK_DEBIAN_PACKAGE_SECTION science)
  set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
  set(CMAKE_SKIP_INSTALL_ALL_DEPENDENCY ON)  # the component needs the program alone
  include(CPack)
endif()
