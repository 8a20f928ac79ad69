// An operation that no step has lowered is named, once for each operation and function; nothing changes.
// RUN: gemm-opt %s --report-leftovers --allow-unregistered-dialect --verify-diagnostics | FileCheck %s
// RUN: gemm-opt %s --report-leftovers --allow-unregistered-dialect --remarks-filter=report-leftovers 2>&1 | FileCheck %s --check-prefix=STRUCTURED

// STRUCTURED: [Missed] left | Category:report-leftovers | Function=scaled
// STRUCTURED-SAME: operation=other.scale
// CHECK-LABEL: llvm.func @scaled
// CHECK-COUNT-2: "other.scale"
llvm.func @scaled(%x: i64) -> i64 {
  // expected-remark @+1 {{'other.scale' is left as it is: no pass of this pipeline lowers it}}
  %y = "other.scale"(%x) : (i64) -> i64
  %z = "other.scale"(%y) : (i64) -> i64
  llvm.return %z : i64
}
llvm.func @lowered(%x: i64) -> i64 {
  llvm.return %x : i64
}
