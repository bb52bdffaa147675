# Finds CVODE of SUNDIALS and makes the target CVODE::CVODE. The CMake files that Debian ships with it ask for MPI and C.
find_path(CVODE_INCLUDE_DIR cvode/cvode.h)
set(CVODE_parts)
foreach(part cvode sunlinsoldense sunmatrixdense nvecserial generic)  # in the order that a static link needs
  find_library(CVODE_${part}_LIBRARY sundials_${part})
  list(APPEND CVODE_parts CVODE_${part}_LIBRARY)
endforeach()

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(CVODE REQUIRED_VARS CVODE_cvode_LIBRARY CVODE_INCLUDE_DIR ${CVODE_parts}
  REASON_FAILURE_MESSAGE "Install libsundials-dev.")
mark_as_advanced(CVODE_INCLUDE_DIR ${CVODE_parts})

if(CVODE_FOUND AND NOT TARGET CVODE::CVODE)
  add_library(CVODE::CVODE UNKNOWN IMPORTED)
  set_target_properties(CVODE::CVODE PROPERTIES
    IMPORTED_LOCATION ${CVODE_cvode_LIBRARY}
    INTERFACE_INCLUDE_DIRECTORIES ${CVODE_INCLUDE_DIR}
    INTERFACE_LINK_LIBRARIES
      "${CVODE_sunlinsoldense_LIBRARY};${CVODE_sunmatrixdense_LIBRARY};${CVODE_nvecserial_LIBRARY};${CVODE_generic_LIBRARY}")
endif()
