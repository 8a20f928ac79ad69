//===- Epilogue.h - What is applied to a product ----------------*- C++ -*-===//
#ifndef ROOFTILE_COMPILER_EPILOGUE_H
#define ROOFTILE_COMPILER_EPILOGUE_H

#include <cstdint>
#include <string>

namespace rooftile::compiler {

/// What of a vector is added to each element of C.
enum class Bias : uint8_t {
  None,
  PerRow,   ///< M elements: that of the row.
  PerColumn ///< N elements: that of the column.
};

/// A function of one real number.
enum class Activation : uint8_t {
  None,
  Relu,     ///< max(x, 0); NaN stays NaN.
  Gelu,     ///< x (1 + erf(x / sqrt(2))) / 2
  GeluTanh, ///< x (1 + tanh(sqrt(2 / pi) (x + 0.044715 x^3))) / 2
  Sigmoid,  ///< 1 / (1 + exp(-x))
  Silu,     ///< x / (1 + exp(-x))
  Tanh
};

/// C = activation(alpha op(A) op(B) + beta C + bias)
struct Epilogue {
  Bias bias = Bias::None; ///< Of the type of C; contiguous, the same for all products of a batch.
  Activation activation = Activation::None;

  bool exists() const { return bias != Bias::None || activation != Activation::None; }
};

/// The function's text: what it yields, of type `sums` (f32, f64, or complex numbers of these), is
/// computed from %sum and from %x, the element of the bias, of type `element`.
std::string epilogueBody(const Epilogue &epilogue, const std::string &sums,
                         const std::string &element);

} // namespace rooftile::compiler

#endif // ROOFTILE_COMPILER_EPILOGUE_H
