# build_and_run_consumer(<cmake arguments>): configures, builds and runs tests/consumer in WORK_DIR/build.
function(build_and_run_consumer)
  execute_process(COMMAND_ERROR_IS_FATAL ANY
    COMMAND ${CMAKE_COMMAND} -S ${SOURCE_DIR}/tests/consumer -B ${WORK_DIR}/build -G ${GENERATOR}
      -D CMAKE_BUILD_TYPE=${BUILD_TYPE}
      -D CMAKE_CXX_COMPILER=${CXX_COMPILER}
      -D CMAKE_CXX_COMPILER_LAUNCHER=${CXX_COMPILER_LAUNCHER}
      ${ARGN})
  execute_process(COMMAND_ERROR_IS_FATAL ANY
    COMMAND ${CMAKE_COMMAND} --build ${WORK_DIR}/build --target consumer)
  execute_process(COMMAND_ERROR_IS_FATAL ANY
    COMMAND ${WORK_DIR}/build/consumer)
endfunction()
