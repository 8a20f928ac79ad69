// Tensor copies are cp.async.bulk.tensor; the descriptor is read where the kernel has it.
// RUN: gemm-opt %s --blas-attach-target=chip=h200 --lane-to-nvvm | FileCheck %s
// RUN: not gemm-opt %s --blas-attach-target=chip=a100 --lane-to-nvvm 2>&1 | FileCheck %s --check-prefix=A100
// A100: error: 'lane.tensor_copy' op needs bulk copies, which a100 does not have (bulkCopy)

gpu.module @kernels {

// CHECK-LABEL: gpu.func @tensor
// CHECK-SAME: %[[ARGUMENT:.*]]: !llvm.array<16 x i64>
// CHECK: %[[DESCRIPTOR:.*]] = builtin.unrealized_conversion_cast %[[ARGUMENT]] : !llvm.array<16 x i64> to !llvm.ptr
// CHECK: llvm.inline_asm has_side_effects asm_dialect = att "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [$0], [$1, {$2, $3}], [$4];", "l,l,r,r,l,~{memory}" %{{.*}}, %[[DESCRIPTOR]], %{{.*}}, %{{.*}}, %{{.*}} : (!llvm.ptr<3>, !llvm.ptr, i32, i32, !llvm.ptr<3>) -> ()

gpu.func @tensor(%descriptor: !llvm.array<16 x i64>, %x: i64, %y: i64) kernel attributes {
    blas.contract = #blas.contract<args = [<descriptor a box [16, 32]>, <size a>, <size b>], tile = [1, 1], workgroup = 1, sharedBytes = 4096>} {
  %i = arith.index_cast %x : i64 to index
  %j = arith.index_cast %y : i64 to index
  %c0 = arith.constant 0 : index
  %c512 = arith.constant 512 : index
  %c2048 = arith.constant 2048 : index
  %bytes = gpu.dynamic_shared_memory : memref<?xi8, #gpu.address_space<workgroup>>
  %shared = memref.view %bytes[%c0][%c512] : memref<?xi8, #gpu.address_space<workgroup>> to memref<?xf32, #gpu.address_space<workgroup>>
  %counters = memref.view %bytes[%c2048][%c512] : memref<?xi8, #gpu.address_space<workgroup>> to memref<?xi64, #gpu.address_space<workgroup>>
  lane.tensor_copy %descriptor[%i, %j], %shared[%c0] elements 512 arrives %counters[%c0]
    : !llvm.array<16 x i64>, memref<?xf32, #gpu.address_space<workgroup>>, memref<?xi64, #gpu.address_space<workgroup>>
  gpu.return
}

}
