//===- Format.h - What a kernel is in a binary ------------------*- C++ -*-===//
#ifndef ROOFTILE_CONVERSION_FORMAT_H
#define ROOFTILE_CONVERSION_FORMAT_H

#include "llvm/Support/CommandLine.h"

namespace rooftile {

/// Content of a gpu.binary: text for the driver or assembler (PTX, AMD ISA), an ELF file (cubin,
/// code object), or the latter where the tool that makes it is found.
enum class Format { Auto, Isa, Bin };

/// The values of an option: how kernels reach NVIDIA's driver.
inline llvm::cl::ValuesClass nvvmFormats() {
  return llvm::cl::values(clEnumValN(Format::Auto, "auto", "bin where ptxas is found, else isa"),
                          clEnumValN(Format::Isa, "isa", "PTX, which the driver compiles"),
                          clEnumValN(Format::Bin, "bin", "cubin, needs ptxas"));
}

/// Values of an option for pipelines of either vendor.
inline llvm::cl::ValuesClass formats() {
  return llvm::cl::values(
      clEnumValN(Format::Auto, "auto", "bin where ptxas, for AMD ld.lld, is found, else isa"),
      clEnumValN(Format::Isa, "isa", "PTX or AMD ISA, as text"),
      clEnumValN(Format::Bin, "bin", "cubin or code object, needs that tool"));
}

/// The values of an option: how kernels reach AMD's runtime.
inline llvm::cl::ValuesClass rocdlFormats() {
  return llvm::cl::values(clEnumValN(Format::Auto, "auto", "bin where ld.lld is found, else isa"),
                          clEnumValN(Format::Isa, "isa", "assembly text"),
                          clEnumValN(Format::Bin, "bin", "code object (hsaco), needs ld.lld"));
}

} // namespace rooftile

#endif // ROOFTILE_CONVERSION_FORMAT_H
