// Operations that front ends put around products go through every pipeline, and nothing is left in the output.
// RUN: gemm-opt %s --blas-to-nvvm="chip=h200 format=isa" -o %t.nvvm 2> %t.nvvm-says
// RUN: FileCheck %s < %t.nvvm
// RUN: FileCheck %s --check-prefix=SAYS < %t.nvvm-says
// RUN: gemm-opt %s --blas-to-rocdl="chip=mi250x format=isa" -o %t.rocdl 2> %t.rocdl-says
// RUN: FileCheck %s < %t.rocdl
// RUN: FileCheck %s --check-prefix=SAYS < %t.rocdl-says
// RUN: gemm-opt %s --blas-to-cpu="chip=h200" -o %t.cpu 2> %t.cpu-says
// RUN: FileCheck %s < %t.cpu
// RUN: gemm-run %s --device=cpu --repeat=1 | FileCheck %s --check-prefix=RESULT

// Only what reads and writes elements by itself runs on the host.
// SAYS-NOT: is left as it is
// SAYS: remark: staged host code 'scf.for'
// SAYS-NEXT: to host: memref<32x48xf32>
// SAYS-NEXT: to device: memref<32x48xf32>
// SAYS-NOT: staged host code
// SAYS-NOT: is left as it is
// CHECK-NOT: {{(= |^ +)(linalg|tensor|scf|vector|memref|affine|arith|math|builtin)\.}}
// CHECK: llvm.func @attention
// CHECK-NOT: {{(= |^ +)(linalg|tensor|scf|vector|memref|affine|arith|math|builtin)\.}}
// RESULT-DAG: PASS attention#0
// RESULT-DAG: PASS attention#1
// RESULT-DAG: PASS repacked#0
// RESULT-DAG: PASS elementwise#0
// RESULT-DAG: PASS tiled#0
// The product inside of scf.forall is a part of its kernel.
// RESULT-DAG: PASS norm#0
// RESULT-DAG: PASS vectors#0
// RESULT-NOT: FAIL
#both = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
module attributes {
    dlti.dl_spec = #dlti.dl_spec<#dlti.dl_entry<index, 64 : i32>>,
    dlti.target_system_spec = #dlti.target_system_spec<
      "CPU" = #dlti.target_device_spec<"L1_cache_size_in_bytes" = 4096 : i32>>} {
func.func @attention(%q: tensor<32x16xf32>, %k: tensor<16x48xf32>, %v: tensor<48x16xf32>)
    -> tensor<32x16xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<32x48xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<32x48xf32>) -> tensor<32x48xf32>
  %s = linalg.matmul ins(%q, %k : tensor<32x16xf32>, tensor<16x48xf32>)
                     outs(%i : tensor<32x48xf32>) -> tensor<32x48xf32>
  %p = linalg.softmax dimension(1) ins(%s : tensor<32x48xf32>) outs(%e : tensor<32x48xf32>)
      -> tensor<32x48xf32>
  %e2 = tensor.empty() : tensor<32x16xf32>
  %i2 = linalg.fill ins(%zero : f32) outs(%e2 : tensor<32x16xf32>) -> tensor<32x16xf32>
  %o = linalg.matmul ins(%p, %v : tensor<32x48xf32>, tensor<48x16xf32>)
                     outs(%i2 : tensor<32x16xf32>) -> tensor<32x16xf32>
  return %o : tensor<32x16xf32>
}
func.func @softmax_on_memrefs(%x: memref<4x?xf32>, %y: memref<4x?xf32>) {
  linalg.softmax dimension(1) ins(%x : memref<4x?xf32>) outs(%y : memref<4x?xf32>)
  return
}
func.func @repacked(%x: tensor<30x16xf32>, %w: tensor<16x48xf32>) -> tensor<30x48xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x2x8x8xf32>
  %p = linalg.pack %x padding_value(%zero : f32) inner_dims_pos = [0, 1] inner_tiles = [8, 8]
      into %e : tensor<30x16xf32> -> tensor<4x2x8x8xf32>
  %e2 = tensor.empty() : tensor<30x16xf32>
  %u = linalg.unpack %p inner_dims_pos = [0, 1] inner_tiles = [8, 8]
      into %e2 : tensor<4x2x8x8xf32> -> tensor<30x16xf32>
  %e3 = tensor.empty() : tensor<30x48xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e3 : tensor<30x48xf32>) -> tensor<30x48xf32>
  %s = linalg.matmul ins(%u, %w : tensor<30x16xf32>, tensor<16x48xf32>)
                     outs(%i : tensor<30x48xf32>) -> tensor<30x48xf32>
  return %s : tensor<30x48xf32>
}
func.func @elementwise(%x: tensor<32x16xf32>, %w: tensor<16x48xf32>) -> tensor<32x48xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<32x48xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<32x48xf32>) -> tensor<32x48xf32>
  %s = linalg.matmul ins(%x, %w : tensor<32x16xf32>, tensor<16x48xf32>)
                     outs(%i : tensor<32x48xf32>) -> tensor<32x48xf32>
  %two = arith.constant dense<2.0> : tensor<32x48xf32>
  %d = arith.mulf %s, %two : tensor<32x48xf32>
  %r = arith.maximumf %d, %two : tensor<32x48xf32>
  return %r : tensor<32x48xf32>
}
func.func @tiled(%x: tensor<32x16xf32>, %w: tensor<16x48xf32>) -> tensor<32x48xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<32x48xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<32x48xf32>) -> tensor<32x48xf32>
  %s = linalg.matmul ins(%x, %w : tensor<32x16xf32>, tensor<16x48xf32>)
                     outs(%i : tensor<32x48xf32>) -> tensor<32x48xf32>
  %r = scf.forall (%t) in (4) shared_outs(%out = %e) -> tensor<32x48xf32> {
    %o = affine.apply affine_map<(d0) -> (d0 * 8)>(%t)
    %a = tensor.extract_slice %s[%o, 0] [8, 48] [1, 1] : tensor<32x48xf32> to tensor<8x48xf32>
    %b = tensor.extract_slice %out[%o, 0] [8, 48] [1, 1] : tensor<32x48xf32> to tensor<8x48xf32>
    %m = tensor.empty() : tensor<8xf32>
    %z = linalg.fill ins(%zero : f32) outs(%m : tensor<8xf32>) -> tensor<8xf32>
    %sum = linalg.reduce { arith.addf } ins(%a : tensor<8x48xf32>) outs(%z : tensor<8xf32>)
        dimensions = [1]
    %d = linalg.generic {indexing_maps = [#both, #row, #both],
                         iterator_types = ["parallel", "parallel"]}
        ins(%a, %sum : tensor<8x48xf32>, tensor<8xf32>) outs(%b : tensor<8x48xf32>) {
    ^bb0(%u: f32, %v: f32, %old: f32):
      %y = arith.subf %u, %v : f32
      linalg.yield %y : f32
    } -> tensor<8x48xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %d into %out[%o, 0] [8, 48] [1, 1]
          : tensor<8x48xf32> into tensor<32x48xf32>
    }
  }
  return %r : tensor<32x48xf32>
}
func.func @batch(%x: tensor<4x32x16xf32>, %w: tensor<16x48xf32>) -> tensor<4x32x48xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x32x48xf32>
  %r = scf.forall (%t) in (4) shared_outs(%out = %e) -> tensor<4x32x48xf32> {
    %a = tensor.extract_slice %x[%t, 0, 0] [1, 32, 16] [1, 1, 1]
        : tensor<4x32x16xf32> to tensor<32x16xf32>
    %b = tensor.extract_slice %out[%t, 0, 0] [1, 32, 48] [1, 1, 1]
        : tensor<4x32x48xf32> to tensor<32x48xf32>
    %i = linalg.fill ins(%zero : f32) outs(%b : tensor<32x48xf32>) -> tensor<32x48xf32>
    %s = linalg.matmul ins(%a, %w : tensor<32x16xf32>, tensor<16x48xf32>)
                       outs(%i : tensor<32x48xf32>) -> tensor<32x48xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s into %out[%t, 0, 0] [1, 32, 48] [1, 1, 1]
          : tensor<32x48xf32> into tensor<4x32x48xf32>
    }
  }
  return %r : tensor<4x32x48xf32>
}
// The sum of all elements, and the place of the largest, which nothing can spread.
func.func @norm(%x: tensor<32x16xf32>, %w: tensor<16x48xf32>)
    -> (tensor<f32>, tensor<f32>, tensor<i32>) {
  %zero = arith.constant 0.0 : f32
  %none = arith.constant -1 : i32
  %e = tensor.empty() : tensor<32x48xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<32x48xf32>) -> tensor<32x48xf32>
  %s = linalg.matmul ins(%x, %w : tensor<32x16xf32>, tensor<16x48xf32>)
                     outs(%i : tensor<32x48xf32>) -> tensor<32x48xf32>
  %e0 = tensor.empty() : tensor<f32>
  %z = linalg.fill ins(%zero : f32) outs(%e0 : tensor<f32>) -> tensor<f32>
  %sum = linalg.reduce { arith.addf } ins(%s : tensor<32x48xf32>) outs(%z : tensor<f32>)
      dimensions = [0, 1]
  %ei = tensor.empty() : tensor<i32>
  %zi = linalg.fill ins(%none : i32) outs(%ei : tensor<i32>) -> tensor<i32>
  %max:2 = linalg.generic {
      indexing_maps = [#both, affine_map<(i, j) -> ()>, affine_map<(i, j) -> ()>],
      iterator_types = ["reduction", "reduction"]}
      ins(%s : tensor<32x48xf32>) outs(%z, %zi : tensor<f32>, tensor<i32>) {
  ^bb0(%in: f32, %best: f32, %where: i32):
    %j = linalg.index 1 : index
    %here = arith.index_cast %j : index to i32
    %above = arith.cmpf ogt, %in, %best : f32
    %value = arith.select %above, %in, %best : f32
    %place = arith.select %above, %here, %where : i32
    linalg.yield %value, %place : f32, i32
  } -> (tensor<f32>, tensor<i32>)
  return %sum, %max#0, %max#1 : tensor<f32>, tensor<f32>, tensor<i32>
}
func.func @vectors(%x: tensor<32x16xf32>, %w: tensor<16x48xf32>) -> tensor<32x48xf32> {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %e = tensor.empty() : tensor<32x48xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<32x48xf32>) -> tensor<32x48xf32>
  %s = linalg.matmul ins(%x, %w : tensor<32x16xf32>, tensor<16x48xf32>)
                     outs(%i : tensor<32x48xf32>) -> tensor<32x48xf32>
  %r = scf.for %k = %c0 to %c32 step %c1 iter_args(%a = %s) -> tensor<32x48xf32> {
    %v = vector.transfer_read %a[%k, %c0], %zero {in_bounds = [true]}
        : tensor<32x48xf32>, vector<48xf32>
    %d = arith.addf %v, %v : vector<48xf32>
    %n = vector.transfer_write %d, %a[%k, %c0] {in_bounds = [true]}
        : vector<48xf32>, tensor<32x48xf32>
    scf.yield %n : tensor<32x48xf32>
  }
  return %r : tensor<32x48xf32>
}
}
