//===- Routine.h - Routines of BLAS level 3 ---------------------*- C++ -*-===//
//
// One row for each routine. Whatever accepts calls (C, Python, BLAS and cuBLAS in place, export,
// benchmark) reads from it which operands and choices a routine has, and how much work it is.
//
//===----------------------------------------------------------------------===//
#ifndef ROOFTILE_OPERATION_ROUTINE_H
#define ROOFTILE_OPERATION_ROUTINE_H

#include "rooftile/Operation/Element.h"

#include <string>

namespace rooftile::operation {

enum class Routine : uint8_t { Gemm, Trmm, Trsm, Symm, Hemm, Syrk, Herk, Syr2k, Her2k, Trtri };

/// Elements of a stored matrix that count.
enum class Structure : uint8_t {
  None,      ///< The routine has no such operand.
  General,   ///< All elements.
  Triangle,  ///< One triangle: the other one is not accessed, and counts as zeros where read.
  Symmetric, ///< One triangle, which is mirrored.
  Hermitian  ///< One triangle, which is mirrored and conjugated. The diagonal is real.
};

/// Sizes that a call states.
enum class Sizes : uint8_t {
  MNK, ///< C is M x N, op(A) M x K, op(B) K x N.
  MN,  ///< C is M x N. A is square, of order M on the left, N on the right.
  NK,  ///< C is N x N; op(A) and op(B) are N x K. M equals N.
  N    ///< A and C are N x N. M equals N.
};

/// Type of alpha or beta.
enum class ScalarType : uint8_t {
  None,        ///< The routine has no such scalar.
  Accumulator, ///< f32 for f16 and bf16, else the element type.
  Real         ///< The real type of that.
};

/// Multiplications of elements, each with an addition, of one matrix of a batch.
enum class Work : uint8_t { MNK, HalfMNOrder, MNOrder, TriangleK, TwoTrianglesK, SixthCube };

/// One row of the table of routines.
struct RoutineInfo {
  Routine routine;
  const char *name;    ///< In the dialect, and in BLAS after the letter of the type.
  const char *formula; ///< For people.
  Sizes sizes;
  Work work;
  Structure a = Structure::General, b = Structure::None, c = Structure::General;
  const char *ops = ""; ///< Letters that op(A) may be, and op(B) where there is a B; "": none.
  bool hasOpB = false;  ///< op(B) is stated by itself.
  bool hasSide = false, hasUplo = false, hasDiag = false;
  ScalarType alpha = ScalarType::Accumulator, beta = ScalarType::Accumulator;
  bool inPlace = false;            ///< C is an input, too: B of BLAS's trmm and trsm, A of trtri.
  bool hasEpilogue = false;        ///< Bias and activation.
  bool hasExact = false;           ///< Substitution can be demanded.
  bool hasPointers = false;        ///< Matrices of a batch may be stated by pointers.
  bool hasMixedC = false;          ///< C may be f32 where A and B are f16 or bf16.
  bool hasScalarsInMemory = false; ///< alpha and beta may be in memory of the device.
  const char *elements = "f32 f64 c64 c128"; ///< Element types that have kernels.

