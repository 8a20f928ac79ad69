//===- Interpreter.h - Runs the code of the host ----------------*- C++ -*-===//
#ifndef ROOFTILE_LIB_RUNTIME_EXECUTABLE_INTERPRETER_H
#define ROOFTILE_LIB_RUNTIME_EXECUTABLE_INTERPRETER_H

#include "rooftile/Runtime/Device/Driver.h"
#include "rooftile/Runtime/Executable/Code.h"

namespace rooftile {

/// Where kernels run. What fails is recorded (recordError), and then ends the run.
class Runner {
public:
  virtual ~Runner() = default;
  virtual void launch(const KernelLaunch &launch) = 0;
  /// Runs `code` with its launches here (interpret).
  virtual std::string run(const Code &code, const uint64_t *arguments, uint64_t *results);
  /// Does what the first launch of each kernel would do.
  virtual void prepare() {}
  /// Null for 0 bytes.
  virtual void *allocate(uint64_t bytes) = 0;
  virtual void free(void *memory) = 0;
  /// Copies memory of the device to the host, after all work on the stream.
  virtual void read(void *to, const void *from, uint64_t bytes) = 0;
  /// The address of a copy of an array of the executable, made when it is first needed.
  virtual const void *array(uint32_t number) = 0;
  virtual void makeDescriptor(void *descriptor, const TensorMap &matrix) = 0;
};

/// This thread's device of a driver.
class DriverRunner : public Runner {
public:
  void makeDescriptor(void *descriptor, const TensorMap &matrix) override {
    driver.makeDescriptor(descriptor, matrix);
  }

protected:
  explicit DriverRunner(const Driver &driver) : driver(driver) {}

  const Driver &driver;
};

/// Runs `code`, which must be valid (whyInvalid). An empty string, or the error with the name of
/// the function and the number of the instruction. What it allocated and neither freed nor returned
/// is freed. `results` gets the registers of the results, where nothing failed.
std::string interpret(const Code &code, const uint64_t *arguments, uint64_t *results,
                      Runner &device);

} // namespace rooftile

#endif // ROOFTILE_LIB_RUNTIME_EXECUTABLE_INTERPRETER_H
