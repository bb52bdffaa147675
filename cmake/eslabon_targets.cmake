# What every target of this project has in common; nothing here reaches a user's program.
include(eslabon_precompiled)

# eslabon_private_flags(<target>): warnings, and the sanitizers that were asked for.
function(eslabon_private_flags target)
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wconversion -Wpedantic -Wshadow)
  if(CMAKE_CXX_COMPILER_ID STREQUAL GNU AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
    target_compile_options(${target} PRIVATE -Wno-restrict)  # false alarms on string + string, GCC bug 105651
  endif()
  if(ESLABON_WARNINGS_AS_ERRORS)
    target_compile_options(${target} PRIVATE -Werror)
  endif()
  if(ESLABON_SANITIZE)
    target_compile_options(${target} PRIVATE -fsanitize=${ESLABON_SANITIZE} -fno-sanitize-recover=all
                                             -fno-omit-frame-pointer)
    target_link_options(${target} PRIVATE -fsanitize=${ESLABON_SANITIZE})
    if(CMAKE_CXX_COMPILER_ID STREQUAL GNU AND ESLABON_SANITIZE MATCHES undefined)
      # A third of the time to compile. A null pointer that is used is found by its address, and what Eigen wants aligned by its assertions.
      target_compile_options(${target} PRIVATE -fno-sanitize=null,alignment)
      # Beside that of addresses, the shared library of this sanitizer does not write its reports to the files that ./test asks for.
      target_link_options(${target} PRIVATE -static-libubsan)
    endif()
  endif()
  if(ESLABON_WITH_FUZZERS)
    target_compile_options(${target} PRIVATE -fsanitize=fuzzer-no-link)
  endif()
endfunction()

# eslabon_sources(<target> <concept> <files>): files of one concept, compiled together where ESLABON_COMPILE_TOGETHER says so: headers are
# read, and templates made, once for all of them, which takes less than half of the time. Names that belong to a file alone must then
# differ from those of its neighbours.
function(eslabon_sources target concept)
  target_sources(${target} PRIVATE ${ARGN})
  set_target_properties(${target} PROPERTIES UNITY_BUILD ${ESLABON_COMPILE_TOGETHER} UNITY_BUILD_MODE GROUP)
  if(ESLABON_COMPILE_TOGETHER)
    set_source_files_properties(${ARGN} PROPERTIES UNITY_GROUP ${concept})
  endif()
endfunction()

# eslabon_flags_of_kind(<target> library|teller|test): private flags, and how much is optimised. Numbers are computed in the library: what
# leads them and tells of them (teller: layers above it and at its side, the program, which reads words and writes pages), and tests
# are compiled faster instead.
function(eslabon_flags_of_kind target kind)
  eslabon_private_flags(${target})
  if(CMAKE_CXX_COMPILER_ID STREQUAL GNU AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13 AND NOT CMAKE_DISABLE_PRECOMPILE_HEADERS)
    # The same false alarms by other names, where the standard library comes precompiled. Presets without it keep these warnings.
    target_compile_options(${target} PRIVATE -Wno-stringop-overflow -Wno-stringop-overread -Wno-array-bounds)
  endif()
  if(kind STREQUAL library)
    set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE ON)
    if(CMAKE_CXX_COMPILER_ID STREQUAL GNU AND NOT CMAKE_BUILD_TYPE STREQUAL Debug)
      # In files compiled together GCC no longer inlines Eigen's smallest products, which many call: 13 % more instructions in groups.
      target_compile_definitions(${target} PRIVATE "EIGEN_STRONG_INLINE=inline __attribute__((always_inline))")
    endif()
  elseif(NOT CMAKE_BUILD_TYPE STREQUAL Debug)
    target_compile_options(${target} PRIVATE -O1)
  endif()
  if(kind STREQUAL teller)
    target_compile_options(${target} PRIVATE -fPIC)  # the program too, where the property means -fPIE: one precompiled header for all
  endif()
