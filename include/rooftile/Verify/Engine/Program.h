//===- Program.h - From a module to callable functions ----------*- C++ -*-===//
#ifndef ROOFTILE_VERIFY_ENGINE_PROGRAM_H
#define ROOFTILE_VERIFY_ENGINE_PROGRAM_H

#include "rooftile/Verify/Engine/Session.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/PassManager.h"
#include "rooftile/Compiler/Build.h"
#include "rooftile/Compiler/HostEngine.h"
#include "rooftile/Conversion/Format.h"

#include <optional>

namespace rooftile::verify {

/// A defect put into kernels on purpose, to see that verification notices.
enum class Mutation {
  None,
  Barrier,
  Race,
  Guard,
  Slice,
  Wait,
  Cluster,
  Split,
  Extra,
  Rounding,
  Fence,
  Products,
  Release,
  Finish
};

/// Form of host code: machine code with the runtime, or data for its interpreter.
enum class Form { Object, Executable };

using compiler::Effort;
using compiler::runPasses;

struct CompileOptions {
  DeviceKind device = DeviceKind::Cpu;
  Form form = Form::Object; ///< Executables are verified on the CPU.
  std::string chip;         ///< empty: the module's target, else the GPU present, else h200
  Format format = Format::Auto;
  Mutation mutation = Mutation::None;
  std::string plans;  ///< a user's list of plans and kernels; empty: none
  bool record = true; ///< on the CPU: kernels report their accesses to shared memory
  bool verify = true; ///< every operation is filled and compared: what a Session needs
  Effort effort = Effort::Full;
  bool isEmulated = false; ///< the driver of DeviceKind::Hip is the emulator
};

/// The matrices that the addresses of an argument lead to; sizes and strides may be dynamic.
struct Addressed {
  Pointee pointee;
  std::vector<int64_t> sizes, strides;
};

/// Arguments and results of a function, as read before it is lowered.
struct Signature {
  std::string name;
  std::vector<mlir::Type> arguments, results;
  std::vector<std::vector<int64_t>> sizes; ///< of `rooftile.sizes` per argument; empty: none
  std::vector<double> values;              ///< of `rooftile.value` per argument; NaN: none
  std::vector<std::optional<Addressed>> addressed; ///< per argument, of a blas.batch
};

/// A compiled and loaded module.
struct Program {
  Program();
  ~Program();

  std::vector<Signature> functions; ///< the public ones, in order
  std::vector<Site> sites;
  std::vector<RunPlan> plans; ///< by the number that compiled code reports
  Roofline roofline;
  std::unique_ptr<mlir::ExecutionEngine> engine;
  std::unique_ptr<Executable> executable; ///< In place of the engine.
};

/// Runs the whole pipeline on `module` (which is consumed) and loads the result. Errors are printed
/// at their locations.
mlir::FailureOr<std::unique_ptr<Program>> compile(mlir::ModuleOp module,
                                                  const CompileOptions &options);

/// Reads what can be called of a module on memrefs, before it is lowered, into `program`. Fails,
/// with an error at the function or call, on what cannot.
mlir::LogicalResult readFunctions(mlir::ModuleOp module, Program &program);

/// Compiles a module of the LLVM dialect for this machine into `program`.
mlir::LogicalResult loadProgram(mlir::ModuleOp module, Program &program,
                                Effort effort = Effort::Full);

/// Registers what compile needs in a context beside the dialects: interfaces, translations.
void registerEngine(mlir::DialectRegistry &registry);

} // namespace rooftile::verify

#endif // ROOFTILE_VERIFY_ENGINE_PROGRAM_H
