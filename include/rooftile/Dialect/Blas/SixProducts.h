//===- SixProducts.h - f32 products as bf16 ones ----------------*- C++ -*-===//
//
// With products = 6 A and B are copied as parts of their elements (#blas.parts): x = x0 + x1 + x2,
// each a number of bf16 with 8 of the 24 significant bits. Of the products of x and y six count:
//
//   x y = x0 y0 + (x0 y1 + x1 y0) + (x1 y1 + x0 y2 + x2 y0),
//
// the others are below 2^-21 |x y| together. They are one product of matrices six times as long
// along K: in each chunk of K the small ones come first, and after it the accumulators are added to
// totals (`promote`), so that what an instruction cuts off of them does not grow with K.
//
//===----------------------------------------------------------------------===//
#ifndef ROOFTILE_DIALECT_BLAS_SIXPRODUCTS_H
#define ROOFTILE_DIALECT_BLAS_SIXPRODUCTS_H

#include <array>
#include <cstdint>

namespace rooftile::blas {

/// Blocks of a chunk of a copy: one for each product.
inline constexpr int64_t kPartBlocks = 6;
/// Parts of A and B in these.
inline constexpr std::array<int64_t, kPartBlocks> kPartsOfA = {2, 0, 1, 1, 0, 0},
                                                  kPartsOfB = {0, 2, 1, 0, 1, 0};
/// K elements of which copies have a multiple, with zeros beyond K: a row of shared memory.
inline constexpr int64_t kPartRows = 64;
/// K elements after which accumulators are added to totals. Errors of data in [0, 1] with K = 16384
/// on an H200 are then a third of those of fused multiply-adds; 14 times these without totals.
inline constexpr int64_t kPartChunk = 512;

} // namespace rooftile::blas

#endif // ROOFTILE_DIALECT_BLAS_SIXPRODUCTS_H
