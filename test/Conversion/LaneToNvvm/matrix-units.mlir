// lane.mma on the way to NVIDIA, AMD and the host; a chip without the instruction is an error there.
// RUN: gemm-opt %s --blas-attach-target=chip=h200 --lane-to-nvvm | FileCheck %s --check-prefix=NVVM
// RUN: gemm-opt %s --blas-attach-target=chip=a100 --lane-to-nvvm | FileCheck %s --check-prefix=NVVM
// RUN: gemm-opt %s --lane-to-cpu | FileCheck %s --check-prefix=CPU
// RUN: not gemm-opt %s --blas-attach-target=chip=v100 --lane-to-nvvm 2>&1 | FileCheck %s --check-prefix=V100
// RUN: not gemm-opt %s --blas-attach-target=chip=mi300x --lane-to-rocdl 2>&1 | FileCheck %s --check-prefix=AMD
// V100: matrix-units.mlir:[[#@LINE+22]]:10: error: 'lane.mma' op is m8n8k4_f64, which v100 does not have (instructions)
// AMD: matrix-units.mlir:[[#@LINE+21]]:10: error: 'lane.mma' op is m8n8k4_f64, which mi300x does not have (instructions)

#i = #tile.instruction<name = "m8n8k4_f64", shape = [8, 8, 4], types = [f64, f64, f64],
  a = <threads = [4:(0, 1), 8:(1, 0)], values = []>,
  b = <threads = [4:(1, 0), 8:(0, 1)], values = []>, c = <threads = [4:(0, 2), 8:(1, 0)], values = [2:(0, 1)]>>
// Two elements of 16 bits share a register: f16 as vectors, bf16 as words. An exchanged instruction gives its B first.
#pairs_a = #tile.map<threads = [4:(0, 2), 8:(1, 0)], values = [2:(0, 1), 2:(8, 0), 2:(0, 8)]>
#pairs_b = #tile.map<threads = [4:(2, 0), 8:(0, 1)], values = [2:(1, 0), 2:(8, 0)]>
#sums = #tile.map<threads = [4:(0, 2), 8:(1, 0)], values = [2:(0, 1), 2:(8, 0)]>
#f16 = #tile.instruction<name = "m16n8k16_f16", shape = [16, 8, 16], types = [f16, f16, f32], a = #pairs_a,
                         b = #pairs_b, c = #sums>
#bf16 = #tile.instruction<name = "m16n8k16_bf16", shape = [16, 8, 16], types = [bf16, bf16, f32], a = #pairs_a,
                          b = #pairs_b, c = #sums>
#tf32 = #tile.instruction<name = "m16n8k8_tf32", shape = [16, 8, 8], types = [f32, f32, f32],
  a = <threads = [4:(0, 1), 8:(1, 0)], values = [2:(8, 0), 2:(0, 4)]>,
  b = <threads = [4:(1, 0), 8:(0, 1)], values = [2:(4, 0)]>, c = #sums>
