//===- CompilerTest.cpp - Operations compiled, and called on the CPU ------===//

#include "rooftile/Compiler/Arguments.h"
#include "rooftile/Compiler/Build.h"
#include "rooftile/Compiler/OperationModule.h"
#include "gtest/gtest.h"

#include "rooftile/Compiler/Compiler.h"

#include <complex>
#include <cstring>
#include <random>
#include <thread>

using namespace rooftile;
using namespace rooftile::compiler;
using namespace rooftile::operation;

namespace {
/// A matrix in memory, with a gap between lines, and NaN in it.
template <typename T> struct Stored {
  Matrix layout;
  int64_t rows = 0, columns = 0;
  std::vector<T> elements;

  T &at(int64_t i, int64_t j) {
    int64_t leading = layout.leading;
    return elements[layout.order == Order::RowMajor ? i * leading + j : i + j * leading];
  }
};

template <typename T> constexpr Element elementOf();
template <> constexpr Element elementOf<float>() { return Element::F32; }
template <> constexpr Element elementOf<double>() { return Element::F64; }
template <> constexpr Element elementOf<std::complex<float>>() { return Element::C64; }
template <> constexpr Element elementOf<std::complex<double>>() { return Element::C128; }

template <typename T> T makeNumber(double re, double) { return T(re); }
template <> std::complex<float> makeNumber(double re, double im) { return {float(re), float(im)}; }
template <> std::complex<double> makeNumber(double re, double im) { return {re, im}; }

/// Small integers, so that sums are exact.
template <typename T>
Stored<T> makeMatrix(int64_t rows, int64_t columns, Order order, int64_t gap) {
  static std::mt19937 random(7);
  std::uniform_int_distribution<int> digit(-4, 4);
  Matrix layout;
  layout.element = elementOf<T>();
  layout.order = order;
  layout.leading = (order == Order::RowMajor ? columns : rows) + gap;
  int64_t lines = order == Order::RowMajor ? rows : columns;
  Stored<T> matrix{layout, rows, columns, std::vector<T>(lines * layout.leading, T(NAN))};
  for (int64_t i = 0; i < rows; ++i)
    for (int64_t j = 0; j < columns; ++j)
      matrix.at(i, j) = makeNumber<T>(digit(random), digit(random));
  return matrix;
}

template <typename T> T conjugate(T value) { return value; }
template <typename T> std::complex<T> conjugate(std::complex<T> value) { return std::conj(value); }

template <typename T> T element(Stored<T> &matrix, Op op, int64_t i, int64_t j) {
  T value = op == Op::T || op == Op::C ? matrix.at(j, i) : matrix.at(i, j);
  return op == Op::C || op == Op::J ? conjugate(value) : value;
}

struct Mnk {
  int64_t m, n, k;
};

/// Compiled for the CPU, and read again as from a file.
std::unique_ptr<Executable> makeExecutable(const Operation &operation) {
  std::string module = textOfModule(operation);
  Built built = build(module, {rooftile::DeviceKind::Cpu, "h200", ""});
  EXPECT_EQ(built.error, "") << module;
  std::string why;
  auto data = readExecutable(writeExecutable(built.data), why);
  EXPECT_TRUE(data) << why;
  if (!data)
    return nullptr;
  auto executable = Executable::onHost(*data, built.host, why);
  EXPECT_TRUE(executable) << why;
  return executable;
}

/// A product, and what it is to give.
template <typename T> struct Product {
  Operation operation;
  Stored<T> a, b, c;
  CallArguments call;

  Product(Operation stated, Mnk sizes, int64_t gap);
  void run(const Executable &executable);
};

template <typename T>
Product<T>::Product(Operation stated, Mnk sizes, int64_t gap) : operation(stated) {
  auto [m, n, k] = sizes;
  bool transposeA = stated.opA == Op::T || stated.opA == Op::C;
  bool transposeB = stated.opB == Op::T || stated.opB == Op::C;
  a = makeMatrix<T>(transposeA ? k : m, transposeA ? m : k, stated.a.order, gap);
  b = makeMatrix<T>(transposeB ? n : k, transposeB ? k : n, stated.b.order, gap);
  c = makeMatrix<T>(m, n, stated.c.order, gap);
  bool isDynamic = stated.a.leading == kAnySize;
  for (auto [to, from] : {std::pair(&operation.a, &a), {&operation.b, &b}, {&operation.c, &c}}) {
    to->element = elementOf<T>();
    to->leading = isDynamic ? kAnySize : from->layout.leading;
  }
  auto argument = [](Stored<T> &matrix) {
    return MatrixArgument{reinterpret_cast<uint64_t>(matrix.elements.data()), matrix.layout.leading,
                          0};
  };
  call.m = m, call.n = n, call.k = k;
  call.a = argument(a), call.b = argument(b), call.c = argument(c);
  call.alpha[0] = 2, call.alpha[1] = 1, call.beta[0] = -1, call.beta[1] = 3;
}

/// Every element is compared with a loop's.
template <typename T> void Product<T>::run(const Executable &executable) {
  T alpha =
      operation.alpha == Scalar::AtRunTime ? makeNumber<T>(call.alpha[0], call.alpha[1]) : T(1);
  T beta = operation.beta == Scalar::AtRunTime ? makeNumber<T>(call.beta[0], call.beta[1])
                                               : T(operation.beta == Scalar::One ? 1 : 0);
  std::vector<T> expected;
  for (int64_t i = 0; i < call.m; ++i)
    for (int64_t j = 0; j < call.n; ++j) {
      T sum(0);
      for (int64_t l = 0; l < call.k && alpha != T(0); ++l)
        sum += element(a, operation.opA, i, l) * element(b, operation.opB, l, j);
      expected.push_back((alpha == T(0) ? T(0) : alpha * sum) +
                         (beta == T(0) ? T(0) : beta * c.at(i, j)));
    }
  std::vector<uint64_t> registers;
  argumentsOf(operation, call, registers);
  int function = executable.find("operation");
  ASSERT_EQ(executable.data().functions.at(function).arguments, registers.size());
  ASSERT_EQ(executable.run(function, registers.data()), "");
  for (int64_t i = 0; i < call.m; ++i)
    for (int64_t j = 0; j < call.n; ++j)
      ASSERT_EQ(c.at(i, j), expected[i * call.n + j])
          << i << ", " << j << " of " << textOfModule(operation);
}

/// Compiles C = alpha op(A) op(B) + beta C and calls it.
template <typename T> void checkProduct(Operation operation, Mnk sizes, int64_t gap = 3) {
  Product<T> product(operation, sizes, gap);
  ASSERT_EQ(whatIsWrong(product.operation).message, "");
  if (auto executable = makeExecutable(product.operation))
    product.run(*executable);
}

Operation productOf(Mnk sizes) {
  Operation operation;
  operation.m = sizes.m, operation.n = sizes.n, operation.k = sizes.k;
  operation.a.leading = operation.b.leading = operation.c.leading = 0;
  return operation;
}
} // namespace

