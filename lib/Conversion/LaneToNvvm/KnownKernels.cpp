//===- KnownKernels.cpp - Kernels that this process has compiled ----------===//

#include "KnownKernels.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "llvm/Support/SHA256.h"

using namespace mlir;
using namespace rooftile;

static constexpr size_t kMostBytes = size_t(64) << 20;

KnownKernels &KnownKernels::instance() {
  static KnownKernels *known = new KnownKernels(kMostBytes); // programs compile after main
  return *known;
}

namespace {
/// Hashes what is printed.
class HashStream : public llvm::raw_ostream {
public:
  HashStream() { SetBufferSize(1 << 16); }
  ~HashStream() override { flush(); }
  KnownKernels::Key result() {
    flush();
    return hash.final();
  }

private:
  void write_impl(const char *text, size_t size) override {
    hash.update(StringRef(text, size));
    position += size;
  }
  uint64_t current_pos() const override { return position; }

  llvm::SHA256 hash;
  uint64_t position = 0;
};
} // namespace

static bool hasSourceLines(gpu::GPUModuleOp module) {
  return llvm::any_of(module.getOps<LLVM::LLVMFuncOp>(), [](LLVM::LLVMFuncOp function) {
    return function.getLoc()->findInstanceOf<FusedLocWith<LLVM::DISubprogramAttr>>() != nullptr;
  });
}

std::optional<KnownKernels::Key> KnownKernels::keyOf(gpu::GPUModuleOp module, StringRef options) {
  if (hasSourceLines(module))
    return std::nullopt;
  HashStream out;
  out << options << '\n';
  // The name of a kernel is in its binary, that of the module is not.
  for (Operation &op : *module.getBody())
    op.print(out, OpPrintingFlags().printGenericOpForm().useLocalScope());
  return out.result();
}

KnownKernels::Shared KnownKernels::find(const Key &key) {
  std::lock_guard<std::mutex> lock(mutex);
  auto found = places.find(key);
  if (found == places.end())
    return nullptr;
  entries.splice(entries.begin(), entries, found->second);
  return found->second->binary;
}

void KnownKernels::add(const Key &key, Shared binary) {
  std::lock_guard<std::mutex> lock(mutex);
  if (places.count(key))
    return; // another thread has made the same
  present += binary->bytes.size();
  entries.push_front({key, std::move(binary)});
  places[key] = entries.begin();
  while (present > most && !entries.empty()) {
    present -= entries.back().binary->bytes.size();
    places.erase(entries.back().key);
    entries.pop_back();
  }
}
