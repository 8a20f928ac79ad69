// A batch by pointers on GPUs: addresses lead to global memory, and LLVM is given that.
// RUN: gemm-opt %s --blas-to-nvvm="chip=h200 format=isa" 2>/dev/null | sed 's/\\0A/\n/g; s/\\09/ /g' | FileCheck %s --check-prefix=PTX
// RUN: gemm-opt %s --blas-to-rocdl="chip=mi300x format=isa" 2>/dev/null | sed 's/\\0A/\n/g; s/\\09/ /g' | FileCheck %s --check-prefix=ISA

// PTX-NOT: {{(ld|st)\.(b|f|v)}}
// PTX: cvta.to.global
// PTX: ld.global{{.*}}.b64
// PTX-NOT: {{(ld|st)\.(b|f|v)}}
// PTX: ld.global{{.*}}.v4
// PTX-NOT: {{(ld|st)\.(b|f|v)}}
// PTX: st.global.v2
// PTX-NOT: {{(ld|st)\.(b|f|v)}}

// ISA-NOT: flat_{{load|store}}
// ISA: s_load_dwordx2
// ISA: global_load_dwordx{{[24]}}
// ISA-NOT: flat_{{load|store}}
// ISA: global_store_dword
// ISA-NOT: flat_{{load|store}}
func.func @main(%pa: memref<70000xi64>, %pb: memref<70000xi64>, %pc: memref<70000xi64>) {
  %a = blas.batch %pa : memref<70000xi64> to memref<70000x16x16xf32, #blas.pointers<strides = [16, 1], align = 16>>
  %b = blas.batch %pb : memref<70000xi64> to memref<70000x16x16xf32, #blas.pointers<strides = [16, 1], align = 16>>
  %c = blas.batch %pc : memref<70000xi64> to memref<70000x16x16xf32, #blas.pointers<strides = [16, 1], align = 16>>
  blas.gemm ins(%a, %b : memref<70000x16x16xf32, #blas.pointers<strides = [16, 1], align = 16>>, memref<70000x16x16xf32, #blas.pointers<strides = [16, 1], align = 16>>)
    outs(%c : memref<70000x16x16xf32, #blas.pointers<strides = [16, 1], align = 16>>)
  return
}