TEST(CompilerTest, ProductsOfAllTypes) {
  Mnk sizes{17, 33, 9};
  checkProduct<float>(productOf(sizes), sizes);
  checkProduct<double>(productOf(sizes), sizes);
  checkProduct<std::complex<float>>(productOf(sizes), sizes);
  checkProduct<std::complex<double>>(productOf(sizes), sizes);
}

TEST(CompilerTest, OrdersAndTransposes) {
  Mnk sizes{20, 24, 16};
  for (Order ofC : {Order::RowMajor, Order::ColumnMajor})
    for (Op opA : {Op::N, Op::T, Op::C})
      for (Op opB : {Op::N, Op::J}) {
        Operation operation = productOf(sizes);
        operation.opA = opA, operation.opB = opB;
        operation.c.order = ofC, operation.a.order = Order::ColumnMajor;
        operation.b.order = ofC;
        operation.alpha = operation.beta = Scalar::AtRunTime;
        checkProduct<std::complex<double>>(operation, sizes);
        checkProduct<float>(operation, sizes, 0);
      }
}

/// C = beta C: what folding leaves of a product without terms is a kernel, too.
TEST(CompilerTest, NoTerms) {
  Mnk sizes{20, 24, 0};
  Operation operation = productOf(sizes);
  checkProduct<float>(operation, sizes);
  operation.beta = Scalar::AtRunTime;
  checkProduct<double>(operation, sizes);
  checkProduct<std::complex<float>>(operation, sizes);
}

