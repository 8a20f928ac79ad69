//===- Format.h - What a kernel is in a binary ------------------*- C++ -*-===//
#ifndef ROOFTILE_CONVERSION_FORMAT_H
#define ROOFTILE_CONVERSION_FORMAT_H

namespace rooftile {

/// What a gpu.binary holds: text for the driver or assembler (PTX, AMD ISA), an ELF file (cubin,
/// code object), or the latter where the tool that makes it is found.
enum class Format { Auto, Isa, Bin };

} // namespace rooftile

#endif // ROOFTILE_CONVERSION_FORMAT_H