endfunction()

# eslabon_configure(<target> library|teller|test): all that targets of a kind have in common.
function(eslabon_configure target kind)
  eslabon_flags_of_kind(${target} ${kind})
  if(PROJECT_IS_TOP_LEVEL)  # in a user's build a cache may not know what to do with them
    eslabon_use_precompiled(${target} ${kind})
  endif()
endfunction()

# eslabon_add_layer(<name> [TELLER] DEPENDS <lower layers> SOURCES <files compiled by themselves> PRIVATE_LIBRARIES <targets>), and then
# eslabon_sources(eslabon_<name> …) for each concept of the layer.
function(eslabon_add_layer name)
  cmake_parse_arguments(ARG "TELLER" "" "DEPENDS;SOURCES;PRIVATE_LIBRARIES" ${ARGN})
  add_library(eslabon_${name} STATIC ${ARG_SOURCES})
  add_library(eslabon::${name} ALIAS eslabon_${name})
  set_target_properties(eslabon_${name} PROPERTIES EXPORT_NAME ${name})
  target_compile_features(eslabon_${name} PUBLIC cxx_std_20)
  target_include_directories(eslabon_${name} PUBLIC
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}> $<INSTALL_INTERFACE:include>)
  target_link_libraries(eslabon_${name} PUBLIC Eigen3::Eigen)
  foreach(lower IN LISTS ARG_DEPENDS)
    target_link_libraries(eslabon_${name} PUBLIC eslabon::${lower})
  endforeach()
  target_link_libraries(eslabon_${name} PRIVATE ${ARG_PRIVATE_LIBRARIES})
  if(ARG_TELLER)
    eslabon_configure(eslabon_${name} teller)
  else()
    eslabon_configure(eslabon_${name} library)
  endif()
  install(TARGETS eslabon_${name} EXPORT eslabon_targets COMPONENT development)
endfunction()

# eslabon_add_test(<path/of_test.cpp> LAYERS <layers> LABELS <kinds of evidence> [LIBRARIES <targets>] [COST <seconds>])
# One executable per test file, and one test of CTest with the name of the file: to start a process for each of thousands of TESTs takes
# longer than most of them. COST: of files that take many seconds; they begin first. The kinds of evidence are those of
# docs/testing.md: analytic derivative crosscheck invariant order reference statistical contract golden alloc. One more label, `threads`, is for
# tests in which several threads run: the target threaded_tests builds them, the thread sanitizer looks at them.
function(eslabon_add_test source)
  cmake_parse_arguments(ARG "" "COST" "LAYERS;LABELS;LIBRARIES" ${ARGN})
  get_filename_component(name ${source} NAME_WE)
  add_executable(${name} ${source})
  foreach(layer IN LISTS ARG_LAYERS)
    target_link_libraries(${name} PRIVATE eslabon::${layer})
  endforeach()
  target_link_libraries(${name} PRIVATE ${ARG_LIBRARIES} GTest::gmock GTest::gtest_main)
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR})
  target_compile_definitions(${name} PRIVATE ESLABON_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
  eslabon_configure(${name} test)
  add_test(NAME ${name} COMMAND ${name})
  set_tests_properties(${name} PROPERTIES LABELS "${ARG_LABELS}")
  if(threads IN_LIST ARG_LABELS)
    add_dependencies(threaded_tests ${name})
  endif()
  if(ARG_COST)
    set_tests_properties(${name} PROPERTIES COST ${ARG_COST})
  endif()
endfunction()

# eslabon_add_test_that_cannot_run(<name> <label> <why>): stands for a test that this build or machine cannot have, and says so.
function(eslabon_add_test_that_cannot_run name label why)
  add_test(NAME ${name} COMMAND sh -c "echo \"$1\" >&2; exit 77" sh ${why})
  set_tests_properties(${name} PROPERTIES LABELS ${label} SKIP_RETURN_CODE 77)
endfunction()
