// lld asks for LLVM's extensions (Polly), which it calls when it compiles bitcode. It is given none
// here, so static builds do without them.
#include "llvm/Plugins/PassPlugin.h"

#define HANDLE_EXTENSION(NAME)                                                                     \
  llvm::PassPluginLibraryInfo get##NAME##PluginInfo();                                             \
  llvm::PassPluginLibraryInfo get##NAME##PluginInfo() {                                            \
    return {LLVM_PLUGIN_API_VERSION, #NAME, "none", [](llvm::PassBuilder &) {}};                   \
  }
#include "llvm/Support/Extension.def"
