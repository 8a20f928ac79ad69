//===- VendorAlgorithms.cpp - Algorithms of cuBLASLt ----------------------===//
//
// Source of names, enumerators and of the layout of a result: the cuBLASLt reference.
//
//===----------------------------------------------------------------------===//

#include "rooftile/Bench/VendorAlgorithms.h"
#include "VendorArguments.h"
#include "rooftile/Runtime/Runtime.h"

#include "llvm/ADT/STLExtras.h"

#include <dlfcn.h>
#include <vector>

using namespace rooftile;
using namespace rooftile::bench;

/// Algorithms that the heuristic is asked for, and the workspace that they may use.
static constexpr int kMostAlgorithms = 24;
static constexpr size_t kWorkspaceBytes = size_t(256) << 20;

/// cublasLtMatmulDescAttributes_t, cublasLtMatrixLayoutAttribute_t,
/// cublasLtMatmulPreferenceAttributes_t.
static constexpr int kTransposeLeft = 3, kTransposeRight = 4, kBatchCount = 5, kBatchStride = 6,
                     kMostWorkspace = 1;

namespace {
/// cublasLtMatmulHeuristicResult_t.
struct Found {
  uint64_t algorithm[8];
  size_t workspaceBytes;
  int status;
  float waves;
  int reserved[4];
};

/// The library's functions.
struct Functions {
  int (*createProduct)(void **, int, int);
  int (*setProduct)(void *, int, const void *, size_t);
  int (*destroyProduct)(void *);
  int (*createLayout)(void **, int, uint64_t, uint64_t, int64_t);
  int (*setLayout)(void *, int, const void *, size_t);
  int (*destroyLayout)(void *);
  int (*createPreference)(void **);
  int (*setPreference)(void *, int, const void *, size_t);
  int (*destroyPreference)(void *);
  int (*find)(void *, void *, void *, void *, void *, void *, void *, int, Found *, int *);
  int (*multiply)(void *, void *, const void *, uint64_t, void *, uint64_t, void *, const void *,
                  uint64_t, void *, uint64_t, void *, const Found *, void *, size_t, void *);

  explicit Functions(void *library) {
    auto find = [&](auto &function, const char *name) {
      function = reinterpret_cast<std::decay_t<decltype(function)>>(dlsym(library, name));
    };
    find(createProduct, "cublasLtMatmulDescCreate");
    find(setProduct, "cublasLtMatmulDescSetAttribute");
    find(destroyProduct, "cublasLtMatmulDescDestroy");
    find(createLayout, "cublasLtMatrixLayoutCreate");
    find(setLayout, "cublasLtMatrixLayoutSetAttribute");
    find(destroyLayout, "cublasLtMatrixLayoutDestroy");
    find(createPreference, "cublasLtMatmulPreferenceCreate");
    find(setPreference, "cublasLtMatmulPreferenceSetAttribute");
    find(destroyPreference, "cublasLtMatmulPreferenceDestroy");
    find(this->find, "cublasLtMatmulAlgoGetHeuristic");
    find(multiply, "cublasLtMatmul");
  }
  bool areThere() const { return multiply && find && destroyPreference && setLayout && setProduct; }
};
} // namespace

/// Descriptors of a product, and its algorithms.
struct VendorAlgorithms::Product {
  Product(void *library, const Shape &shape);
  ~Product();
  bool findAlgorithms(void *handle);

  Functions functions;
  VendorTypes types;
  VendorScalars scalars;
  void *product = nullptr, *layouts[3] = {};
  std::vector<Found> found;
};

VendorAlgorithms::Product::Product(void *library, const Shape &shape)
    : functions(library), types(vendorTypes(shape)), scalars(shape) {
  VendorCall a = vendorArguments(shape, {}, scalars);
  functions.createProduct(&product, types.compute, types.scale);
  functions.setProduct(product, kTransposeLeft, &a.transposeLeft, sizeof(int));
  functions.setProduct(product, kTransposeRight, &a.transposeRight, sizeof(int));
  auto createLayout = [&](void *&layout, bool transposed, int rows, int columns, int leading,
                          long long stride) {
    if (transposed)
      std::swap(rows, columns);
    functions.createLayout(&layout, types.data, rows, columns, leading);
    int64_t apart = stride;
    functions.setLayout(layout, kBatchCount, &a.batch, sizeof(int));
    functions.setLayout(layout, kBatchStride, &apart, sizeof(apart));
  };
  createLayout(layouts[0], a.transposeLeft, a.rows, a.depth, a.leadingLeft, a.strideLeft);
  createLayout(layouts[1], a.transposeRight, a.depth, a.columns, a.leadingRight, a.strideRight);
  createLayout(layouts[2], false, a.rows, a.columns, a.leadingOut, a.strideOut);
}

VendorAlgorithms::Product::~Product() {
  functions.destroyProduct(product);
  for (void *layout : layouts)
    functions.destroyLayout(layout);
}

bool VendorAlgorithms::Product::findAlgorithms(void *handle) {
  void *preference = nullptr;
  if (functions.createPreference(&preference))
    return false;
  functions.setPreference(preference, kMostWorkspace, &kWorkspaceBytes, sizeof(kWorkspaceBytes));
  found.resize(kMostAlgorithms);
  int count = 0;
  int status = functions.find(handle, product, layouts[0], layouts[1], layouts[2], layouts[2],
                              preference, kMostAlgorithms, found.data(), &count);
  functions.destroyPreference(preference);
  found.resize(status == 0 ? count : 0);
  llvm::erase_if(found, [](const Found &each) { return each.status != 0; });
  return !found.empty();
}

VendorAlgorithms::VendorAlgorithms() = default;
VendorAlgorithms::~VendorAlgorithms() = default;

bool VendorAlgorithms::open(const Driver &driver, std::string &why) {
  for (const char *name : {"libcublasLt.so.13", "libcublasLt.so.12", "libcublasLt.so"})
    if (!library)
      library = dlopen(name, RTLD_NOW);
  auto create =
      library ? reinterpret_cast<int (*)(void **)>(dlsym(library, "cublasLtCreate")) : nullptr;
  if (!create || !Functions(library).areThere() || create(&handle) != 0) {
    why = library ? "cublasLtCreate fails" : "libcublasLt.so.13, .12 or .so cannot be opened";
    handle = nullptr;
    return false;
  }
  workspace = driver.allocate(kWorkspaceBytes);
  if (!workspace)
    why = "no 256 MiB of workspace for cuBLASLt: " + takeError(), handle = nullptr;
  return workspace;
}

size_t VendorAlgorithms::list(const Shape &shape) {
  product.reset();
  bool exists = handle && shape.operation.routine == Routine::Gemm && isCallable(shape) &&
                !shape.byPointers();
  if (!exists)
    return 0;
  product = std::make_unique<Product>(library, shape);
  return product->findAlgorithms(handle) ? product->found.size() : 0;
}

bool VendorAlgorithms::call(const Shape &shape, const Operands &operands, size_t set,
                            size_t algorithm) const {
  VendorCall a = vendorArguments(shape, operands.sets[set], product->scalars);
  void *const *layouts = product->layouts;
  return product->functions.multiply(handle, product->product, a.alpha, a.left, layouts[0], a.right,
                                     layouts[1], a.beta, a.out, layouts[2], a.out, layouts[2],
                                     &product->found[algorithm], workspace, kWorkspaceBytes,
                                     stream) == 0;
}