/// One executable for all sizes: the code of the host chooses the plan.
TEST(CompilerTest, SizesAtRunTime) {
  for (Order order : {Order::RowMajor, Order::ColumnMajor}) {
    Operation operation;
    operation.a.order = operation.b.order = operation.c.order = order;
    operation.alpha = operation.beta = Scalar::AtRunTime;
    Mnk all[] = {{1, 1, 1}, {64, 64, 64}, {40, 70, 0}, {0, 5, 3}, {600, 7, 31}, {9, 700, 40}};
    std::unique_ptr<Executable> executable;
    for (Mnk sizes : all)
      for (int64_t gap : {0, 3}) {
        Product<float> product(operation, sizes, gap);
        if (!executable)
          executable = makeExecutable(product.operation);
        ASSERT_TRUE(executable);
        product.run(*executable);
      }
  }
}

/// One executable for all scalars. What is multiplied by 0 is not read: it holds NaN.
template <typename T> static void checkScalars(Op opA, Op opB) {
  Operation operation;
  operation.opA = opA, operation.opB = opB;
  operation.a.order = operation.b.order = operation.c.order = Order::ColumnMajor;
  operation.alpha = operation.beta = Scalar::AtRunTime;
  std::unique_ptr<Executable> executable;
  for (Mnk sizes : {Mnk{17, 9, 5}, {17, 9, 0}, {4, 4, 700}})
    for (double alpha : {0, 1, -2})
      for (double beta : {0, 1, 3}) {
        Product<T> product(operation, sizes, 3);
        if (!executable)
          executable = makeExecutable(product.operation);
        ASSERT_TRUE(executable);
        product.call.alpha[0] = alpha, product.call.beta[0] = beta;
        product.call.alpha[1] = product.call.beta[1] = 0;
        if (alpha == 0)
          for (auto *matrix : {&product.a, &product.b})
            std::fill(matrix->elements.begin(), matrix->elements.end(), T(NAN));
        if (beta == 0)
          std::fill(product.c.elements.begin(), product.c.elements.end(), T(NAN));
        product.run(*executable);
      }
}

/// Kernels of a set of plans become code when calls need them.
TEST(CompilerTest, KernelsOfASetAreCompiledWhenLaunched) {
  constexpr size_t kKernel = 500 << 10; // less than one has, and more than half of it
  Operation operation;
  auto executable = makeExecutable(operation);
  ASSERT_TRUE(executable);
  size_t before = executable->bytes();
  EXPECT_LT(before, 2 * kKernel);
  for (int call = 0; call < 2; ++call) {
    Product<float> product(operation, {20, 24, 16}, 3);
    product.run(*executable);
    EXPECT_GT(executable->bytes(), before + kKernel);
    EXPECT_LT(executable->bytes(), before + 4 * kKernel);
  }
  size_t kernels = executable->data().kernels.size();
  EXPECT_GT(kernels, 8u);
  EXPECT_EQ(executable->prepare(), "");
  EXPECT_GT(executable->bytes(), before + 8 * kKernel);
}

