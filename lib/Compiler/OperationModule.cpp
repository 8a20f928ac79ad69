//===- OperationModule.cpp - An operation as a module ---------------------===//

#include "rooftile/Compiler/OperationModule.h"
#include "SplitMatrices.h"
#include "rooftile/Compiler/Arguments.h"
#include "rooftile/Dialect/Blas/Activation.h"
#include "rooftile/Dialect/Blas/Blas.h"
#include "rooftile/Dialect/Blas/Limits.h"
#include "rooftile/Dialect/ElementType.h"
#include "rooftile/InitAll.h"
#include "rooftile/Operation/Words.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace rooftile;
using namespace rooftile::compiler;
using operation::Routine;

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

static int64_t sizeOf(int64_t size) {
  return size == operation::kAnySize ? ShapedType::kDynamic : size;
}

static MemRefType stridedType(Builder &builder, ArrayRef<int64_t> sizes, ArrayRef<int64_t> strides,
                              Type element) {
  auto layout = StridedLayoutAttr::get(builder.getContext(), /*offset=*/0, strides);
  return MemRefType::get(sizes, element, layout);
}

/// The type of a matrix as the operation has it.
static MemRefType matrixType(Builder &builder, const operation::Operation &operation, int index) {
  const operation::Matrix &matrix = operation.operand(index);
  bool byRows = matrix.order == operation::Order::RowMajor;
  int64_t leading = sizeOf(matrix.leading);
  SmallVector<int64_t> sizes{sizeOf(operation.rows(index)), sizeOf(operation.columns(index))};
  SmallVector<int64_t> strides{byRows ? leading : 1, byRows ? 1 : leading};
  Type element = typeOf(builder, matrix.element);
  if (operation.batch != operation::Batch::None)
    sizes.insert(sizes.begin(), sizeOf(operation.count));
  if (operation.batch == operation::Batch::Pointers) {
    int64_t align = std::max<int64_t>(matrix.align, bytesOf(matrix.element));
    return MemRefType::get(sizes, element,
                           blas::PointersAttr::get(builder.getContext(), strides, align));
  }
  if (operation.batch == operation::Batch::Strided)
    strides.insert(strides.begin(), sizeOf(matrix.stride));
  return stridedType(builder, sizes, strides, element);
}

//===----------------------------------------------------------------------===//
// The function
//===----------------------------------------------------------------------===//

namespace {
/// The function of an operation in canonical form, being written.
class Writer {
public:
  Writer(const operation::Operation &operation, ModuleOp module)
      : operation(operation), builder(module.getBodyRegion()), loc(module.getLoc()),
        function(
            func::FuncOp::create(builder, loc, kOperationName, builder.getFunctionType({}, {}))),
        body(*function.addEntryBlock()) {
    builder.setInsertionPointToStart(&body);
  }
  void write();

private:
  Value argument(Type type, int64_t align = blas::kMaxAccessBytes);
  void addMatrix(int index);
  Value scalarOf(operation::ScalarType type, operation::Scalar kind, operation::Scalar implied);
  Value constant(Type type, double value);
  Operation *createOperation();
  Operation *createProduct();
  void createEpilogue(blas::GemmOp op);
  template <typename Op> Operation *createTriangular();
  template <typename Op> Operation *createRankK();
  template <typename Op> Operation *createRank2K();
  template <typename Op> Operation *createSymmetricProduct();

  blas::Side side() const { return blas::Side(operation.side); }
  blas::Uplo uplo() const { return blas::Uplo(operation.triangle); }
  blas::Transpose opA() const { return transposeOf(operation.opA); }
  static blas::Transpose transposeOf(operation::Op op) {
    return *blas::symbolizeTranspose(StringRef(reinterpret_cast<const char *>(&op), 1));
  }

  const operation::Operation &operation;
  OpBuilder builder;
  Location loc;
  func::FuncOp function;
  Block &body;
  Value matrices[3], components[3]; ///< Null where there are none.
  Value alpha, beta, bias;
  SmallVector<DictionaryAttr> facts; ///< About each argument.
};
} // namespace

