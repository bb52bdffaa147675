# Finds KLU of SuiteSparse, which Debian ships without CMake files, and makes the target KLU::KLU.
find_path(KLU_INCLUDE_DIR klu.h PATH_SUFFIXES suitesparse)
set(KLU_parts)
foreach(part klu btf colamd amd suitesparseconfig)  # in the order that a static link needs
  find_library(KLU_${part}_LIBRARY ${part})
  list(APPEND KLU_parts KLU_${part}_LIBRARY)
endforeach()

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(KLU REQUIRED_VARS KLU_klu_LIBRARY KLU_INCLUDE_DIR ${KLU_parts}
  REASON_FAILURE_MESSAGE "Install libsuitesparse-dev.")
mark_as_advanced(KLU_INCLUDE_DIR ${KLU_parts})

if(KLU_FOUND AND NOT TARGET KLU::KLU)
  add_library(KLU::KLU UNKNOWN IMPORTED)
  set_target_properties(KLU::KLU PROPERTIES
    IMPORTED_LOCATION ${KLU_klu_LIBRARY}
    INTERFACE_INCLUDE_DIRECTORIES ${KLU_INCLUDE_DIR}
    INTERFACE_LINK_LIBRARIES
      "${KLU_btf_LIBRARY};${KLU_colamd_LIBRARY};${KLU_amd_LIBRARY};${KLU_suitesparseconfig_LIBRARY}")
endif()
