//===- main.cpp - compare-cublas: our kernels and cuBLAS in one process ---===//
//
// Reads a list of problems, times both libraries in turn on the same operands
// and writes one CSV line per problem. Operands are uniform in [-1, 1] and
// rotate over at least twice the L2 cache; samples of both alternate, each long
// enough for the clock (about 2 ms), and the medians are compared.
//
//===----------------------------------------------------------------------===//

#include "Kernel.h"
#include "Vendor.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"
#include <random>

using namespace rooftile;
using namespace rooftile::bench;
namespace cl = llvm::cl;

static cl::opt<std::string> listFile(cl::Positional, cl::Required, cl::desc("LIST"));
static cl::opt<std::string> chip("chip", cl::init("h200"), cl::desc("Plan for this chip"));
static cl::opt<std::string> format("format", cl::init("auto"), cl::desc("isa, bin or auto"));
static cl::opt<std::string> csvFile("csv", cl::init("-"), cl::desc("Where the CSV goes"));
static cl::opt<int> samples("samples", cl::init(15), cl::desc("Samples per library"));
static cl::opt<bool> quick("quick", cl::desc("Time ours alone"));

namespace {
/// Device operands of one problem, in as many copies as outlast the L2 cache.
struct Operands {
  std::vector<std::array<uint64_t, 3>> sets;
  std::vector<char> a, b;
  size_t bytesC = 0;
};
} // namespace

static constexpr size_t kRotatedBytes = size_t(128) << 20; // > 2 x 60 MiB of L2

template <typename T>
static void fill(std::vector<char> &bytes, int64_t count, std::mt19937_64 &random) {
  bytes.resize(count * sizeof(T));
  std::uniform_real_distribution<T> uniform(-1, 1);
  for (int64_t i = 0; i < count; ++i)
    reinterpret_cast<T *>(bytes.data())[i] = uniform(random);
}

static bool allocate(Operands &operands, const Problem &p, const CudaDriver &driver) {
  std::mt19937_64 random(42);
  for (auto [bytes, count] : {std::pair(&operands.a, p.m * p.k), std::pair(&operands.b, p.k * p.n)})
    p.isDouble ? fill<double>(*bytes, count, random) : fill<float>(*bytes, count, random);
  operands.bytesC = p.m * p.n * p.elementBytes();
  size_t total = operands.a.size() + operands.b.size() + operands.bytesC;
  operands.sets.resize(std::max<size_t>(1, (kRotatedBytes + total - 1) / total));
  for (auto &set : operands.sets) {
    size_t sizes[] = {operands.a.size(), operands.b.size(), operands.bytesC};
    for (int i : {0, 1, 2})
      if (!driver.check(driver.memAlloc(&set[i], sizes[i]), "cuMemAlloc"))
        return false;
    driver.memcpy(set[0], reinterpret_cast<uint64_t>(operands.a.data()), sizes[0]);
    driver.memcpy(set[1], reinterpret_cast<uint64_t>(operands.b.data()), sizes[1]);
  }
  return true;
}

static void release(Operands &operands, const CudaDriver &driver) {
  for (auto &set : operands.sets)
    for (uint64_t pointer : set)
      driver.memFree(pointer);
}

/// Milliseconds of one call, from events around `count` of them.
static double sample(const CudaDriver &driver, Operands &operands, int count, size_t &next,
                     llvm::function_ref<bool(std::array<uint64_t, 3>)> call) {
  void *begin = nullptr, *end = nullptr;
  driver.eventCreate(&begin, 0);
  driver.eventCreate(&end, 0);
  driver.eventRecord(begin, nullptr);
  for (int i = 0; i < count; ++i)
    if (!call(operands.sets[next++ % operands.sets.size()]))
      return std::nan("");
  driver.eventRecord(end, nullptr);
  driver.eventSynchronize(end);
  float milliseconds = 0;
  driver.eventElapsedTime(&milliseconds, begin, end);
  driver.eventDestroy(begin);
  driver.eventDestroy(end);
  return milliseconds / count;
}

static double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values.empty() ? std::nan("") : values[values.size() / 2];
}

template <typename T>
static bool correct(const Problem &p, const Operands &operands, const CudaDriver &driver) {
  auto host = [](const std::vector<char> &bytes) {
    auto *data = reinterpret_cast<const T *>(bytes.data());
    return std::vector<T>(data, data + bytes.size() / sizeof(T));
  };
  std::vector<T> c(operands.bytesC / sizeof(T));
  driver.memcpy(reinterpret_cast<uint64_t>(c.data()), operands.sets[0][2], operands.bytesC);
  return verify(p, host(operands.a), host(operands.b), c);
}

