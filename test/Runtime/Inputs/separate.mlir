func.func private @helper(%a: memref<16x16xf32>, %b: memref<16x16xf32>, %c: memref<16x16xf32, strided<[32, 1]>>, %factor: f32) {
  %t = memref.alloc() : memref<16x16xf32>
  blas.gemm ins(%a, %b : memref<16x16xf32>, memref<16x16xf32>) outs(%t : memref<16x16xf32>) alpha(%factor : f32)
  memref.copy %t, %c : memref<16x16xf32> to memref<16x16xf32, strided<[32, 1]>>
  memref.dealloc %t : memref<16x16xf32>
  return
}
func.func @NAME(%a: memref<16x16xf32>, %b: memref<16x16xf32>, %c: memref<16x16xf32, strided<[32, 1]>>) attributes {llvm.emit_c_interface} {
  %factor = arith.constant FACTOR : f32
  call @helper(%a, %b, %c, %factor) : (memref<16x16xf32>, memref<16x16xf32>, memref<16x16xf32, strided<[32, 1]>>, f32) -> ()
  return
}