/// Threads that need a kernel at once wait for one compilation.
TEST(CompilerTest, ThreadsLaunchAKernelThatIsNotCompiled) {
  Operation operation;
  auto executable = makeExecutable(operation);
  ASSERT_TRUE(executable);
  std::vector<std::thread> threads;
  for (int64_t size : {20, 20, 20, 70})
    threads.emplace_back([&, product = Product<float>(operation, {size, size, size}, 3)]() mutable {
      product.run(*executable);
    });
  for (std::thread &thread : threads)
    thread.join();
}

TEST(CompilerTest, ScalarsAtRunTime) {
  checkScalars<float>(Op::N, Op::T);
  checkScalars<double>(Op::T, Op::N);
  checkScalars<std::complex<float>>(Op::C, Op::N);
  checkScalars<std::complex<double>>(Op::N, Op::N);
}

/// Partial sums in a workspace, which the code allocates and frees.
TEST(CompilerTest, LongSums) {
  Mnk sizes{16, 16, 20000};
  checkProduct<double>(productOf(sizes), sizes, 0);
}

/// A batch of C = A B, with one B for all, the matrices a stride apart or by their addresses.
static void checkBatch(Batch batch, int64_t count) {
  Mnk sizes{9, 6, 5};
  Operation operation = productOf(sizes);
  operation.batch = batch, operation.count = count;
  operation.a.leading = 5, operation.b.leading = operation.c.leading = 6;
  operation.b.stride = 0; // A and C: as in the call
  ASSERT_EQ(whatIsWrong(operation).message, "");
  auto a = makeMatrix<float>(9 * count, 5, Order::RowMajor, 0);
  auto b = makeMatrix<float>(5, 6, Order::RowMajor, 0);
  auto c = makeMatrix<float>(9 * count, 6, Order::RowMajor, 0);
  std::vector<uint64_t> ofA, ofB, ofC;
  for (int64_t i = 0; i < count; ++i) {
    ofA.push_back(reinterpret_cast<uint64_t>(&a.at(9 * i, 0)));
    ofB.push_back(reinterpret_cast<uint64_t>(&b.at(0, 0)));
    ofC.push_back(reinterpret_cast<uint64_t>(&c.at(9 * i, 0)));
  }
  bool isStrided = batch == Batch::Strided;
  auto argument = [&](std::vector<uint64_t> &addresses, int64_t stride) {
    uint64_t array = reinterpret_cast<uint64_t>(addresses.data());
    return MatrixArgument{isStrided ? addresses[0] : array, 0, stride};
  };
  CallArguments call;
  call.a = argument(ofA, 45), call.b = argument(ofB, 0), call.c = argument(ofC, 54);
  auto executable = makeExecutable(operation);
  ASSERT_TRUE(executable);
  std::vector<uint64_t> registers;
  argumentsOf(operation, call, registers);
  ASSERT_EQ(executable->run(executable->find("operation"), registers.data()), "");
  for (int64_t i = 0; i < 9 * count; ++i)
    for (int64_t j = 0; j < 6; ++j) {
      float sum = 0;
      for (int64_t l = 0; l < 5; ++l)
        sum += a.at(i, l) * b.at(l, j);
      ASSERT_EQ(c.at(i, j), sum) << i << ", " << j;
    }
}

TEST(CompilerTest, BatchesByStrides) { checkBatch(Batch::Strided, 7); }
TEST(CompilerTest, BatchesByPointers) { checkBatch(Batch::Pointers, 7); }

/// A plan by hand whose copies need descriptors of the matrices, which the code makes.
TEST(CompilerTest, DescriptorsOfMatrices) {
  Mnk sizes{64, 64, 64};
  Operation operation = productOf(sizes);
  operation.opA = Op::T;
  operation.a.align = operation.b.align = 16;
  Product<float> product(operation, sizes, 0);
  std::string module = textOfModule(product.operation);
  std::string plan = " plan(<macro = [32, 32, 8], micro = [4, 4], lanes = [4, 8], vector = 4, "
                     "a = <via = shared, copy = tensor, vector = 4>, b = <via = shared, copy = "
                     "tensor, vector = 4>, "
                     "stages = 2>)";
  module.insert(module.find("\n    return"), plan);
  Built built = build(module, {rooftile::DeviceKind::Cpu, "h200", ""});
  ASSERT_EQ(built.error, "") << module;
  ASSERT_EQ(built.data.functions.at(0).descriptors.size(), 2u);
  std::string why;
  auto executable = Executable::onHost(built.data, built.host, why);
  ASSERT_TRUE(executable) << why;
  product.run(*executable);
}

