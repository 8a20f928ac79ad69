// Plans and layouts at the edge of what is legal give right results too.
// RUN: gemm-run --device=cpu --repeat=0 %s | FileCheck %s

// CHECK: PASS slice_per_step#0
// A step of one slice: the store of the next step and the fragments have the same view.
func.func @slice_per_step(%a: memref<20x6xf32>, %b: memref<6x24xf32>, %c: memref<20x24xf32>) {
  blas.gemm ins(%a, %b : memref<20x6xf32>, memref<6x24xf32>) outs(%c : memref<20x24xf32>)
      {plan = #blas.plan<macro = [16, 16, 1], micro = [4, 4], lanes = [4, 4], vector = 2,
                         a = <via = shared>, b = <via = shared>, stages = 2>}
  return
}

// CHECK: PASS tall_raster#0
// A raster of more tiles than there are, with sizes known at run time only: raster * tiles along N
// would not fit 32 bits.
func.func @tall_raster(%a: memref<?x?xf32> {rooftile.sizes = array<i64: 20, 6>},
                       %b: memref<?x?xf32> {rooftile.sizes = array<i64: 6, 32768>},
                       %c: memref<?x?xf32> {rooftile.sizes = array<i64: 20, 32768>}) {
  blas.gemm ins(%a, %b : memref<?x?xf32>, memref<?x?xf32>) outs(%c : memref<?x?xf32>)
      {plan = #blas.plan<macro = [32, 8, 8], micro = [4, 2], lanes = [8, 4], vector = 2,
                         a = <via = shared>, b = <via = shared>, stages = 2, raster = 1048576>}
  return
}

// CHECK: PASS one_a_for_all#0
// A batch whose A is one matrix, said by a stride of 0.
func.func @one_a_for_all(%a: memref<3x9x7xf32, strided<[0, 7, 1]>>, %b: memref<3x7x5xf32>,
                         %c: memref<3x9x5xf32>) {
  blas.gemm ins(%a, %b : memref<3x9x7xf32, strided<[0, 7, 1]>>, memref<3x7x5xf32>)
            outs(%c : memref<3x9x5xf32>)
  return
}

// CHECK: PASS odd_slots#0
// Stages that are no multiple of 16 bytes: each begins at one.
func.func @odd_slots(%a: memref<2x7xf32>, %b: memref<7x14xf32>, %c: memref<2x14xf32>) {
  blas.gemm ins(%a, %b : memref<2x7xf32>, memref<7x14xf32>) outs(%c : memref<2x14xf32>)
      {plan = #blas.plan<macro = [14, 7, 1], micro = [2, 7], lanes = [7, 1], vector = 1,
                         a = <via = shared, pad = 1>, b = <via = shared>, stages = 1>}
  return
}

// The small matrix in pairs of registers, its parts apart, block vectors with parts together: by rows and by columns.
// CHECK: PASS pairs#0 c128 gemm nn 4133x53x53
func.func @pairs(%a: memref<4133x53xcomplex<f64>>, %b: memref<53x53xcomplex<f64>>, %c: memref<4133x53xcomplex<f64>>) {
  blas.gemm ins(%a, %b : memref<4133x53xcomplex<f64>>, memref<53x53xcomplex<f64>>) outs(%c : memref<4133x53xcomplex<f64>>)
    plan(<macro = [32, 64, 56], micro = [4, 2], lanes = [4, 8], mma = m8n16k4_f64, a = <via = shared, copy = async, major = k, flat = 53>,
          b = <via = shared, layout = planar, pad = 4>, c = shared, flat = 53, stages = 1>)
  return
}

// CHECK: PASS pairs_of_columns#0 c128 gemm nn 40x4160x40
func.func @pairs_of_columns(%a: memref<40x40xcomplex<f64>>, %b: memref<40x4160xcomplex<f64>>, %c: memref<40x4160xcomplex<f64>>) {
  blas.gemm ins(%a, %b : memref<40x40xcomplex<f64>>, memref<40x4160xcomplex<f64>>) outs(%c : memref<40x4160xcomplex<f64>>)
    plan(<macro = [48, 32, 40], micro = [6, 2], lanes = [8, 4], mma = m16n8k4_f64, a = <via = shared, copy = async, pad = 4, major = k, layout = planar>,
          b = <via = shared, copy = async, swizzle = 2>, c = shared, stages = 1>)
  return
}
