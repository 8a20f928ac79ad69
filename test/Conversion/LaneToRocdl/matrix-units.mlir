// lane.mma on the way to AMD: MFMA, and WMMA, whose results stay where they are computed.
// RUN: split-file %s %t
// RUN: gemm-opt %t/mfma.mlir --blas-attach-target=chip=mi300x --lane-to-rocdl | FileCheck %s --check-prefix=MFMA
// RUN: gemm-opt %t/wmma.mlir --blas-attach-target=chip=rx7900xtx --lane-to-rocdl | FileCheck %s --check-prefix=WMMA
// RUN: not gemm-opt %t/mfma.mlir --blas-attach-target=chip=mi60 --lane-to-rocdl 2>&1 | FileCheck %s --check-prefix=MI60
// RUN: not gemm-opt %t/wmma.mlir --blas-attach-target=chip=mi300x --lane-to-rocdl 2>&1 | FileCheck %s --check-prefix=MI300X
// RUN: not gemm-opt %t/mfma.mlir --blas-attach-target=chip=h200 --lane-to-nvvm 2>&1 | FileCheck %s --check-prefix=H200
// MI60: error: 'lane.mma' op is mfma_m16n16k4_f32, which mi60 does not have (instructions)
// MI300X: error: 'lane.mma' op is wmma_m16n16k16_bf16, which mi300x does not have (instructions)
// H200: error: 'lane.mma' op is mfma_m16n16k4_f32, which h200 does not have (instructions)

//--- mfma.mlir
#f32 = #tile.instruction<name = "mfma_m16n16k4_f32", shape = [16, 16, 4], types = [f32, f32, f32],
  a = <threads = [16:(1, 0), 4:(0, 1)], values = []>, b = <threads = [16:(0, 1), 4:(1, 0)], values = []>,
  c = <threads = [16:(0, 1), 4:(4, 0)], values = [4:(1, 0)]>>
#bf16 = #tile.instruction<name = "mfma_m16n16k16_bf16", shape = [16, 16, 16], types = [bf16, bf16, f32],
  a = <threads = [16:(1, 0), 4:(0, 4)], values = [4:(0, 1)]>, b = <threads = [16:(0, 1), 4:(4, 0)], values = [4:(1, 0)]>,
  c = <threads = [16:(0, 1), 4:(4, 0)], values = [4:(1, 0)]>>
gpu.module @kernels {
  // A single number as it is, four of C as a vector; three operands that permute nothing.
  // MFMA-LABEL: @single
  // MFMA: %[[C:.*]] = vector.from_elements %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} : vector<4xf32>
  // MFMA: %[[ZERO:.*]] = llvm.mlir.constant(0 : i32)
  // MFMA: llvm.call_intrinsic "llvm.amdgcn.mfma.f32.16x16x4f32"(%{{.*}}, %{{.*}}, %[[C]], %[[ZERO]], %[[ZERO]], %[[ZERO]])
  // MFMA-NOT: inline_asm
  gpu.func @single(%a: f32, %to: memref<f32>) kernel {
    %d:4 = lane.mma (%a), (%a), (%a, %a, %a, %a) instruction(#f32) : (f32), (f32), (f32, f32, f32, f32)
    memref.store %d#0, %to[] : memref<f32>
    gpu.return
  }
  // MFMA-LABEL: @narrow
  // MFMA: vector.bitcast %{{.*}} : vector<4xbf16> to vector<4xi16>
  // MFMA: llvm.call_intrinsic "llvm.amdgcn.mfma.f32.16x16x16bf16.1k"
  gpu.func @narrow(%a: bf16, %c: f32, %to: memref<f32>) kernel {
    %d:4 = lane.mma (%a, %a, %a, %a), (%a, %a, %a, %a), (%c, %c, %c, %c) instruction(#bf16) : (bf16, bf16, bf16, bf16), (bf16, bf16, bf16, bf16), (f32, f32, f32, f32)
    memref.store %d#0, %to[] : memref<f32>
    gpu.return
  }
}

//--- wmma.mlir
#bf16 = #tile.instruction<name = "wmma_m16n16k16_bf16", shape = [16, 16, 16], types = [bf16, bf16, f32],
  a = <threads = [16:(1, 0), 2:(0, 0)], values = [16:(0, 1)]>, b = <threads = [16:(0, 1), 2:(0, 0)], values = [16:(1, 0)]>,
  c = <threads = [16:(0, 1), 2:(1, 0)], values = [8:(2, 0)]>>
gpu.module @kernels {
  // The first result is multiplied on; the second is stored, by some lanes perhaps.
  // WMMA: %[[FIRST:.*]] = llvm.call_intrinsic "llvm.amdgcn.wmma.f32.16x16x16.bf16"
  // WMMA-NOT: inline_asm
  // WMMA: %[[SECOND:.*]] = llvm.call_intrinsic "llvm.amdgcn.wmma.f32.16x16x16.bf16"
  // WMMA: llvm.inline_asm has_side_effects asm_dialect = att "", "=v,0" %[[SECOND]] : (vector<8xf32>) -> vector<8xf32>
  gpu.func @twice(%a: bf16, %c: f32, %to: memref<f32>) kernel {
    %d:8 = lane.mma (%a, %a, %a, %a, %a, %a, %a, %a, %a, %a, %a, %a, %a, %a, %a, %a), (%a, %a, %a, %a, %a, %a, %a, %a, %a, %a, %a, %a, %a, %a, %a, %a), (%c, %c, %c, %c, %c, %c, %c, %c) instruction(#bf16) : (bf16, bf16, bf16, bf16, bf16, bf16, bf16, bf16, bf16, bf16, bf16, bf16, bf16, bf16, bf16, bf16), (bf16, bf16, bf16, bf16, bf16, bf16, bf16, bf16, bf16, bf16, bf16, bf16, bf16, bf16, bf16, bf16), (f32, f32, f32, f32, f32, f32, f32, f32)
    %e:8 = lane.mma (%a, %a, %a, %a, %a, %a, %a, %a, %a, %a, %a, %a, %a, %a, %a, %a), (%a, %a, %a, %a, %a, %a, %a, %a, %a, %a, %a, %a, %a, %a, %a, %a), (%d#0, %d#1, %d#2, %d#3, %d#4, %d#5, %d#6, %d#7) instruction(#bf16) : (bf16, bf16, bf16, bf16, bf16, bf16, bf16, bf16, bf16, bf16, bf16, bf16, bf16, bf16, bf16, bf16), (bf16, bf16, bf16, bf16, bf16, bf16, bf16, bf16, bf16, bf16, bf16, bf16, bf16, bf16, bf16, bf16), (f32, f32, f32, f32, f32, f32, f32, f32)
    memref.store %e#0, %to[] : memref<f32>
    gpu.return
  }
}
