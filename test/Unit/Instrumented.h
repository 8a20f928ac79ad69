//===- Instrumented.h - Whether a sanitizer is at work ----------*- C++ -*-===//
#ifndef ROOFTILE_UNIT_INSTRUMENTED_H
#define ROOFTILE_UNIT_INSTRUMENTED_H

namespace rooftile::compiler {

/// Then times say nothing, and the allocator need not survive a fork among threads.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kInstrumented = true;
#elif defined(__has_feature)
constexpr bool kInstrumented = __has_feature(address_sanitizer) || __has_feature(thread_sanitizer);
#else
constexpr bool kInstrumented = false;
#endif

} // namespace rooftile::compiler

#endif // ROOFTILE_UNIT_INSTRUMENTED_H
