# `make check-sanitized`: address errors and undefined behaviour in the project's libraries, tools
# and runtime. Kernels compiled at run time are not instrumented: their accesses are recorded by the
# runtime itself (docs/Verification.md). clang's headers and sources come from LLVM's packages.
if(NOT CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  message(FATAL_ERROR "ROOFTILE_SANITIZE needs clang, not ${CMAKE_CXX_COMPILER_ID}")
endif()
set(CMAKE_CXX_FLAGS_RELEASE "-O1 -DNDEBUG")
set(CMAKE_C_FLAGS_RELEASE "-O1 -DNDEBUG")

# vptr needs run-time type information, which LLVM is built without; function needs every library
# behind a call through a pointer to be instrumented.
set(ROOFTILE_SANITIZERS -fsanitize=address,undefined -fno-sanitize=vptr,function)
add_compile_options(${ROOFTILE_SANITIZERS} -fno-sanitize-recover=undefined
                    -fno-omit-frame-pointer -gline-tables-only)
add_link_options(${ROOFTILE_SANITIZERS})
include_directories(BEFORE SYSTEM ${CMAKE_SOURCE_DIR}/cmake/sanitize)

add_library(rooftile-sanitizer-options OBJECT ${CMAKE_SOURCE_DIR}/cmake/sanitize/Options.c)
link_libraries($<$<STREQUAL:$<TARGET_PROPERTY:TYPE>,EXECUTABLE>:$<TARGET_OBJECTS:rooftile-sanitizer-options>>)
