// One product in one flag: host code that launches, and ISA in the widest forms of each chip.
// RUN: gemm-opt %s --blas-to-rocdl="chip=mi60 format=isa" -o %t.mlir 2>/dev/null
// RUN: FileCheck %s < %t.mlir --check-prefix=HOST
// RUN: sed 's/\\0A/\n/g; s/\\09/ /g' %t.mlir | FileCheck %s --check-prefixes=ISA,GFX9,GFX906
// RUN: gemm-opt %s --blas-to-rocdl="chip=mi250x format=isa" 2>/dev/null | sed 's/\\0A/\n/g; s/\\09/ /g' | FileCheck %s --check-prefixes=ISA,GFX9,GFX90A
// RUN: gemm-opt %s --blas-to-rocdl="chip=mi300x format=isa" 2>/dev/null | sed 's/\\0A/\n/g; s/\\09/ /g' | FileCheck %s --check-prefixes=ISA,GFX9,GFX942
// RUN: sed 's/lanes = \[8, 8\]/lanes = [4, 8]/' %s | gemm-opt --blas-to-rocdl="chip=rx7900xtx format=isa" 2>/dev/null | sed 's/\\0A/\n/g; s/\\09/ /g' | FileCheck %s --check-prefixes=ISA,GFX11

// HOST-NOT: {{blas\.gemm|tile\.[a-z]}}
// HOST: llvm.func @product
// HOST: gpu.launch_func {{.*}}@gemm_f32_nn_128x128x8_module::@gemm_f32_nn_128x128x8 blocks in ({{.*}}) : i64 args(
// HOST: gpu.binary @gemm_f32_nn_128x128x8_module {blas.kernels = [#blas.kernel<{{.*}}>]} [#gpu.object<#rocdl.target<O = 3, chip = "gfx906"
// HOST-SAME: group_segment_fixed_size = 16640
// HOST-SAME: private_segment_fixed_size = 0

// The main loop: loads of the next step that are in flight past the barrier, fragments and FMAs, then
// stores. Nothing goes through flat addressing, scratch or a copy of fragments.
// ISA: .amdhsa_code_object_version 5
// ISA-NOT: flat_{{load|store}}
// ISA-NOT: scratch_{{load|store}}
// GFX9: global_load_dwordx4
// GFX9: ds_write_b128
// GFX9: .LBB0_1:
// GFX9: global_load_dwordx4
// GFX9-NOT: vmcnt
// GFX9: s_barrier
// GFX9: ds_read_b128
// GFX906: v_fmac_f32
// GFX90A: v_pk_fma_f32
// GFX942: v_pk_fma_f32
// GFX9: ds_write_b128
// GFX9: s_cbranch
// GFX9: global_store_dwordx4
// GFX11: global_load_b128
// GFX11: ds_store_b128
// GFX11: .LBB0_1:
// GFX11: global_load_b128
// GFX11-NOT: vmcnt
// GFX11: s_barrier
// GFX11: ds_load_b128
// GFX11: v_dual_fmac_f32
// GFX11: ds_store_b128
// GFX11: s_cbranch
// GFX11: global_store_b128
// ISA: .amdhsa_group_segment_fixed_size 16640
// ISA: .amdhsa_private_segment_fixed_size 0
// GFX11: .amdhsa_wavefront_size32 1
// GFX11: .amdhsa_workgroup_processor_mode 0
func.func @product(%a: memref<1024x1024xf32>, %b: memref<1024x1024xf32>, %c: memref<1024x1024xf32>) {
  blas.gemm ins(%a, %b : memref<1024x1024xf32>, memref<1024x1024xf32>) outs(%c : memref<1024x1024xf32>)
    plan(<macro = [128, 128, 8], micro = [8, 8], lanes = [8, 8], vector = 4,
          a = <via = shared, vector = 4, pad = 4>, b = <via = shared, vector = 4>, raster = 8, residency = 2>)
  return
}
