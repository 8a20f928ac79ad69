// One product in one flag: host code that launches, and PTX with the widest accesses.
// RUN: gemm-opt %s --blas-to-nvvm="chip=h200 format=isa" -o %t.mlir 2>/dev/null
// RUN: FileCheck %s < %t.mlir --check-prefix=HOST
// RUN: sed 's/\\0A/\n/g; s/\\09/ /g' %t.mlir | FileCheck %s --check-prefix=PTX

// HOST-NOT: {{blas\.gemm|tile\.[a-z]}}
// HOST: llvm.func @product
// HOST: gpu.launch_func <%{{.*}} : !llvm.ptr> @gemm_f32_nn_128x128x16_module::@gemm_f32_nn_128x128x16 blocks in ({{.*}}) : i64 dynamic_shared_memory_size
// HOST: gpu.binary @gemm_f32_nn_128x128x16_module {blas.kernels = {{.*}}} [#gpu.object<#nvvm.target<O = 3, chip = "sm_90a"

// 256 threads, two workgroups a unit. The main loop: the loads of the next step, then fragments and
// FMAs, then stores, one barrier.
// PTX: .target sm_90a
// PTX: .extern .shared .align 1024 .b8 rooftile_shared[]
// PTX: .visible .entry gemm_f32_nn_128x128x16(
// PTX: .maxntid 256
// PTX: .minnctapersm 2
// PTX-NOT: .local
// PTX: ld.global{{(.nc)?}}.v4.b32
// PTX: st.shared
// PTX: ld.global{{(.nc)?}}.v4.b32
// PTX: bar.sync
// PTX: ld.shared.v4.b32
// PTX: fma.rn.f32
// PTX: st.shared
// PTX: bra
// PTX: bar.sync
// PTX-NOT: bar.sync
// PTX: st.global.v4.b32
// PTX: ret;
func.func @product(%a: memref<1024x1024xf32>, %b: memref<1024x1024xf32>, %c: memref<1024x1024xf32>) {
  blas.gemm ins(%a, %b : memref<1024x1024xf32>, memref<1024x1024xf32>) outs(%c : memref<1024x1024xf32>)
    plan(<macro = [128, 128, 16], micro = [8, 8], lanes = [4, 8], vector = 4,
          a = <via = shared, vector = 4, pad = 4>, b = <via = shared, vector = 4>, raster = 8, residency = 2>)
  return
}
