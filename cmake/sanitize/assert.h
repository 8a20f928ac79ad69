// Assertions of LLVM's and MLIR's headers (cast, ArrayRef, DenseMap) are checked in a sanitized
// build. NDEBUG stays defined, since the packaged libraries lack what headers declare without it.
#ifndef ROOFTILE_ASSERT_FAILED
#define ROOFTILE_ASSERT_FAILED
#ifdef __cplusplus
extern "C"
#else
extern
#endif
    void __assert_fail(const char *, const char *, unsigned, const char *)
        __attribute__((noreturn));
#endif
#undef assert
#define assert(...)                                                                                \
  ((__VA_ARGS__) ? (void)0 : __assert_fail(#__VA_ARGS__, __FILE__, __LINE__, __func__))
#if !defined(__cplusplus)
#define static_assert _Static_assert
#endif

// Without NDEBUG SymbolStringPool.h declares it, and asserts it in any case.
#ifndef poolEntryIsAlive
#define poolEntryIsAlive() true
#endif
