// Bulk copies are cp.async.bulk, their counters mbarriers.
// RUN: gemm-opt %s --blas-attach-target=chip=h200 --lane-to-nvvm | FileCheck %s

gpu.module @kernels {

// CHECK-LABEL: gpu.func @bulk
// CHECK: nvvm.mbarrier.init %{{.*}}, %[[COPIERS:.*]] : !llvm.ptr<3>, i32
// CHECK: nvvm.mbarrier.init
// CHECK-NOT: nvvm.mbarrier.init
// CHECK: nvvm.fence.mbarrier.init
// CHECK-NEXT: nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
// CHECK: nvvm.elect.sync -> i1
// CHECK: %[[BYTES:.*]] = llvm.mlir.constant(512 : i32) : i32
// CHECK: nvvm.mbarrier.arrive.expect_tx %{{.*}}, %[[BYTES]] : !llvm.ptr<3>, i32
// CHECK: llvm.inline_asm has_side_effects asm_dialect = att "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [$0], [$1], $2, [$3];", "l,l,r,l,~{memory}" %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} : (!llvm.ptr<3>, !llvm.ptr<1>, i32, !llvm.ptr<3>) -> ()
// CHECK: llvm.inline_asm has_side_effects asm_dialect = att "{{.*}}mbarrier.try_wait.parity.shared::cta.b64 arrived, [$0], $1;{{.*}}", "l,r,~{memory}" %{{.*}}, %{{.*}} : (!llvm.ptr<3>, i32) -> ()
gpu.func @bulk(%global: memref<?xf32>, %shared: memref<?xf32, #gpu.address_space<workgroup>>,
               %counters: memref<?xi64, #gpu.address_space<workgroup>>, %i: index) kernel {
  lane.arrivals %counters stages 2 copiers 8 : memref<?xi64, #gpu.address_space<workgroup>>
  %one = lane.elect 32
  scf.if %one {
    lane.expect %counters[%i] bytes 512 : memref<?xi64, #gpu.address_space<workgroup>>
    lane.bulk_copy %global[%i], %shared[%i] elements 128 arrives %counters[%i]
      : memref<?xf32>, memref<?xf32, #gpu.address_space<workgroup>>, memref<?xi64, #gpu.address_space<workgroup>>
  }
  lane.arrived %counters[%i] parity %i : memref<?xi64, #gpu.address_space<workgroup>>
  gpu.return
}

// A workgroup smaller than a subgroup.
// CHECK-LABEL: gpu.func @small
// CHECK: %[[MEMBERS:.*]] = llvm.mlir.constant(65535 : i32) : i32
// CHECK: nvvm.elect.sync %[[MEMBERS]] -> i1
gpu.func @small() kernel attributes {known_block_size = array<i32: 16, 1, 1>} {
  %one = lane.elect 16
  gpu.return
}

}