  /// Whether calls state M and K. Without M, C is square.
  constexpr bool hasM() const { return sizes == Sizes::MNK || sizes == Sizes::MN; }
  constexpr bool hasK() const { return sizes == Sizes::MNK || sizes == Sizes::NK; }
};

inline constexpr RoutineInfo kRoutines[] = {
    {.routine = Routine::Gemm,
     .name = "gemm",
     .formula = "C = alpha op(A) op(B) + beta C",
     .sizes = Sizes::MNK,
     .work = Work::MNK,
     .b = Structure::General,
     .ops = "ntcj",
     .hasOpB = true,
     .hasEpilogue = true,
     .hasPointers = true,
     .hasMixedC = true,
     .hasScalarsInMemory = true,
     .elements = "f16 bf16 f32 f64 c64 c128"},
    {.routine = Routine::Trmm,
     .name = "trmm",
     .formula = "C = alpha op(A) C or alpha C op(A), A triangular",
     .sizes = Sizes::MN,
     .work = Work::HalfMNOrder,
     .a = Structure::Triangle,
     .ops = "ntcj",
     .hasSide = true,
     .hasUplo = true,
     .hasDiag = true,
     .beta = ScalarType::None,
     .inPlace = true,
     .hasExact = true,
     .hasPointers = true,
     .elements = "f16 bf16 f32 f64 c64 c128"},
    {.routine = Routine::Trsm,
     .name = "trsm",
     .formula = "op(A) X = alpha C or X op(A) = alpha C, A triangular; X replaces C",
     .sizes = Sizes::MN,
     .work = Work::HalfMNOrder,
     .a = Structure::Triangle,
     .ops = "ntcj",
     .hasSide = true,
     .hasUplo = true,
     .hasDiag = true,
     .beta = ScalarType::None,
     .inPlace = true,
     .hasExact = true,
     .hasPointers = true},
    {.routine = Routine::Symm,
     .name = "symm",
     .formula = "C = alpha A B + beta C or alpha B A + beta C, A symmetric",
     .sizes = Sizes::MN,
     .work = Work::MNOrder,
     .a = Structure::Symmetric,
     .b = Structure::General,
     .hasSide = true,
     .hasUplo = true},
    {.routine = Routine::Hemm,
     .name = "hemm",
     .formula = "C = alpha A B + beta C or alpha B A + beta C, A Hermitian",
     .sizes = Sizes::MN,
     .work = Work::MNOrder,
     .a = Structure::Hermitian,
     .b = Structure::General,
     .hasSide = true,
     .hasUplo = true,
     .elements = "c64 c128"},
    {.routine = Routine::Syrk,
     .name = "syrk",
     .formula = "C = alpha op(A) op(A)^T + beta C, one triangle",
     .sizes = Sizes::NK,
     .work = Work::TriangleK,
     .c = Structure::Triangle,
     .ops = "nt",
     .hasUplo = true},
    {.routine = Routine::Herk,
     .name = "herk",
     .formula = "C = alpha op(A) op(A)^H + beta C, one triangle",
     .sizes = Sizes::NK,
     .work = Work::TriangleK,
     .c = Structure::Hermitian,
     .ops = "nc",
     .hasUplo = true,
     .alpha = ScalarType::Real,
     .beta = ScalarType::Real,
     .elements = "c64 c128"},
    {.routine = Routine::Syr2k,
     .name = "syr2k",
     .formula = "C = alpha (op(A) op(B)^T + op(B) op(A)^T) + beta C, one triangle",
     .sizes = Sizes::NK,
     .work = Work::TwoTrianglesK,
     .b = Structure::General,
     .c = Structure::Triangle,
     .ops = "nt",
     .hasUplo = true},
    {.routine = Routine::Her2k,
     .name = "her2k",
     .formula = "C = alpha op(A) op(B)^H + conj(alpha) op(B) op(A)^H + beta C, one triangle",
     .sizes = Sizes::NK,
     .work = Work::TwoTrianglesK,
     .b = Structure::General,
     .c = Structure::Hermitian,
     .ops = "nc",
     .hasUplo = true,
     .beta = ScalarType::Real,
     .elements = "c64 c128"},
    {.routine = Routine::Trtri,
     .name = "trtri",
     .formula = "C = C^-1, C triangular",
     .sizes = Sizes::N,
     .work = Work::SixthCube,
     .a = Structure::None,
     .c = Structure::Triangle,
     .hasUplo = true,
     .hasDiag = true,
     .alpha = ScalarType::None,
     .beta = ScalarType::None,
     .inPlace = true,
     .elements = "f32 f64"},
};

constexpr const RoutineInfo &infoOf(Routine routine) { return kRoutines[size_t(routine)]; }
constexpr const char *nameOf(Routine routine) { return infoOf(routine).name; }

/// The routine of that name; none for other names.
constexpr std::optional<Routine> routineNamed(std::string_view name) {
  for (const RoutineInfo &info : kRoutines)
    if (name == info.name)
      return info.routine;
  return std::nullopt;
}

/// Element type of a scalar beside matrices of a type; the routine has the scalar.
constexpr Element scalarElement(ScalarType type, Element matrix) {
  Element element = infoOf(matrix).accumulator;
  return type == ScalarType::Real ? realOf(element) : element;
}

/// Whether kernels exist for matrices of that type.
bool hasKernels(const RoutineInfo &info, Element element);

} // namespace rooftile::operation

#endif // ROOFTILE_OPERATION_ROUTINE_H
