// RUN: gemm-opt %s --split-input-file --verify-diagnostics

func.func @types(%global: memref<?xf32>, %shared: memref<?xf64>, %i: index) {
  // expected-error @+1 {{'lane.copy' op copies 'f32' to 'f64'}}
  lane.copy %global[%i], %shared[%i] elements 1 : memref<?xf32>, memref<?xf64>
  return
}

// -----

func.func @indices(%global: memref<?xindex>, %i: index) {
  // expected-error @+1 {{'lane.copy' op copies 'index', neither integer nor float}}
  lane.copy %global[%i], %global[%i] elements 1 : memref<?xindex>, memref<?xindex>
  return
}

// -----

func.func @rank(%global: memref<4x4xf32>, %shared: memref<?xf32>, %i: index) {
  // expected-error @+1 {{'lane.copy' op source is no flat memref: 'memref<4x4xf32>'}}
  lane.copy %global[%i], %shared[%i] elements 1 : memref<4x4xf32>, memref<?xf32>
  return
}

// -----

func.func @layout(%global: memref<?xf32>, %shared: memref<?xf32, strided<[2]>>, %i: index) {
  // expected-error @+1 {{'lane.copy' op target is no flat memref: 'memref<?xf32, strided<[2]>>'}}
  lane.copy %global[%i], %shared[%i] elements 1 : memref<?xf32>, memref<?xf32, strided<[2]>>
  return
}

// -----

func.func @width(%global: memref<?xf32>, %shared: memref<?xf32>, %i: index) {
  // expected-error @+1 {{'lane.copy' op moves 3 elements of 'f32'; hardware moves 4, 8 or 16 bytes}}
  lane.copy %global[%i], %shared[%i] elements 3 : memref<?xf32>, memref<?xf32>
  return
}

// -----

func.func @pending() {
  // expected-error @+1 {{'lane.wait' op attribute 'pending' failed to satisfy constraint}}
  lane.wait -1
  return
}

// -----

func.func @pointer_to_a_matrix(%address: i64) {
  // expected-error @+1 {{'lane.pointer' op makes a pointer to global memory, got 'memref<4xf32>'}}
  %pointer = lane.pointer %address : memref<4xf32>
  return
}

// -----

func.func @reals_of_a_matrix(%numbers: memref<4xcomplex<f32>>) {
  // expected-error @+1 {{'lane.as_real' op needs a pointer to complex elements, got 'memref<4xcomplex<f32>>'}}
  %parts = lane.as_real %numbers : memref<4xcomplex<f32>> -> memref<f32>
  return
}

// -----

func.func @reals_of_reals(%numbers: memref<f32>) {
  // expected-error @+1 {{'lane.as_real' op needs a pointer to complex elements, got 'memref<f32>'}}
  %parts = lane.as_real %numbers : memref<f32> -> memref<f32>
  return
}

// -----

func.func @other_reals(%numbers: memref<complex<f32>>) {
  // expected-error @+1 {{'lane.as_real' op makes a pointer to 'f32', got 'memref<f64>'}}
  %parts = lane.as_real %numbers : memref<complex<f32>> -> memref<f64>
  return
}

// -----

func.func @odd_bulk(%global: memref<?xf32>, %counters: memref<?xi64>, %i: index) {
  // expected-error @+1 {{'lane.bulk_copy' op moves 6 elements of 'f32'; hardware moves multiples of 16 bytes up to 1048560}}
  lane.bulk_copy %global[%i], %global[%i] elements 6 arrives %counters[%i] : memref<?xf32>, memref<?xf32>, memref<?xi64>
  return
}

// -----

func.func @long_bulk(%global: memref<?xf64>, %counters: memref<?xi64>, %i: index) {
  // expected-error @+1 {{'lane.bulk_copy' op moves 131072 elements of 'f64'; hardware moves multiples of 16 bytes up to 1048560}}
  lane.bulk_copy %global[%i], %global[%i] elements 131072 arrives %counters[%i] : memref<?xf64>, memref<?xf64>, memref<?xi64>
  return
}

// -----

func.func @other_bulk(%global: memref<?xf32>, %shared: memref<?xf64>, %counters: memref<?xi64>, %i: index) {
  // expected-error @+1 {{'lane.bulk_copy' op copies 'f32' to 'f64'}}
  lane.bulk_copy %global[%i], %shared[%i] elements 4 arrives %counters[%i] : memref<?xf32>, memref<?xf64>, memref<?xi64>
  return
}

// -----

func.func @counters(%counters: memref<?xi32>, %i: index) {
  // expected-error @+1 {{'lane.arrived' op counters are no flat memref of i64: 'memref<?xi32>'}}
  lane.arrived %counters[%i] parity %i : memref<?xi32>
  return
}

// -----

func.func @expect(%counters: memref<?xi64>, %i: index) {
  // expected-error @+1 {{'lane.expect' op expects 24 bytes, no multiple of 16 up to 1048560}}
  lane.expect %counters[%i] bytes 24 : memref<?xi64>
  return
}

// -----

func.func @no_descriptor(%d: i64, %shared: memref<?xf32>, %counters: memref<?xi64>, %i: index) {
  // expected-error @+1 {{'lane.tensor_copy' op descriptor is 'i64', expected '!llvm.array<16 x i64>'}}
  lane.tensor_copy %d[%i, %i], %shared[%i] elements 16 arrives %counters[%i] : i64, memref<?xf32>, memref<?xi64>
  return
}

// -----

func.func @large_box(%d: !llvm.array<16 x i64>, %shared: memref<?xf32>, %counters: memref<?xi64>, %i: index) {
  // expected-error @+1 {{'lane.tensor_copy' op moves 65540 elements of 'f32'; hardware moves up to 256x256, in multiples of 16 bytes}}
  lane.tensor_copy %d[%i, %i], %shared[%i] elements 65540 arrives %counters[%i] : !llvm.array<16 x i64>, memref<?xf32>, memref<?xi64>
  return
}

// -----

func.func @strided_target(%d: !llvm.array<16 x i64>, %shared: memref<?x4xf32>, %counters: memref<?xi64>, %i: index) {
  // expected-error @+1 {{'lane.tensor_copy' op target is no flat memref: 'memref<?x4xf32>'}}
  lane.tensor_copy %d[%i, %i], %shared[%i] elements 16 arrives %counters[%i] : !llvm.array<16 x i64>, memref<?x4xf32>, memref<?xi64>
  return
}
