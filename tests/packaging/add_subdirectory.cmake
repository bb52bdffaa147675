# Builds the consumer with the source of eslabon as a subdirectory; only the layers it links are compiled.
include(${CMAKE_CURRENT_LIST_DIR}/consumer.cmake)

file(REMOVE_RECURSE ${WORK_DIR})
build_and_run_consumer(-D ESLABON_SOURCE_DIR=${SOURCE_DIR})

# Tests, benchmarks and flags are ours, not the user's.
file(STRINGS ${WORK_DIR}/build/CMakeCache.txt ours REGEX "^ESLABON_WITH_[A-Z]+:BOOL=(ON|TRUE|1)")
if(ours)
  message(FATAL_ERROR "eslabon as a subdirectory turns on by default: ${ours}")
endif()
