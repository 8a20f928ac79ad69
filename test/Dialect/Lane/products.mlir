// Products of a warpgroup whose factors lie in shared memory, on the way to NVIDIA and the host; what they must be.
// RUN: split-file %s %t
// RUN: gemm-opt %t/right.mlir | gemm-opt | FileCheck %s
// RUN: gemm-opt %t/right.mlir --mlir-print-op-generic | gemm-opt | FileCheck %s
// RUN: gemm-opt %t/right.mlir --blas-attach-target=chip=h200 --lane-to-nvvm | FileCheck %s --check-prefix=NVVM
// RUN: gemm-opt %t/right.mlir --lane-to-cpu | FileCheck %s --check-prefix=CPU
// RUN: not gemm-opt %t/right.mlir --blas-attach-target=chip=a100 --lane-to-nvvm 2>&1 | FileCheck %s --check-prefix=A100
// RUN: not gemm-opt %t/right.mlir --blas-attach-target=chip=mi300x --lane-to-rocdl 2>&1 | FileCheck %s --check-prefix=AMD
// RUN: gemm-opt %t/invalid.mlir --split-input-file --verify-diagnostics
// A100: error: 'lane.async_mma' op is wgmma_m64k16_f16, which a100 does not have (instructions)
// AMD: error: 'lane.fence' op has no instruction on mi300x

