// More than 2^31 elements: rows far apart, offsets, and a result with as many; needs 60 GB on the host
// and 30 GB on a GPU: lit --param huge=1.
// REQUIRES: cuda-device, huge
// RUN: gemm-run %s --device=cuda --repeat=0 | FileCheck %s
// CHECK-COUNT-4: PASS
// CHECK-NOT: FAIL

!far = memref<3x40xf32, strided<[2200000000, 1]>>
func.func @far_apart(%a: !far, %b: memref<40x50xf32, strided<[50, 1], offset: 2200000001>>, %c: memref<3x50xf32, strided<[2200000000, 1], offset: 3>>) {
  blas.gemm ins(%a, %b : !far, memref<40x50xf32, strided<[50, 1], offset: 2200000001>>) outs(%c : memref<3x50xf32, strided<[2200000000, 1], offset: 3>>)
  return
}

// Lines of odd length: what is left of 4 GiB is more bytes than 32 bits count.
func.func @odd_lines(%a: memref<153391689x7xf32>, %b: memref<153391689x7xf32>, %c: memref<7x7xf32>) {
  blas.gemm opA<t> ins(%a, %b : memref<153391689x7xf32>, memref<153391689x7xf32>) outs(%c : memref<7x7xf32>)
  return
}

func.func @large(%a: memref<50000x16xf32>, %b: memref<16x50001xf32>, %c: memref<50000x50001xf32>) {
  blas.gemm ins(%a, %b : memref<50000x16xf32>, memref<16x50001xf32>) outs(%c : memref<50000x50001xf32>)
  return
}

func.func @dynamic(%a: memref<?x?xf32> {rooftile.sizes = array<i64: 50001, 16>}, %b: memref<?x?xf32> {rooftile.sizes = array<i64: 16, 50000>}, %c: memref<?x?xf32> {rooftile.sizes = array<i64: 50001, 50000>}) {
  blas.gemm ins(%a, %b : memref<?x?xf32>, memref<?x?xf32>) outs(%c : memref<?x?xf32>)
  return
}
