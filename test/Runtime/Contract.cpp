//===- Contract.cpp - A launcher that has nothing but the contract ------===//
//
// contract-launch MODULE.mlir M N K: runs the kernels of a module of
// `blas-to-cpu` the way a foreign runtime would: from #blas.contract alone, not
// from the host code beside it. The kernels are products C = A * B of f32 in
// row-major order. Every argument, the grid and the workgroup come from the
// contract; results are compared with a loop.
//
//===----------------------------------------------------------------------===//

#include "rooftile/Dialect/Blas/Blas.h"
#include "rooftile/InitAll.h"
#include "rooftile/Runtime/Cpu/Cpu.h"
#include "rooftile/Runtime/Symbols.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/ExecutionEngine/ExecutionEngine.h"
#include "mlir/ExecutionEngine/OptUtils.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/TargetSelect.h"

#include <array>
#include <cstdio>
#include <map>

using namespace mlir;
using namespace rooftile::blas;

namespace {
/// One operand: its sizes and strides as stored, and its elements.
struct Matrix {
  std::vector<int64_t> sizes, strides;
  std::vector<float> elements;

  Matrix(int64_t rows, int64_t columns)
      : sizes{rows, columns}, strides{columns, 1}, elements(rows * columns) {}
  float at(int64_t i, int64_t j) const { return elements[i * strides[0] + j]; }
};

struct Launcher {
  std::map<Role, Matrix> matrices;
  std::vector<int64_t> numbers;
  std::vector<void *> pointers;
  std::vector<std::array<int64_t, 16>> descriptors;

  void pass(ArgAttr arg);
  int64_t grid(ContractAttr contract) const;
  bool run(const char *name, rooftile::cpu::Kernel kernel, ContractAttr contract);
};
} // namespace

/// One argument of the kernel, at its own index of `numbers` or `pointers`.
void Launcher::pass(ArgAttr arg) {
  Matrix &matrix = matrices.at(arg.getRole());
  switch (arg.getKind()) {
  case ArgKind::Pointer:
    pointers.push_back(matrix.elements.data());
    break;
  case ArgKind::Offset:
    numbers.push_back(0);
    break;
  case ArgKind::Size:
    numbers.push_back(matrix.sizes[arg.getDim()]);
    break;
  case ArgKind::Stride:
    numbers.push_back(matrix.strides[arg.getDim()]);
    break;
  case ArgKind::Descriptor:
    if (!rooftileCpuTensorMap(
            descriptors.emplace_back().data(), reinterpret_cast<int64_t>(matrix.elements.data()),
            sizeof(float), matrix.sizes[1], matrix.sizes[0], matrix.strides[0] * sizeof(float),
            arg.getBox()[1], arg.getBox()[0], arg.getBox().size() > 2 ? arg.getBox()[2] : 0))
      std::printf("no descriptor: %s\n", rooftileLastError());
    break;
  case ArgKind::Scalar:
  case ArgKind::Workspace:
  case ArgKind::Table:
    std::printf("argument that this launcher does not have\n");
  }
}

/// Workgroups: ceil(rows / tile rows) * ceil(columns / tile columns) * splits, where the output
/// has the static sizes of the contract, else those of the operands.
int64_t Launcher::grid(ContractAttr contract) const {
  int64_t count = contract.getSplits();
  for (int dim : {0, 1}) {
    int64_t known = contract.getOutput()[dim];
    int64_t size = ShapedType::isDynamic(known) ? matrices.at(Role::C).sizes[dim] : known;
    count *= (size + contract.getTile()[dim] - 1) / contract.getTile()[dim];
  }
  return count;
}

