# Headers of MLIR and LLVM, parsed once for all libraries: a source takes a fifth of the time.
add_library(rooftile-precompiled OBJECT ${CMAKE_SOURCE_DIR}/cmake/Precompiled.cpp)
set_target_properties(rooftile-precompiled PROPERTIES POSITION_INDEPENDENT_CODE ON)
target_precompile_headers(rooftile-precompiled PRIVATE ${CMAKE_SOURCE_DIR}/cmake/Precompiled.h)
if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  # Without the header beside it, whose path has the build folder in it, which ccache compares.
  set(CMAKE_CXX_COMPILE_OPTIONS_USE_PCH -Xclang -include-pch -Xclang <PCH_FILE>)
endif()
# What ccache takes for its contents, which differ from build to build: the text of the headers and
# their macros.
set(folders ${LLVM_INCLUDE_DIRS} ${MLIR_INCLUDE_DIRS})
list(TRANSFORM folders PREPEND -isystem)
execute_process(
  COMMAND ${CMAKE_CXX_COMPILER} -std=gnu++17 ${folders} -E -P -dD -x c++
          ${CMAKE_SOURCE_DIR}/cmake/Precompiled.h
  OUTPUT_VARIABLE text COMMAND_ERROR_IS_FATAL ANY)
string(SHA256 hash "${text}")
foreach(suffix pch gch)
  file(WRITE ${CMAKE_BINARY_DIR}/CMakeFiles/rooftile-precompiled.dir/cmake_pch.hxx.${suffix}.sum ${hash})
endforeach()
