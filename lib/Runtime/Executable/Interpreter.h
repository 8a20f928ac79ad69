//===- Interpreter.h - Runs the code of the host ----------------*- C++ -*-===//
#ifndef ROOFTILE_LIB_RUNTIME_EXECUTABLE_INTERPRETER_H
#define ROOFTILE_LIB_RUNTIME_EXECUTABLE_INTERPRETER_H

#include "rooftile/Runtime/Executable/Code.h"
#include "rooftile/Runtime/Executable/GpuDriver.h"

namespace rooftile {

/// Where kernels run. What fails is recorded (recordError), and then ends the run.
class Device {
public:
  virtual ~Device() = default;
  virtual void launch(const KernelLaunch &launch) = 0;
  /// Runs `code` with its launches here (interpret).
  virtual std::string run(const Code &code, const uint64_t *arguments, uint64_t *results);
  /// What the first launch of each kernel would do.
  virtual void prepare() {}
  /// Null for 0 bytes.
  virtual void *allocate(uint64_t bytes) = 0;
  virtual void free(void *memory) = 0;
  /// Copies memory of the device to the host, after all work on the stream.
  virtual void read(void *to, const void *from, uint64_t bytes) = 0;
  /// The address of a copy of an array of the executable, made when it is first needed.
  virtual const void *array(uint32_t number) = 0;
  virtual void makeDescriptor(void *descriptor, int64_t address, int64_t numberBytes,
                              int64_t length, int64_t lines, int64_t lineBytes, int64_t boxLength,
                              int64_t boxLines) = 0;
};

/// A GPU, by the functions of its driver.
class DriverDevice : public Device {
public:
  void makeDescriptor(void *descriptor, int64_t address, int64_t numberBytes, int64_t length,
                      int64_t lines, int64_t lineBytes, int64_t boxLength,
                      int64_t boxLines) override {
    driver.makeDescriptor(descriptor, address, numberBytes, length, lines, lineBytes, boxLength,
                          boxLines);
  }

protected:
  explicit DriverDevice(const GpuDriver &driver) : driver(driver) {}

  const GpuDriver &driver;
};

/// Runs `code`, which must be valid (whyInvalid). An empty string, or the error with the name of
/// the function and the number of the instruction. What it allocated and neither freed nor returned
/// is freed. `results` gets the registers of the results, where nothing failed.
std::string interpret(const Code &code, const uint64_t *arguments, uint64_t *results,
                      Device &device);

} // namespace rooftile

#endif // ROOFTILE_LIB_RUNTIME_EXECUTABLE_INTERPRETER_H