/// Runs ours on poisoned memory and checks the result.
static bool check(const Problem &p, Operands &operands, const Kernel &kernel,
                  const CudaDriver &driver) {
  auto [a, b, c] = operands.sets[0];
  std::vector<char> poison(operands.bytesC, char(0xff));
  driver.memcpy(c, reinterpret_cast<uint64_t>(poison.data()), poison.size());
  if (!kernel.launch(driver, a, b, c, nullptr) ||
      !driver.check(driver.ctxSynchronize(), "cuCtxSynchronize", kernel.plan))
    return false;
  return p.isDouble ? correct<double>(p, operands, driver) : correct<float>(p, operands, driver);
}

/// One CSV line; false when the result is wrong.
static bool compare(const Problem &p, const CudaDriver &driver, const Vendor &vendor,
                    llvm::raw_ostream &csv) {
  llvm::Expected<Kernel> kernel = compile(p, driver, chip, format);
  if (!kernel) {
    llvm::errs() << p.type() << ' ' << p.op() << ' ' << p.plan << ": "
                 << toString(kernel.takeError()) << '\n';
    return false;
  }
  Operands operands;
  bool verified = allocate(operands, p, driver) && check(p, operands, *kernel, driver);
  size_t next = 0;
  auto ours = [&](std::array<uint64_t, 3> s) {
    return kernel->launch(driver, s[0], s[1], s[2], nullptr);
  };
  auto theirs = [&](std::array<uint64_t, 3> s) { return vendor.gemm(p, s[0], s[1], s[2]); };
  bool both = vendor && !quick;
  sample(driver, operands, 3, next, ours);
  if (both)
    sample(driver, operands, 3, next, theirs);
  int count = std::clamp<int>(2.0 / sample(driver, operands, 1, next, ours), 1, 200);
  std::vector<double> oursMs, theirsMs;
  for (int i = 0; i < samples; ++i) {
    oursMs.push_back(sample(driver, operands, count, next, ours));
    if (both)
      theirsMs.push_back(sample(driver, operands, count, next, theirs));
  }
  release(operands, driver);
  double mine = median(oursMs), other = median(theirsMs);
  csv << llvm::formatv("{0},{1},{2},{3},{4},{5:f4},{6:f2},{7:f4},{8:f2},{9:f3},{10},{11:f0},{12:f0}"
                       ",{13:f0},\"{14}\"\n",
                       p.type(), p.op(), p.m, p.n, p.k, mine, p.flops() / mine / 1e9, other,
                       p.flops() / other / 1e9, other / mine, verified ? "yes" : "NO", kernel->irMs,
                       kernel->ptxMs, kernel->cubinMs, kernel->plan);
  csv.flush();
  return verified;
}

int main(int argc, char **argv) {
  cl::ParseCommandLineOptions(argc, argv, "Times our GEMM kernels and cuBLAS in one process.\n");
  std::string why;
  const CudaDriver *driver = CudaDriver::open(&why);
  if (!driver || !(driver = CudaDriver::current())) {
    llvm::errs() << "compare-cublas: no GPU: " << why << '\n';
    return 1;
  }
  auto list = llvm::MemoryBuffer::getFile(listFile);
  std::error_code error;
  llvm::raw_fd_ostream csv(csvFile, error);
  if (!list || error) {
    llvm::errs() << "compare-cublas: cannot open " << (list ? csvFile : listFile) << '\n';
    return 1;
  }
  Vendor vendor;
  bool present = vendor.open();
  csv << "# " << cudaDeviceName() << ", cuBLAS "
      << (present ? std::to_string(vendor.version()) : "absent") << '\n'
      << "type,op,m,n,k,ours_ms,ours_tflops,cublas_ms,cublas_tflops,ratio,verified,ir_ms,ptx_ms,"
         "cubin_ms,plan\n";
  llvm::SmallVector<llvm::StringRef> lines;
  (*list)->getBuffer().split(lines, '\n', -1, false);
  bool good = true;
  for (llvm::StringRef line : lines) {
    if (line.trim().empty() || line.starts_with("#"))
      continue;
    llvm::Expected<Problem> problem = Problem::parse(line);
    if (!problem) {
      llvm::errs() << listFile << ": " << toString(problem.takeError()) << '\n';
      return 1;
    }
    good &= compare(*problem, *driver, vendor, csv);
  }
  return good ? 0 : 1;
}
