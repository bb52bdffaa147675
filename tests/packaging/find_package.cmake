# Installs eslabon to a prefix of its own and builds the consumer against it with find_package.
include(${CMAKE_CURRENT_LIST_DIR}/consumer.cmake)

file(REMOVE_RECURSE ${WORK_DIR})
execute_process(COMMAND_ERROR_IS_FATAL ANY
  COMMAND ${CMAKE_COMMAND} --install ${BUILD_DIR} --prefix ${WORK_DIR}/prefix
  OUTPUT_QUIET)
build_and_run_consumer(-D CMAKE_PREFIX_PATH=${WORK_DIR}/prefix)

# The installed program reads an installed model.
execute_process(COMMAND_ERROR_IS_FATAL ANY
  COMMAND ${WORK_DIR}/prefix/bin/eslabon info ${WORK_DIR}/prefix/share/eslabon/models/fourbar-testbed.yaml)

# It brings its manual page and completion.
foreach(file IN ITEMS man/man1/eslabon.1 bash-completion/completions/eslabon zsh/vendor-completions/_eslabon
        fish/vendor_completions.d/eslabon.fish)
  file(STRINGS ${WORK_DIR}/prefix/share/${file} lines REGEX "simulate")
  if(NOT lines)
    message(FATAL_ERROR "${file} says nothing about 'simulate'")
  endif()
endforeach()

# The package must not remember where it was built.
file(GLOB_RECURSE package_files ${WORK_DIR}/prefix/*.cmake)
foreach(package_file IN LISTS package_files)
  file(READ ${package_file} text)
  string(FIND "${text}" ${SOURCE_DIR}/ in_source)
  string(FIND "${text}" ${BUILD_DIR}/ in_build)
  if(in_source GREATER -1 OR in_build GREATER -1)
    message(FATAL_ERROR "${package_file} names a path of the machine that built it")
  endif()
endforeach()