//--- right.mlir
#a = #tile.map<threads = [4:(0, 0), 8:(1, 0), 4:(16, 0)], values = [2:(8, 0), 16:(0, 1)]>
#b = #tile.map<threads = [4:(0, 2), 8:(0, 0), 4:(0, 0)], values = [2:(0, 1), 16:(1, 0)]>
#c = #tile.map<threads = [4:(0, 2), 8:(1, 0), 4:(16, 0)], values = [2:(0, 1), 2:(8, 0)]>
#i = #tile.instruction<name = "wgmma_m64k16_f16", shape = [64, 8, 16], types = [f16, f16, f32], a = #a, b = #b, c = #c>
!shared = memref<?xf16, #gpu.address_space<workgroup>>
module attributes {gpu.container_module} {
gpu.module @kernels {
// CHECK-LABEL: @multiply
gpu.func @multiply(%p: memref<f32>) kernel {
  %i = arith.constant 0 : index
  %j = arith.constant 4096 : index
  %c = arith.constant 0.0 : f32
  %bytes = gpu.dynamic_shared_memory : memref<?xi8, #gpu.address_space<workgroup>>
  %shared = memref.view %bytes[%i][%j] : memref<?xi8, #gpu.address_space<workgroup>> to !shared
  // CHECK: lane.fence
  // NVVM: fence.proxy.async.shared::cta;
  // CPU: llvm.call @rooftileCpuFence(%[[THREAD:.*]]) : (!llvm.ptr) -> ()
  lane.fence
  %thread = gpu.thread_id x
  // CHECK: lane.uniform
  // NVVM: nvvm.shfl.sync idx
  %group = lane.uniform %thread : index
  // The address in units of 16 bytes, 64 of them to the next eight rows, the 128-byte swizzle.
  // CHECK: %[[SUMS:.*]]:4 = lane.async_mma %{{.*}}[%{{.*}}], %{{.*}}[%{{.*}}], (%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}) instruction(#tile_instruction) repeated 1 first :
  // NVVM: llvm.lshr
  // NVVM: llvm.mlir.constant(4611686293305360384 : i64)
  // NVVM: nvvm.wgmma.fence.aligned
  // NVVM: llvm.inline_asm has_side_effects asm_dialect = att "{\0A\09.reg .pred adds;\0A\09setp.ne.b32 adds, 1, 0;\0A\09wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {$0, $1, $2, $3}, $4, $5, adds, 1, 1, 0, 0;\0A\09}", "=f,=f,=f,=f,l,l,0,1,2,3"
  // NVVM-NOT: nvvm.wgmma.commit
  // CPU: llvm.call @rooftileCpuMultiply(%[[THREAD]], %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}})
  %s:4 = lane.async_mma %shared[%group], %shared[%j], (%c, %c, %c, %c) instruction(#i) repeated 1 first
    : !shared, !shared, (f32, f32, f32, f32)
  // CHECK: %[[LAST:.*]]:8 = lane.async_mma {{.*}} repeated 2 last
  // NVVM-NOT: nvvm.wgmma.fence.aligned
  // NVVM: m64n16k16
  // NVVM: nvvm.wgmma.commit.group.sync.aligned
  %t:8 = lane.async_mma %shared[%i], %shared[%j], (%s#0, %s#1, %s#2, %s#3, %c, %c, %c, %c) instruction(#i) repeated 2 last
    : !shared, !shared, (f32, f32, f32, f32, f32, f32, f32, f32)
  // Panels of 8192 bytes along M, in units of 16 bytes from bit 16 on; B lies in panels, too, of which it has one.
  // CHECK: lane.async_mma {{.*}} repeated 1 panelsOfA 8192 panelsOfB 0 first last
  // NVVM: llvm.mlir.constant(4611686293338849280 : i64)
  // NVVM: llvm.mlir.constant(4611686293305360384 : i64)
  // NVVM: {{.*}}, adds, 1, 1, 1, 1;
  %u:4 = lane.async_mma %shared[%i], %shared[%j], (%c, %c, %c, %c) instruction(#i) repeated 1 panelsOfA 8192 panelsOfB 0
    first last : !shared, !shared, (f32, f32, f32, f32)
  // CHECK: lane.wait products 1
  // NVVM: nvvm.wgmma.wait.group.sync.aligned 1
  // CPU: llvm.call @rooftileCpuWaitForProducts(%[[THREAD]], %{{.*}})
  lane.wait products 1
  // CHECK: lane.finish %[[LAST]]#0, %[[LAST]]#1 : f32, f32
  // NVVM: llvm.inline_asm {{.*}} "wgmma.wait_group.sync.aligned 0;", "=f,=f,0,1"
  // CPU: llvm.call @rooftileCpuFinish(%[[THREAD]], %{{.*}}, %{{.*}})
  %d:2 = lane.finish %t#0, %t#1 : f32, f32
  memref.store %d#0, %p[] : memref<f32>
  gpu.return
}
}
func.func @launch(%p: memref<f32>) {
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  %bytes = arith.constant 16384 : i32
  gpu.launch_func @kernels::@multiply blocks in (%c1, %c1, %c1) threads in (%c128, %c1, %c1)
    dynamic_shared_memory_size %bytes args(%p : memref<f32>)
  return
}
}

//--- invalid.mlir
#a = #tile.map<threads = [4:(0, 0), 8:(1, 0), 4:(16, 0)], values = [2:(8, 0), 16:(0, 1)]>
#b = #tile.map<threads = [4:(0, 2), 8:(0, 0), 4:(0, 0)], values = [2:(0, 1), 16:(1, 0)]>
#c = #tile.map<threads = [4:(0, 2), 8:(1, 0), 4:(16, 0)], values = [2:(0, 1), 2:(8, 0)]>
#i = #tile.instruction<name = "wgmma_m64k16_f16", shape = [64, 8, 16], types = [f16, f16, f32], a = #a, b = #b, c = #c>
!shared = memref<?xf16, #gpu.address_space<workgroup>>
func.func @registers(%s: !shared, %i: index, %c: f32) {
  // expected-error @below {{'lane.async_mma' op has 3 registers of c; a lane of wgmma_m64k16_f16, 1 times, has 4}}
  %d:3 = lane.async_mma %s[%i], %s[%i], (%c, %c, %c) instruction(#i) repeated 1 : !shared, !shared, (f32, f32, f32)
  return
}

// -----

#a = #tile.map<threads = [4:(0, 0), 8:(1, 0), 4:(16, 0)], values = [2:(8, 0), 16:(0, 1)]>
#b = #tile.map<threads = [4:(0, 2), 8:(0, 0), 4:(0, 0)], values = [2:(0, 1), 16:(1, 0)]>
#c = #tile.map<threads = [4:(0, 2), 8:(1, 0), 4:(16, 0)], values = [2:(0, 1), 2:(8, 0)]>
#i = #tile.instruction<name = "wgmma_m64k16_f16", shape = [64, 8, 16], types = [f16, f16, f32], a = #a, b = #b, c = #c>
!shared = memref<?xf16, #gpu.address_space<workgroup>>
func.func @columns(%s: !shared, %i: index, %c: f32) {
  // expected-error @below {{'lane.async_mma' op multiplies 264 columns; wgmma_m64k16_f16 multiplies 256 at most}}
  %d = lane.async_mma %s[%i], %s[%i], (%c) instruction(#i) repeated 33 : !shared, !shared, (f32)
  return
}

// -----

#a = #tile.map<threads = [4:(0, 0), 8:(1, 0), 4:(16, 0)], values = [2:(8, 0), 16:(0, 1)]>
#b = #tile.map<threads = [4:(0, 2), 8:(0, 0), 4:(0, 0)], values = [2:(0, 1), 16:(1, 0)]>
#c = #tile.map<threads = [4:(0, 2), 8:(1, 0), 4:(16, 0)], values = [2:(0, 1), 2:(8, 0)]>
#i = #tile.instruction<name = "wgmma_m64k16_f16", shape = [64, 8, 16], types = [f16, f16, f32], a = #a, b = #b, c = #c>
func.func @global(%s: memref<?xf16>, %i: index, %c: f32) {
  // expected-error @below {{'lane.async_mma' op reads 'memref<?xf16>'; wgmma_m64k16_f16 reads 'f16' of shared memory}}
  %d:4 = lane.async_mma %s[%i], %s[%i], (%c, %c, %c, %c) instruction(#i) repeated 1
    : memref<?xf16>, memref<?xf16>, (f32, f32, f32, f32)
  return
}

// -----

#a = #tile.map<threads = [4:(0, 0), 8:(1, 0), 4:(16, 0)], values = [2:(8, 0), 16:(0, 1)]>
#b = #tile.map<threads = [4:(0, 2), 8:(0, 0), 4:(0, 0)], values = [2:(0, 1), 16:(1, 0)]>
#c = #tile.map<threads = [4:(0, 2), 8:(1, 0), 4:(16, 0)], values = [2:(0, 1), 2:(8, 0)]>
#i = #tile.instruction<name = "wgmma_m64k16_f16", shape = [64, 8, 16], types = [f16, f16, f32], a = #a, b = #b, c = #c>
func.func @factors(%a: f16, %c: f32) {
  // expected-error @below {{'lane.mma' op has factors in registers, but wgmma_m64k16_f16 reads shared memory: lane.async_mma has them there}}
  %d = lane.mma (%a), (%a), (%c) instruction(#i) : (f16), (f16), (f32)
  return
}

// -----

#i = #tile.instruction<name = "m8n8k4_f64", shape = [8, 8, 4], types = [f64, f64, f64],
  a = <threads = [4:(0, 1), 8:(1, 0)], values = []>,
  b = <threads = [4:(1, 0), 8:(0, 1)], values = []>, c = <threads = [4:(0, 2), 8:(1, 0)], values = [2:(0, 1)]>>
!shared = memref<?xf64, #gpu.address_space<workgroup>>
func.func @other(%s: !shared, %i: index, %c: f64) {
  // expected-error @below {{'lane.async_mma' op has factors in shared memory, but m8n8k4_f64 reads registers: lane.mma has them}}
  %d:2 = lane.async_mma %s[%i], %s[%i], (%c, %c) instruction(#i) repeated 1 : !shared, !shared, (f64, f64)
  return
}