module attributes {gpu.container_module} {
// The lanes, the sizes and the registers of the instruction, then who holds what.
// CPU: llvm.mlir.global private constant @rooftile_m8n8k4_f64(dense<{{.*}} : tensor<135xi64>)
gpu.module @kernels {
gpu.func @multiply(%a: f64, %p: memref<f64>) kernel {
  %d:2 = lane.mma (%a), (%a), (%a, %a) instruction(#i) : (f64), (f64), (f64, f64)
  // NVVM: %[[SUMS:.*]] = llvm.call_intrinsic "llvm.nvvm.mma.m8n8k4.row.col.f64"(%[[A:.*]], %[[A]], %[[A]], %[[A]]) : (f64, f64, f64, f64) -> !llvm.struct<(f64, f64)>
  // NVVM: %[[SUM:.*]] = llvm.extractvalue %[[SUMS]][1]
  // NVVM: memref.store %[[SUM]]
  // Registers go to the runtime's room for them; then the thread is suspended and finds its sums there.
  // CPU: %[[ROOM:.*]] = llvm.getelementptr %[[THREAD:.*]][88]
  // CPU: %[[REGISTERS:.*]] = llvm.load %[[ROOM]]
  // CPU: llvm.store %{{.*}}, %{{.*}} : f64, !llvm.ptr
  // CPU: %[[DATA:.*]] = llvm.mlir.addressof @rooftile_m8n8k4_f64
  // CPU: llvm.getelementptr %[[THREAD]][80]
  // CPU: %[[PLACE:.*]] = llvm.mlir.constant(1 : i64)
  // CPU: llvm.getelementptr %[[THREAD]][72]
  // CPU: llvm.intr.coro.suspend
  // CPU: llvm.load {{.*}} -> f64
  // CPU: llvm.load {{.*}} -> f64
  memref.store %d#1, %p[] : memref<f64>
  gpu.return
}
}
gpu.module @narrow {
gpu.func @halves(%a: f16, %b: f16, %s: f32, %p: memref<f32>) kernel {
  // NVVM: %[[LOW:.*]] = llvm.insertelement %{{.*}}, %{{.*}} : vector<2xf16>
  // NVVM: %[[PAIR:.*]] = llvm.insertelement %{{.*}}, %[[LOW]]{{.*}} : vector<2xf16>
  // NVVM: llvm.call_intrinsic "llvm.nvvm.mma.m16n8k16.row.col.f32.f32"(%[[PAIR]], {{.*}}) : (vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, vector<2xf16>, f32, f32, f32, f32) -> !llvm.struct<(f32, f32, f32, f32)>
  %d:4 = lane.mma (%a, %a, %a, %a, %a, %a, %a, %a), (%b, %b, %b, %b), (%s, %s, %s, %s) instruction(#f16)
    : (f16, f16, f16, f16, f16, f16, f16, f16), (f16, f16, f16, f16), (f32, f32, f32, f32)
  memref.store %d#1, %p[] : memref<f32>
  gpu.return
}
gpu.func @words(%a: f32, %b: f32, %s: f32, %p: memref<f32>) kernel {
  // NVVM: llvm.call_intrinsic "llvm.nvvm.f2tf32.rna"(%{{.*}}) : (f32) -> i32
  // NVVM: llvm.call_intrinsic "llvm.nvvm.mma.m16n8k8.row.col.tf32"({{.*}}) : (i32, i32, i32, i32, i32, i32, f32, f32, f32, f32) -> !llvm.struct<(f32, f32, f32, f32)>
  %d:4 = lane.mma (%a, %a, %a, %a), (%b, %b), (%s, %s, %s, %s) instruction(#tf32)
    : (f32, f32, f32, f32), (f32, f32), (f32, f32, f32, f32)
  memref.store %d#1, %p[] : memref<f32>
  gpu.return
}
gpu.func @bfloats(%a: bf16, %b: bf16, %s: f32, %p: memref<f32>) kernel {
  // NVVM: llvm.bitcast %{{.*}} : vector<2xbf16> to i32
  // NVVM: llvm.call_intrinsic "llvm.nvvm.mma.m16n8k16.row.col.bf16"({{.*}}) : (i32, i32, i32, i32, i32, i32, f32, f32, f32, f32) -> !llvm.struct<(f32, f32, f32, f32)>
  %d:4 = lane.mma (%a, %a, %a, %a, %a, %a, %a, %a), (%b, %b, %b, %b), (%s, %s, %s, %s) instruction(#bf16)
    : (bf16, bf16, bf16, bf16, bf16, bf16, bf16, bf16), (bf16, bf16, bf16, bf16), (f32, f32, f32, f32)
  memref.store %d#1, %p[] : memref<f32>
  gpu.return
}
}
func.func @launch(%a: f64, %p: memref<f64>) {
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  gpu.launch_func @kernels::@multiply blocks in (%c1, %c1, %c1) threads in (%c32, %c1, %c1) args(%a : f64, %p : memref<f64>)
  return
}
}
