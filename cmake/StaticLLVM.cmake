# A tool that needs nothing but glibc (2.35 or later): for GPU machines with CUDA and no LLVM.
#
# The packages export every MLIR archive as depending on the LLVM shared library, so their CMake
# targets are of no use here. lld takes members from archives in any order and only on demand:
# all archives are offered, what a tool does not reach stays out (64 MB stripped, 16 MB as xz with
# NVPTX, X86 and the JIT).
if(NOT LLD_LINKER)
  message(FATAL_ERROR "ROOFTILE_STATIC needs lld of LLVM ${LLVM_PACKAGE_VERSION}: install lld-22")
endif()
foreach(archive z zstd)
  string(TOUPPER ${archive} variable)
  find_library(ROOFTILE_${variable} lib${archive}.a)
  if(NOT ROOFTILE_${variable})
    message(FATAL_ERROR "ROOFTILE_STATIC needs lib${archive}.a: install zlib1g-dev libzstd-dev")
  endif()
endforeach()

file(GLOB ROOFTILE_ARCHIVES CONFIGURE_DEPENDS
     ${LLVM_LIBRARY_DIR}/libMLIR*.a ${LLVM_LIBRARY_DIR}/libLLVM*.a)
list(FILTER ROOFTILE_ARCHIVES EXCLUDE REGEX "/libMLIRCAPI|/libLLVM(Fuzz|Exegesis)")
list(LENGTH ROOFTILE_ARCHIVES count)
if(count LESS 300)
  message(FATAL_ERROR "ROOFTILE_STATIC needs the archives of LLVM and MLIR in ${LLVM_LIBRARY_DIR}: "
                      "install llvm-22-dev libmlir-22-dev")
endif()

# glibc has arc4random from 2.36 on; LLVM's archives ask for it.
add_library(rooftile-arc4random OBJECT ${CMAKE_SOURCE_DIR}/cmake/Arc4Random.c)
set_target_properties(rooftile-arc4random PROPERTIES POSITION_INDEPENDENT_CODE ON)

# Links `name` to archives only, drops what is not reached, and strips it.
function(rooftile_link_llvm_static name)
  target_link_libraries(${name} PRIVATE $<TARGET_OBJECTS:rooftile-arc4random>
    ${ROOFTILE_ARCHIVES} ${ROOFTILE_Z} ${ROOFTILE_ZSTD} ${CMAKE_DL_LIBS} m pthread)
  target_link_options(${name} PRIVATE -static-libstdc++ -static-libgcc -s
    -Wl,--gc-sections,--icf=all,--as-needed)
endfunction()