/// Unit triangles of -1, 0 and 1, multiplied in place and solved for what was there before: exact
/// in small integers. Blocks are a loop of the host.
TEST(CompilerTest, TrianglesThereAndBack) {
  std::mt19937 random(11);
  for (Side side : {Side::Left, Side::Right})
    for (Triangle triangle : {Triangle::Lower, Triangle::Upper})
      for (Order order : {Order::RowMajor, Order::ColumnMajor}) {
        int64_t m = 20, n = 13, size = side == Side::Left ? m : n;
        auto a = makeMatrix<double>(size, size, order, 1);
        auto c = makeMatrix<double>(m, n, order, 2);
        for (int64_t i = 0; i < size; ++i)
          for (int64_t j = 0; j < size; ++j)
            a.at(i, j) =
                (triangle == Triangle::Lower ? i > j : i < j) ? double(random() % 3) - 1 : NAN;
        std::vector<double> before = c.elements;
        Operation operation;
        operation.m = m, operation.n = n;
        operation.side = side, operation.triangle = triangle, operation.diagonal = Diagonal::Unit;
        operation.a = a.layout, operation.c = c.layout;
        CallArguments call;
        call.a.address = reinterpret_cast<uint64_t>(a.elements.data());
        call.c.address = reinterpret_cast<uint64_t>(c.elements.data());
        for (Routine routine : {Routine::Trmm, Routine::Trsm}) {
          operation.routine = routine;
          ASSERT_EQ(whatIsWrong(operation).message, "");
          auto executable = makeExecutable(operation);
          ASSERT_TRUE(executable);
          std::vector<uint64_t> registers;
          argumentsOf(operation, call, registers);
          ASSERT_EQ(executable->run(executable->find("operation"), registers.data()), "");
          if (routine == Routine::Trmm) // the first row of an upper triangle, say, is a sum
            ASSERT_NE(0, std::memcmp(before.data(), c.elements.data(), 8 * before.size()));
        }
        ASSERT_EQ(0, std::memcmp(before.data(), c.elements.data(), 8 * before.size()))
            << textOfModule(operation);
      }
}

TEST(CompilerTest, ConjugatesOfRealNumbers) {
  Operation operation = productOf({8, 8, 8}), same = operation;
  operation.opA = Op::C, operation.opB = Op::J;
  same.opA = Op::T;
  EXPECT_EQ(textOfModule(operation), textOfModule(same));
  for (Operation *each : {&operation, &same})
    each->a.element = each->b.element = each->c.element = Element::C64;
  EXPECT_NE(textOfModule(operation), textOfModule(same));
}

/// Kernels of others, which no pass has checked before.
TEST(CompilerTest, KernelsThatDoNotCompileNameTheReason) {
  Built built = build(R"(module attributes {gpu.container_module} {
    gpu.module @kernels {
      gpu.func @fill(%to: memref<i64>) kernel {
        %y = gpu.thread_id y
        %number = arith.index_cast %y : index to i64
        memref.store %number, %to[] : memref<i64>
        gpu.return
      }
    }
    func.func @f(%to: memref<i64>) {
      %c1 = arith.constant 1 : index
      gpu.launch_func @kernels::@fill blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
          args(%to : memref<i64>)
      return
    }
  })",
                      {rooftile::DeviceKind::Cpu, "h200", ""});
  ASSERT_EQ(built.error, "");
  std::string why;
  auto executable = Executable::onHost(std::move(built.data), std::move(built.host), why);
  ASSERT_TRUE(executable) << why;
  for (int call = 0; call < 2; ++call)
    EXPECT_EQ(executable->prepare(), "kernel kernels_fill cannot be compiled: 'gpu.thread_id' op "
                                     "cannot run on the CPU");
}