/// An argument of the function, and what is known of its address: that it is a multiple of `align`
/// bytes, or where that is 0, what each call has.
Value Writer::argument(Type type, int64_t align) {
  NamedAttrList known;
  if (align < blas::kMaxAccessBytes) {
    int64_t bytes = align == 0 ? ShapedType::kDynamic : align;
    known.append(blas::BlasDialect::kGivenName,
                 blas::AddressAttr::get(builder.getContext(), bytes));
  }
  facts.push_back(known.getDictionary(builder.getContext()));
  return body.addArgument(type, loc);
}

void Writer::addMatrix(int index) {
  const operation::Matrix &matrix = operation.operand(index);
  MemRefType type = matrixType(builder, operation, index);
  if (isSplit(matrix)) {
    components[index] = argument(compiler::componentsOf(type));
    bool isRead = index != 2 || operation.readsC();
    matrices[index] = joinComponents(builder, components[index], isRead);
  } else if (operation.batch == operation::Batch::Pointers) {
    auto table = MemRefType::get({sizeOf(operation.count)}, builder.getI64Type());
    matrices[index] =
        blas::BatchOp::create(builder, loc, type, argument(table), ValueRange(), ValueRange());
  } else {
    bool isWide = !matrix.align && bytesOf(matrix.element) >= blas::kMaxAccessBytes;
    matrices[index] = argument(type, isWide ? blas::kMaxAccessBytes : matrix.align);
  }
}

Value Writer::constant(Type type, double value) {
  auto complex = dyn_cast<ComplexType>(type);
  Type real = complex ? complex.getElementType() : type;
  FloatAttr number = builder.getFloatAttr(real, value);
  if (!complex)
    return arith::ConstantOp::create(builder, loc, number);
  ArrayAttr both = builder.getArrayAttr({number, builder.getFloatAttr(real, 0)});
  return complex::ConstantOp::create(builder, loc, complex, both);
}

