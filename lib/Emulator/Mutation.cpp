//===- Mutation.cpp - Defects in code objects, to test tests --------------===//

#include "rooftile/Emulator/Mutation.h"

#include <random>

using namespace rooftile::emulator;

/// Instructions without an effect on results: hints, branches around what no lane executes, and the
/// end that each wave needs.
static bool isPadding(llvm::StringRef name) {
  return llvm::is_contained({"s_nop", "s_clause", "s_cbranch_execz", "s_delay_alu", "s_endpgm",
                             "s_setprio", "s_code_end", "s_sendmsg", "s_inst_prefetch",
                             "s_waitcnt_depctr"},
                            name);
}

static bool isOf(llvm::StringRef kind, llvm::StringRef name) {
  if (kind == "barrier")
    return name == "s_barrier";
  if (kind == "wait")
    return name.starts_with("s_waitcnt") && !isPadding(name);
  return kind == "any" && !isPadding(name);
}

llvm::Expected<std::string>
rooftile::emulator::deleteInstruction(CodeObject &object, llvm::StringRef kind, uint64_t seed) {
  std::vector<Instruction *> all;
  for (Instruction &each : object.instructions())
    if (isOf(kind, each.name))
      all.push_back(&each);
  if (all.empty())
    return llvm::createStringError("there is no instruction of kind '" + kind + "'");
  Instruction &deleted = *all[std::mt19937_64(seed)() % all.size()];
  deleted.execute = [](Wave &, const Instruction &) {};
  deleted.operands.clear(); // nothing of it waits for a load
  return deleted.text;
}