bool Launcher::run(const char *name, rooftile::cpu::Kernel kernel, ContractAttr contract) {
  numbers.reserve(contract.getArgs().size()); // addresses of its entries are taken
  pointers.reserve(contract.getArgs().size());
  descriptors.reserve(contract.getArgs().size());
  std::vector<void *> params;
  for (ArgAttr arg : contract.getArgs()) {
    pass(arg);
    params.push_back(arg.getKind() == ArgKind::Pointer      ? static_cast<void *>(&pointers.back())
                     : arg.getKind() == ArgKind::Descriptor ? descriptors.back().data()
                                                            : &numbers.back());
  }
  int64_t groups = grid(contract);
  rooftileCpuLaunch(name, kernel, groups, contract.getWorkgroup(), contract.getCluster(),
                    contract.getSharedBytes(), params.data(), nullptr, 0);
  const Matrix &a = matrices.at(Role::A), &b = matrices.at(Role::B), &c = matrices.at(Role::C);
  int64_t wrong = 0;
  for (int64_t i = 0; i < c.sizes[0]; ++i)
    for (int64_t j = 0; j < c.sizes[1]; ++j) {
      float sum = 0;
      for (int64_t k = 0; k < a.sizes[1]; ++k)
        sum += a.at(i, k) * b.at(k, j);
      wrong += c.at(i, j) != sum;
    }
  std::printf("%s: %ld workgroups of %ld, %ld of %zu elements are wrong%s%s\n", name, groups,
              contract.getWorkgroup(), wrong, c.elements.size(), rooftileLastError()[0] ? ": " : "",
              rooftileLastError());
  return wrong == 0 && !rooftileLastError()[0];
}

/// Small integers, so that sums are exact.
static void fill(Matrix &matrix, int64_t seed) {
  for (size_t i = 0; i < matrix.elements.size(); ++i)
    matrix.elements[i] = float((i * 7 + seed) % 11) - 5;
}

int main(int argc, char **argv) {
  if (argc != 5)
    return std::fprintf(stderr, "contract-launch MODULE.mlir M N K\n"), 2;
  llvm::InitializeNativeTarget();
  llvm::InitializeNativeTargetAsmPrinter();
  DialectRegistry registry;
  rooftile::registerAllDialects(registry);
  MLIRContext context(registry);
  OwningOpRef<ModuleOp> module = parseSourceFile<ModuleOp>(argv[1], &context);
  if (!module)
    return 1;
  for (auto function : module->getOps<LLVM::LLVMFuncOp>())
    if (function->hasAttr(BlasDialect::kContractName))
      function.setLinkage(LLVM::Linkage::External); // else it cannot be found
  ExecutionEngineOptions options;
  auto optimize = makeOptimizingTransformer(2, 0, nullptr);
  options.transformer = optimize;
  auto engine = llvm::cantFail(ExecutionEngine::create(*module, options));
  engine->registerSymbols([](llvm::orc::MangleAndInterner intern) {
    llvm::orc::SymbolMap symbols;
    for (auto [name, address] : rooftile::runtimeSymbols())
      symbols[intern(name)] = {llvm::orc::ExecutorAddr::fromPtr(address),
                               llvm::JITSymbolFlags::Exported};
    return symbols;
  });
  int64_t m = std::atoll(argv[2]), n = std::atoll(argv[3]), k = std::atoll(argv[4]);
  bool right = true;
  int count = 0;
  for (auto function : module->getOps<LLVM::LLVMFuncOp>())
    if (auto contract = function->getAttrOfType<ContractAttr>(BlasDialect::kContractName)) {
      Launcher launcher{{{Role::A, {m, k}}, {Role::B, {k, n}}, {Role::C, {m, n}}}, {}, {}, {}};
      fill(launcher.matrices.at(Role::A), 1), fill(launcher.matrices.at(Role::B), 3);
      auto kernel = llvm::cantFail(engine->lookup(function.getName()));
      right &= launcher.run(function.getName().str().c_str(),
                            reinterpret_cast<rooftile::cpu::Kernel>(kernel), contract);
      ++count;
    }
  return right && count ? 0 : 1;
}