TEST(CompilerTest, ModulesThatDoNotCompile) {
  CompilerOptions options{rooftile::DeviceKind::Cpu, "h200", ""};
  EXPECT_NE(build("func.func @f(", options).error, "");
  EXPECT_NE(build("func.func @f(%a: i64) { call @f(%a) : (i64) -> ()\n return }", options)
                .error.find("it calls f"),
            std::string::npos);
  options.chip = "nochip";
  EXPECT_NE(build(Operation(), options).error.find("nochip"), std::string::npos);
}

/// Products of a batch that share a matrix become one product of a transposed view.
TEST(CompilerTest, BatchesThatShareAMatrix) {
  for (Order order : {Order::RowMajor, Order::ColumnMajor})
    for (bool sharesA : {true, false})
      for (auto [m, n, k] : {Mnk{5, 1, 4}, Mnk{1, 3, 4}, Mnk{5, 3, 1}}) {
        Operation operation;
        operation.m = m, operation.n = n, operation.k = k;
        operation.batch = Batch::Strided, operation.count = 2;
        operation.a.stride = sharesA ? 0 : m * k;
        operation.b.stride = sharesA ? k * n : 0;
        operation.c.stride = m * n;
        bool isRowMajor = order == Order::RowMajor;
        for (Matrix *matrix : {&operation.a, &operation.b, &operation.c})
          matrix->order = order;
        operation.a.leading = isRowMajor ? k : m;
        operation.b.leading = isRowMajor ? n : k;
        operation.c.leading = isRowMajor ? n : m;
        EXPECT_TRUE(makeExecutable(operation));
      }
}

/// Memory that an executable keeps is counted: that of its code, too.
TEST(CompilerTest, BytesOfAnExecutable) {
  Operation operation;
  operation.m = operation.n = operation.k = 8;
  operation.a.leading = operation.b.leading = operation.c.leading = 8;
  Compiler compiler({rooftile::DeviceKind::Cpu, "h200", ""});
  Compiled compiled = compiler.get(operation);
  ASSERT_TRUE(compiled) << compiled.error;
  EXPECT_EQ(compiled.executable->prepare(), "");
  EXPECT_GT(compiled.executable->bytes(), size_t(500) << 10); // most of it beside the code
}

/// The executable that was compiled longest ago makes room for others, by its bytes.
TEST(CompilerTest, KeepsBytes) {
  Operation operation;
  operation.m = operation.n = operation.k = 8;
  operation.a.leading = operation.b.leading = operation.c.leading = 8;
  ::setenv("ROOFTILE_KEPT_SIZE", "4K", 1);
  Compiler compiler({rooftile::DeviceKind::Cpu, "h200", ""});
  ::unsetenv("ROOFTILE_KEPT_SIZE");
  std::weak_ptr<const Executable> kept = compiler.get(operation).executable;
  EXPECT_TRUE(kept.expired());
}

/// One compilation however many threads ask.
TEST(CompilerTest, OneExecutableForAll) {
  Compiler compiler({rooftile::DeviceKind::Cpu, "h200", ""});
  Operation operation = productOf({8, 8, 8});
  operation.a.leading = operation.b.leading = operation.c.leading = 8;
  std::vector<Compiled> all(8);
  std::vector<std::thread> threads;
  for (Compiled &each : all)
    threads.emplace_back([&] { each = compiler.get(operation); });
  for (std::thread &thread : threads)
    thread.join();
  for (Compiled &each : all) {
    EXPECT_EQ(each.error, "");
    EXPECT_TRUE(each.executable && each.executable == all[0].executable);
  }
  operation.k = -5;
  EXPECT_EQ(compiler.get(operation).error, "k is -5: sizes are 0 or more");
}
