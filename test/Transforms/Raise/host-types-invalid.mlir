// RUN: gemm-opt %s --host-types --split-input-file --verify-diagnostics

// expected-error @+1 {{'func.func': argument 1 is in memory space 3 : i64, which is not global memory; host code has dense tensors, and memory that is global}}
func.func @shared(%a: memref<16x8xf32>, %b: memref<8xf32, 3>) {
  return
}

// -----

func.func @private() {
  // expected-error @+1 {{'memref.alloca': result 0 is in memory space #gpu.address_space<private>, which is not global memory}}
  %m = memref.alloca() : memref<8xf32, #gpu.address_space<private>>
  return
}

// -----

func.func @allocated() -> tensor<4xf32> {
  // expected-error @+1 {{'bufferization.alloc_tensor': result 0 is in memory space "local", which is not global memory}}
  %t = bufferization.alloc_tensor() {memory_space = "local"} : tensor<4xf32>
  return %t : tensor<4xf32>
}

// -----

// expected-error @+1 {{'func.func': argument 0 has the encoding "packed": it is no dense matrix}}
func.func @packed(%a: tensor<16x8xf32, "packed">) {
  return
}

// -----

// expected-error @+1 {{a module inside the module is another program; host code has dense tensors, and memory that is global}}
module @inner {
}
func.func private @outer()