/// Null where the operation has none, or where it is what an operation without it has.
Value Writer::scalarOf(operation::ScalarType kind, operation::Scalar scalar,
                       operation::Scalar implied) {
  if (kind == operation::ScalarType::None || scalar == implied)
    return {};
  Type type = typeOf(builder, scalarElement(kind, operation.c.element));
  switch (scalar) {
  case operation::Scalar::AtRunTime:
    return argument(type);
  case operation::Scalar::InMemory:
    return memref::LoadOp::create(builder, loc, argument(MemRefType::get({}, type)), ValueRange());
  case operation::Scalar::One:
    return constant(type, 1);
  case operation::Scalar::Zero:
    return constant(type, 0);
  }
  return {};
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

void Writer::createEpilogue(blas::GemmOp op) {
  Type type = op.getSumType();
  Block &block = op.getEpilogue().front().emplaceBlock();
  Value sum = block.addArgument(type, loc), element;
  if (bias)
    element = block.addArgument(cast<MemRefType>(bias.getType()).getElementType(), loc);
  OpBuilder inside = OpBuilder::atBlockBegin(&block);
  Value result = blas::applyEpilogue(inside, operation.epilogue.activation, sum, element);
  blas::YieldOp::create(inside, loc, result);
}

Operation *Writer::createProduct() {
  const operation::Epilogue &epilogue = operation.epilogue;
  auto math = *blas::symbolizeMathMode(operation::wordOf(operation.math));
  bool anyOrder = operation.summation == operation::Summation::AnyOrder;
  bool compensated = operation.rounding == operation::Rounding::Compensated;
  ArrayAttr dims;
  if (epilogue.exists()) {
    SmallVector<Attribute> lists;
    int64_t dim = (operation.batch == operation::Batch::None ? 0 : 1) +
                  (epilogue.bias == operation::Bias::PerColumn ? 1 : 0);
    if (bias)
      lists.push_back(builder.getDenseI64ArrayAttr({dim}));
    dims = builder.getArrayAttr(lists);
  }
  Value b = operation.alias == operation::Alias::AB ? matrices[0] : matrices[1];
  auto op = blas::GemmOp::create(
      builder, loc, TypeRange(), matrices[0], b, matrices[2], alpha, beta, /*workspace=*/Value(),
      /*extras=*/bias ? ValueRange(bias) : ValueRange(), opA(), transposeOf(operation.opB), math,
      anyOrder, compensated, /*partial=*/false, /*padded=*/false, blas::Structure::General,
      blas::Structure::General, /*masked=*/false, /*triangle=*/blas::UploAttr(),
      /*realDiagonal=*/false, /*acc=*/TypeAttr(), /*given=*/blas::GivenAttr(),
      /*plan=*/blas::PlanAttr(), /*plans=*/ArrayAttr(), dims, epilogue.exists() ? 1 : 0);
  if (epilogue.exists())
    createEpilogue(op);
  return op;
}

template <typename Op> Operation *Writer::createTriangular() {
  auto diag = blas::Diag(operation.diagonal);
  auto op = Op::create(builder, loc, TypeRange(), matrices[0], /*b=*/Value(), matrices[2], alpha,
                       side(), uplo(), opA(), diag, /*plan=*/blas::BlocksAttr(),
                       operation.dependence == operation::Dependence::Exact);
  return op;
}

template <typename Op> Operation *Writer::createRankK() {
  return Op::create(builder, loc, TypeRange(), matrices[0], matrices[2], alpha, beta, uplo(),
                    opA());
}

template <typename Op> Operation *Writer::createRank2K() {
  return Op::create(builder, loc, TypeRange(), matrices[0], matrices[1], matrices[2], alpha, beta,
                    uplo(), opA());
}

template <typename Op> Operation *Writer::createSymmetricProduct() {
  return Op::create(builder, loc, TypeRange(), matrices[0], matrices[1], matrices[2], alpha, beta,
                    side(), uplo());
}

Operation *Writer::createOperation() {
  switch (operation.routine) {
  case Routine::Gemm:
    return createProduct();
  case Routine::Trmm:
    return createTriangular<blas::TrmmOp>();
  case Routine::Trsm:
    return createTriangular<blas::TrsmOp>();
  case Routine::Symm:
    return createSymmetricProduct<blas::SymmOp>();
  case Routine::Hemm:
    return createSymmetricProduct<blas::HemmOp>();
  case Routine::Syrk:
    return createRankK<blas::SyrkOp>();
  case Routine::Herk:
    return createRankK<blas::HerkOp>();
  case Routine::Syr2k:
    return createRank2K<blas::Syr2kOp>();
  case Routine::Her2k:
    return createRank2K<blas::Her2kOp>();
  case Routine::Trtri:
    return blas::TrtriOp::create(builder, loc, TypeRange(), /*a=*/Value(), matrices[2],
                                 /*alpha=*/Value(), /*beta=*/Value(), uplo(),
                                 blas::Diag(operation.diagonal));
  }
  return nullptr;
}

void Writer::write() {
  const operation::RoutineInfo &info = operation.info();
  for (int index : {0, 1, 2})
    if (operation.has(index))
      addMatrix(index);
  alpha = scalarOf(info.alpha, operation.alpha, operation::Scalar::One);
  beta = scalarOf(info.beta, operation.beta, operation::Scalar::Zero);
  if (operation.epilogue.bias != operation::Bias::None)
    bias = argument(stridedType(builder, {sizeOf(lengthOfBias(operation))}, {1},
                                typeOf(builder, operation.c.element)),
                    bytesOf(operation.c.element));
  createOperation();
  if (components[2])
    splitComponents(builder, matrices[2], components[2]);
  func::ReturnOp::create(builder, loc);
  function.setFunctionType(builder.getFunctionType(body.getArgumentTypes(), {}));
  function.setAllArgAttrs(facts);
}

OwningOpRef<ModuleOp> compiler::moduleOf(const operation::Operation &stated, MLIRContext *context) {
  context->loadDialect<arith::ArithDialect, blas::BlasDialect, complex::ComplexDialect,
                       func::FuncDialect, memref::MemRefDialect>();
  OwningOpRef<ModuleOp> module =
      ModuleOp::create(FileLineColLoc::get(context, kOperationName, /*line=*/1, /*column=*/1));
  operation::Operation operation = canonical(stated);
  Writer(operation, *module).write();
  return module;
}

std::string compiler::textOfModule(const operation::Operation &operation) {
  DialectRegistry registry;
  registerAllDialects(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  std::string text;
  llvm::raw_string_ostream(text) << *moduleOf(operation, &context);
  return text;
}
