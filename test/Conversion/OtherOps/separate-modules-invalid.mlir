// A function of the user's cannot have a name that the translation of launches calls.
// RUN: gemm-opt %s --separate-modules --verify-diagnostics
gpu.binary @text [#gpu.object<#nvvm.target, assembly = "">]

// expected-error @+1 {{has the name 'mgpuModuleLoadJIT', which compiled code calls}}
llvm.func @mgpuModuleLoadJIT(%x: i64) -> i64 {
  llvm.return %x : i64
}
