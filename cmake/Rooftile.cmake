# The project's build vocabulary: functions, each used by leaf files of a few lines.

add_compile_options(-Wall -Wextra -Werror -Wno-unused-parameter
                    -fvisibility-inlines-hidden -ffunction-sections -fdata-sections)
if(CMAKE_CXX_COMPILER_ID MATCHES "GNU")
  # Generated op accessors trip these under GCC 12 only.
  add_compile_options(-Wno-dangling-pointer -Wno-maybe-uninitialized)
endif()

find_program(CCACHE ccache)
if(CCACHE)
  # Relative to the project: other clones and build folders find the same objects.
  set(CMAKE_CXX_COMPILER_LAUNCHER
      ${CMAKE_COMMAND} -E env CCACHE_BASEDIR=${CMAKE_SOURCE_DIR}
      CCACHE_DEPEND=1 CCACHE_PCH_EXTSUM=1 CCACHE_SLOPPINESS=pch_defines,time_macros ${CCACHE})
  set(CMAKE_C_COMPILER_LAUNCHER ${CMAKE_CXX_COMPILER_LAUNCHER})
endif()

find_program(LLD_LINKER NAMES ld.lld PATHS "${LLVM_TOOLS_BINARY_DIR}" NO_DEFAULT_PATH)
if(LLD_LINKER)
  add_link_options(-fuse-ld=lld -B${LLVM_TOOLS_BINARY_DIR})
endif()
add_link_options(-Wl,--gc-sections)

if(ROOFTILE_STATIC)
  include(StaticLLVM)
endif()

# rooftile_tablegen(TARGET FILE.td  gen1 out1 [gen2 out2 ...]): generated headers of one .td file.
function(rooftile_tablegen target td)
  set(LLVM_TARGET_DEFINITIONS ${td})
  set(args ${ARGN})
  while(args)
    list(POP_FRONT args generator output)
    separate_arguments(generator UNIX_COMMAND "${generator}")
    mlir_tablegen(${output} ${generator})
  endwhile()
  add_public_tablegen_target(${target})
  add_dependencies(rooftile-headers ${target})
endfunction()

# rooftile_library(NAME SOURCES... [LINK libs...]): one static library of the line.
function(rooftile_library name)
  cmake_parse_arguments(ARG "" "" "LINK" ${ARGN})
  add_library(${name} STATIC ${ARG_UNPARSED_ARGUMENTS})
  set_target_properties(${name} PROPERTIES POSITION_INDEPENDENT_CODE ON)
  target_precompile_headers(${name} REUSE_FROM rooftile-precompiled)
  add_dependencies(${name} rooftile-headers)
  target_link_libraries(${name} PUBLIC ${ARG_LINK})
  target_include_directories(${name} INTERFACE $<INSTALL_INTERFACE:include>)
  if(NOT ROOFTILE_STATIC)
    target_link_libraries(${name} INTERFACE MLIR LLVM)
  endif()
  rooftile_export(${name})
endfunction()

# rooftile_tool(NAME SOURCES... [LINK libs...]): an executable in build/bin, linked to MLIR and LLVM.
function(rooftile_tool name)
  cmake_parse_arguments(ARG "" "" "LINK" ${ARGN})
  add_executable(${name} ${ARG_UNPARSED_ARGUMENTS})
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin)
  add_dependencies(${name} rooftile-headers)
  target_link_libraries(${name} PRIVATE ${ARG_LINK})
  rooftile_link_llvm(${name})
endfunction()

# rooftile_unit_tests(NAME SOURCES... [LINK libs...]): a tool of GoogleTest, with the headers of the
# libraries, so with their options, too.
function(rooftile_unit_tests name)
  rooftile_tool(${name} ${ARGN})
  target_compile_options(${name} PRIVATE -fPIC)
  target_precompile_headers(${name} REUSE_FROM rooftile-precompiled)
  target_link_libraries(${name} PRIVATE GTest::gtest_main)
endfunction()

# Links MLIR and LLVM: the shared libraries, or with ROOFTILE_STATIC everything from archives.
function(rooftile_link_llvm name)
  if(ROOFTILE_STATIC)
    rooftile_link_llvm_static(${name})
  else()
    target_link_libraries(${name} PRIVATE MLIR LLVM)
  endif()
endfunction()
