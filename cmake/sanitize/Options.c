// Options of the address sanitizer, linked into every executable of a sanitized build.
//
// * LLVM's packaged libraries are not instrumented: they grow vectors that instrumented code made
//   without telling the sanitizer, which would report an overflow of the container, and take
//   memory from allocators that instrumented code has poisoned.
// * Functions that users compile need not free what they return or keep.
// * An abort, so that lit's `not` takes a finding for a crash and not for the expected error.
const char *__asan_default_options(void);
const char *__asan_default_options(void) {
  return "detect_container_overflow=0:allow_user_poisoning=0:detect_leaks=0:abort_on_error=1";
}
