# What `cmake --install build --prefix DIR` puts where, for find_package(Rooftile):
#   include/rooftile   headers, generated ones and .td files too
#   lib                static libraries of the pipeline, librooftile_runtime.so, RooftilePlugin.so,
#                      librooftile.so for C, librooftile_blas.so and librooftile_cublas.so in the
#                      place of BLAS and cuBLAS
#   lib/pkgconfig      rooftile.pc, of librooftile.so
#   lib/cmake/Rooftile RooftileConfig.cmake, with targets Rooftile::InitAll, Rooftile::Runtime, ...
#   bin                gemm-opt, gemm-run, gemm-export, gemm-tune
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

# Tools find libMLIR.so where the build found it.
set(CMAKE_INSTALL_RPATH_USE_LINK_PATH ON)
set(ROOFTILE_PACKAGE_DIR lib/cmake/Rooftile)

# rooftile_export(TARGET): installs a library as Rooftile::NAME, NAME without "Rooftile" in front.
function(rooftile_export target)
  string(REGEX REPLACE "^Rooftile" "" name ${target})
  set_target_properties(${target} PROPERTIES EXPORT_NAME ${name})
  install(TARGETS ${target} EXPORT RooftileTargets ARCHIVE DESTINATION lib LIBRARY DESTINATION lib)
endfunction()

# Headers, tools, the plugin and the package files; after all targets.
function(rooftile_install)
  foreach(root ${PROJECT_SOURCE_DIR}/include ${PROJECT_BINARY_DIR}/include)
    install(DIRECTORY ${root}/rooftile DESTINATION include FILES_MATCHING
            PATTERN "*.h" PATTERN "*.td" PATTERN "*.h.inc" PATTERN CMakeFiles EXCLUDE)
  endforeach()
  install(TARGETS gemm-opt gemm-run gemm-export gemm-tune DESTINATION bin)
  if(TARGET rooftile_amd_emulator)
    install(TARGETS rooftile_amd_emulator LIBRARY DESTINATION lib)
  endif()
  if(TARGET RooftilePlugin)
    install(TARGETS RooftilePlugin DESTINATION lib)
  endif()
  install(EXPORT RooftileTargets NAMESPACE Rooftile:: DESTINATION ${ROOFTILE_PACKAGE_DIR})
  install(EXPORT RooftileLibraryTargets NAMESPACE Rooftile:: DESTINATION ${ROOFTILE_PACKAGE_DIR})
  configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/RooftileConfig.cmake.in
    ${PROJECT_BINARY_DIR}/RooftileConfig.cmake INSTALL_DESTINATION ${ROOFTILE_PACKAGE_DIR})
  write_basic_package_version_file(${PROJECT_BINARY_DIR}/RooftileConfigVersion.cmake
    COMPATIBILITY SameMinorVersion)
  install(FILES ${PROJECT_BINARY_DIR}/RooftileConfig.cmake
    ${PROJECT_BINARY_DIR}/RooftileConfigVersion.cmake DESTINATION ${ROOFTILE_PACKAGE_DIR})
endfunction()
