// Complex numbers of the C interface as C has them on the machine of the module's triple; twice.
// RUN: split-file %s %t
// RUN: gemm-opt %t/x86.mlir --c-complex | FileCheck %s
// RUN: gemm-opt %t/x86.mlir --c-complex --c-complex | FileCheck %s
// RUN: gemm-opt %t/arm.mlir --c-complex | FileCheck %s --check-prefix=ARM

//--- x86.mlir
module attributes {llvm.target_triple = "x86_64-unknown-linux-gnu"} {
  // CHECK: llvm.func @_mlir_ciface_other(vector<2xf32>) -> vector<2xf32>
  llvm.func @_mlir_ciface_other(!llvm.struct<(f32, f32)>) -> !llvm.struct<(f32, f32)>

  // CHECK-LABEL: llvm.func @other(
  // CHECK-SAME: !llvm.struct<(f32, f32)>) -> !llvm.struct<(f32, f32)>
  llvm.func @other(%x: !llvm.struct<(f32, f32)>) -> !llvm.struct<(f32, f32)> {
    // CHECK: %[[RESULT:.*]] = llvm.call @_mlir_ciface_other(%{{.*}}) : (vector<2xf32>) -> vector<2xf32>
    // CHECK: llvm.extractelement %[[RESULT]]
    %y = llvm.call @_mlir_ciface_other(%x) : (!llvm.struct<(f32, f32)>) -> !llvm.struct<(f32, f32)>
    llvm.return %y : !llvm.struct<(f32, f32)>
  }

  // CHECK-LABEL: llvm.func @_mlir_ciface_scale(
  // CHECK-SAME: %{{.*}}: !llvm.ptr, %[[ALPHA:.*]]: vector<2xf32>, %{{.*}}: !llvm.struct<(f64, f64)>) -> vector<2xf32>
  llvm.func @_mlir_ciface_scale(%p: !llvm.ptr, %alpha: !llvm.struct<(f32, f32)>, %beta: !llvm.struct<(f64, f64)>) -> !llvm.struct<(f32, f32)> {
    // CHECK-DAG: llvm.extractelement %[[ALPHA]]
    // CHECK: llvm.insertelement
    // CHECK: llvm.return %{{.*}} : vector<2xf32>
    llvm.return %alpha : !llvm.struct<(f32, f32)>
  }
}
//--- arm.mlir
module attributes {llvm.target_triple = "aarch64-unknown-linux-gnu"} {
  // ARM: llvm.func @_mlir_ciface_scale(%{{.*}}: !llvm.struct<(f32, f32)>)
  llvm.func @_mlir_ciface_scale(%alpha: !llvm.struct<(f32, f32)>) {
    llvm.return
  }
}
