// Elementwise consumers of a product become its epilogue, as long as the results stay the same.
// RUN: gemm-opt %s --convert-linalg-to-blas --canonicalize | FileCheck %s
// RUN: gemm-opt %s --convert-linalg-to-blas -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// Idempotent.
// RUN: gemm-opt %s --convert-linalg-to-blas --canonicalize -o %t.once
// RUN: gemm-opt %t.once --convert-linalg-to-blas=remarks=false --canonicalize | diff %t.once -

#matrix = affine_map<(m, n) -> (m, n)>
#columns = affine_map<(m, n) -> (n)>
#scalar = affine_map<(m, n) -> ()>

// Bias and relu, with a constant and a number from outside.
// CHECK-LABEL: func.func @layer
// CHECK-SAME: %[[BIAS:[a-z0-9]+]]: tensor<24xf32>, %[[S:[a-z0-9]+]]: f32)
// CHECK: %[[D:.*]] = tensor.empty() : tensor<17x24xf32>
// CHECK: blas.gemm ins({{.*}}) outs(%[[D]] : tensor<17x24xf32>) -> tensor<17x24xf32> epilogue(%[[SUM:[a-z0-9_]+]]: f32, %[[X:[a-z0-9_]+]] = %[[BIAS]][1] : tensor<24xf32>, %[[Y:[a-z0-9_]+]] = %[[S]] : f32) {
// CHECK-NEXT: %[[ZERO:.*]] = arith.constant 0.0
// CHECK-NEXT: %[[T:.*]] = arith.addf %[[SUM]], %[[X]]
// CHECK-NEXT: %[[U:.*]] = arith.mulf %[[T]], %[[Y]]
// CHECK-NEXT: %[[V:.*]] = arith.maximumf %[[U]], %[[ZERO]]
// CHECK-NEXT: blas.yield %[[V]]
// CHECK-NOT: linalg
func.func @layer(%a: tensor<17x9xf32>, %b: tensor<9x24xf32>, %bias: tensor<24xf32>, %s: f32) -> tensor<17x24xf32> {
  %zero = arith.constant 0.0 : f32
  %0 = tensor.empty() : tensor<17x24xf32>
  %1 = linalg.fill ins(%zero : f32) outs(%0 : tensor<17x24xf32>) -> tensor<17x24xf32>
  %2 = linalg.matmul ins(%a, %b : tensor<17x9xf32>, tensor<9x24xf32>) outs(%1 : tensor<17x24xf32>) -> tensor<17x24xf32>
  %3 = linalg.generic {indexing_maps = [#matrix, #columns, #matrix], iterator_types = ["parallel", "parallel"]}
      ins(%2, %bias : tensor<17x24xf32>, tensor<24xf32>) outs(%0 : tensor<17x24xf32>) {
  ^bb0(%x: f32, %y: f32, %out: f32):
    %4 = arith.addf %x, %y : f32
    %5 = arith.mulf %4, %s : f32
    linalg.yield %5 : f32
  } -> tensor<17x24xf32>
  %6 = linalg.generic {indexing_maps = [#matrix, #matrix], iterator_types = ["parallel", "parallel"]}
      ins(%3 : tensor<17x24xf32>) outs(%0 : tensor<17x24xf32>) {
  ^bb0(%x: f32, %out: f32):
    %7 = arith.maximumf %x, %zero : f32
    linalg.yield %7 : f32
  } -> tensor<17x24xf32>
  return %6 : tensor<17x24xf32>
}

// Named operations; what is only repeated is read where it comes from. beta stays before the function.
// CHECK-LABEL: func.func @named
// CHECK-SAME: %[[C:[a-z0-9]+]]: tensor<17x24xf32>, %[[BIAS:[a-z0-9]+]]: tensor<17xf32>)
// CHECK: blas.gemm ins({{.*}}) outs(%[[C]] : tensor<17x24xf32>) beta(%{{.*}} : f32) -> tensor<17x24xf32> epilogue(%[[SUM:[a-z0-9_]+]]: f32, %[[X:[a-z0-9_]+]] = %[[BIAS]][0] : tensor<17xf32>, %[[Y:[a-z0-9_]+]] = %{{.*}} : f32) {
// CHECK: arith.addf %[[SUM]], %[[X]]
// CHECK: arith.maximumf %{{.*}}, %[[Y]]
// CHECK-NOT: linalg
func.func @named(%a: tensor<17x9xf32>, %b: tensor<9x24xf32>, %c: tensor<17x24xf32>, %bias: tensor<17xf32>) -> tensor<17x24xf32> {
  %zero = arith.constant 0.0 : f32
  %0 = linalg.matmul ins(%a, %b : tensor<17x9xf32>, tensor<9x24xf32>) outs(%c : tensor<17x24xf32>) -> tensor<17x24xf32>
  %1 = tensor.empty() : tensor<17x24xf32>
  %2 = linalg.broadcast ins(%bias : tensor<17xf32>) outs(%1 : tensor<17x24xf32>) dimensions = [1]
  %3 = linalg.add ins(%0, %2 : tensor<17x24xf32>, tensor<17x24xf32>) outs(%1 : tensor<17x24xf32>) -> tensor<17x24xf32>
  %4 = linalg.fill ins(%zero : f32) outs(%1 : tensor<17x24xf32>) -> tensor<17x24xf32>
  %5 = linalg.max ins(%3, %4 : tensor<17x24xf32>, tensor<17x24xf32>) outs(%1 : tensor<17x24xf32>) -> tensor<17x24xf32>
  return %5 : tensor<17x24xf32>
}

// The product was rounded to f16 before the bias: it still is. A cast after a product in f32 is the store's.
// CHECK-LABEL: func.func @half
// CHECK: blas.gemm {{.*}} epilogue(%[[SUM:[a-z0-9_]+]]: f32, %[[X:[a-z0-9_]+]] = %{{.*}}[1] : tensor<24xf16>) {
// CHECK-NEXT: %[[T:.*]] = arith.truncf %[[SUM]] : f32 to f16
// CHECK-NEXT: %[[U:.*]] = arith.addf %[[T]], %[[X]] : f16
// CHECK-NEXT: %[[V:.*]] = arith.extf %[[U]] : f16 to f32
// CHECK-NEXT: blas.yield %[[V]] : f32
// CHECK: blas.gemm ins({{.*}} : tensor<17x9xf32>, tensor<9x24xf32>) outs(%{{.*}} : tensor<17x24xf16>) -> tensor<17x24xf16> epilogue(%[[SUM:[a-z0-9_]+]]: f32) {
// CHECK-NEXT: arith.truncf
// CHECK-NEXT: arith.extf
// CHECK-NEXT: blas.yield
func.func @half(%a: tensor<17x9xf16>, %b: tensor<9x24xf16>, %bias: tensor<24xf16>, %x: tensor<17x9xf32>, %y: tensor<9x24xf32>)
    -> (tensor<17x24xf16>, tensor<17x24xf16>) {
  %zero = arith.constant 0.0 : f16
  %0 = tensor.empty() : tensor<17x24xf16>
  %1 = linalg.fill ins(%zero : f16) outs(%0 : tensor<17x24xf16>) -> tensor<17x24xf16>
  %2 = linalg.matmul ins(%a, %b : tensor<17x9xf16>, tensor<9x24xf16>) outs(%1 : tensor<17x24xf16>) -> tensor<17x24xf16>
  %3 = linalg.generic {indexing_maps = [#matrix, #columns, #matrix], iterator_types = ["parallel", "parallel"]}
      ins(%2, %bias : tensor<17x24xf16>, tensor<24xf16>) outs(%0 : tensor<17x24xf16>) {
  ^bb0(%in: f16, %e: f16, %out: f16):
    %s = arith.addf %in, %e : f16
    linalg.yield %s : f16
  } -> tensor<17x24xf16>
  %wide = arith.constant 0.0 : f32
  %4 = tensor.empty() : tensor<17x24xf32>
  %5 = linalg.fill ins(%wide : f32) outs(%4 : tensor<17x24xf32>) -> tensor<17x24xf32>
  %6 = linalg.matmul ins(%x, %y : tensor<17x9xf32>, tensor<9x24xf32>) outs(%5 : tensor<17x24xf32>) -> tensor<17x24xf32>
  %7 = linalg.generic {indexing_maps = [#matrix, #matrix], iterator_types = ["parallel", "parallel"]}
      ins(%6 : tensor<17x24xf32>) outs(%0 : tensor<17x24xf16>) {
  ^bb0(%in: f32, %out: f16):
    %s = arith.truncf %in : f32 to f16
    linalg.yield %s : f16
  } -> tensor<17x24xf16>
  return %3, %7 : tensor<17x24xf16>, tensor<17x24xf16>
}

// An operation that no epilogue can express stays, with a remark; a product that others read, too, is left alone.
// CHECK-LABEL: func.func @stays
// CHECK: blas.gemm
// CHECK-NOT: epilogue
// CHECK: linalg.generic
// CHECK: blas.gemm
// CHECK-NOT: epilogue
// CHECK: linalg.exp
// CHECK: blas.gemm
// CHECK-NOT: epilogue
// REMARK: remark: linalg.generic stays: is no part of the epilogue of the product: math.sin is not among the operations of epilogues
// REMARK: remark: linalg.generic stays: is no part of the epilogue of the product: its result is not in the order of its loops
func.func @stays(%a: tensor<8x8xf32>, %b: tensor<8x8xf32>, %c: tensor<8x8xf32>)
    -> (tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>) {
  %e = tensor.empty() : tensor<8x8xf32>
  %0 = linalg.matmul ins(%a, %b : tensor<8x8xf32>, tensor<8x8xf32>) outs(%c : tensor<8x8xf32>) -> tensor<8x8xf32>
  %1 = linalg.generic {indexing_maps = [#matrix, #matrix], iterator_types = ["parallel", "parallel"]}
      ins(%0 : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %s = math.sin %in : f32
    linalg.yield %s : f32
  } -> tensor<8x8xf32>
  %2 = linalg.matmul ins(%a, %b : tensor<8x8xf32>, tensor<8x8xf32>) outs(%c : tensor<8x8xf32>) -> tensor<8x8xf32>
  %3 = linalg.exp ins(%2 : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %4 = linalg.matmul ins(%b, %a : tensor<8x8xf32>, tensor<8x8xf32>) outs(%c : tensor<8x8xf32>) -> tensor<8x8xf32>
  %5 = linalg.generic {indexing_maps = [#matrix, affine_map<(m, n) -> (n, m)>], iterator_types = ["parallel", "parallel"]}
      ins(%4 : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %s = arith.negf %in : f32
    linalg.yield %s : f32
  } -> tensor<8x8xf32>
  return %1, %2, %3, %5 : tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>
}
