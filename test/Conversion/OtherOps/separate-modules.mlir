// Functions that only the module needs are internal, and host code calls the runtime by this project's names; a
// second run changes nothing. With own-runtime=false MLIR's names stay.
// RUN: gemm-opt %s --separate-modules | FileCheck %s
// RUN: gemm-opt %s --separate-modules --separate-modules | FileCheck %s
// RUN: gemm-opt %s --separate-modules="own-runtime=false" | FileCheck %s --check-prefix=OTHER
module attributes {gpu.container_module} {

// CHECK: llvm.func @rooftileMemAlloc(i64, !llvm.ptr, i8) -> !llvm.ptr
// CHECK-NOT: @mgpuMemAlloc
// OTHER: llvm.func @mgpuMemAlloc(i64, !llvm.ptr, i8) -> !llvm.ptr
llvm.func @mgpuMemAlloc(i64, !llvm.ptr, i8) -> !llvm.ptr
// CHECK: llvm.func @rooftileMemrefCopy(i64, !llvm.ptr, !llvm.ptr)
llvm.func @memrefCopy(i64, !llvm.ptr, !llvm.ptr)
// Another function of the user's, of which nothing is known, keeps its name.
// CHECK: llvm.func @mgpuOther()
llvm.func @mgpuOther()

gpu.binary @text [#gpu.object<#nvvm.target, assembly = "">]
gpu.binary @cubin [#gpu.object<#nvvm.target, bin = "">]

// CHECK: llvm.func internal @private(
// OTHER: llvm.func internal @private(
llvm.func @private(%x: i64) -> i64 attributes {sym_visibility = "private"} {
  llvm.return %x : i64
}
// CHECK: llvm.func @declared(i64) attributes {sym_visibility = "private"}
llvm.func @declared(i64) attributes {sym_visibility = "private"}

// CHECK: llvm.func @public(
llvm.func @public(%bytes: i64, %stream: !llvm.ptr, %kind: i8) {
  %one = llvm.mlir.constant(1 : index) : i64
  %same = llvm.call @private(%bytes) : (i64) -> i64
  // CHECK: %[[MEMORY:.*]] = llvm.call @rooftileMemAlloc(
  %memory = llvm.call @mgpuMemAlloc(%same, %stream, %kind) : (i64, !llvm.ptr, i8) -> !llvm.ptr
  // CHECK: llvm.call @rooftileMemrefCopy(%{{.*}}, %[[MEMORY]], %[[MEMORY]])
  // OTHER: llvm.call @memrefCopy(
  llvm.call @memrefCopy(%same, %memory, %memory) : (i64, !llvm.ptr, !llvm.ptr) -> ()
  llvm.call @mgpuOther() : () -> ()
  gpu.launch_func <%stream : !llvm.ptr> @text::@kernel blocks in (%one, %one, %one) threads in (%one, %one, %one) : i64
  gpu.launch_func <%stream : !llvm.ptr> @cubin::@kernel clusters in (%one, %one, %one) blocks in (%one, %one, %one) threads in (%one, %one, %one) : i64
  llvm.return
}

// CHECK: llvm.func internal @mgpuModuleLoad(%[[IMAGE:.*]]: !llvm.ptr, %[[BYTES:.*]]: i64) -> !llvm.ptr {
// CHECK-NEXT: %[[MODULE:.*]] = llvm.call @rooftileModuleLoad(%[[IMAGE]], %[[BYTES]])
// CHECK-NEXT: llvm.return %[[MODULE]] : !llvm.ptr
// CHECK: llvm.func internal @mgpuModuleLoadJIT(
// CHECK: llvm.func internal @mgpuModuleUnload(
// CHECK: llvm.func internal @mgpuModuleGetFunction(
// CHECK: llvm.func internal @mgpuLaunchKernel(
// CHECK: llvm.func internal @mgpuLaunchClusterKernel(
// OTHER-NOT: @mgpuModuleLoad
}
