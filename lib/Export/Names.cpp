//===- Names.cpp - Valid names in C ---------------------------------------===//

#include "Names.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using llvm::StringRef;

/// Keywords of C11 and C++20, and `main`.
static constexpr llvm::StringLiteral kKeywords[] = {"alignas",     "alignof",
                                                    "and",         "and_eq",
                                                    "asm",         "auto",
                                                    "bitand",      "bitor",
                                                    "bool",        "break",
                                                    "case",        "catch",
                                                    "char",        "char8_t",
                                                    "class",       "co_await",
                                                    "co_return",   "co_yield",
                                                    "compl",       "concept",
                                                    "const",       "const_cast",
                                                    "consteval",   "constexpr",
                                                    "constinit",   "continue",
                                                    "decltype",    "default",
                                                    "delete",      "do",
                                                    "double",      "dynamic_cast",
                                                    "else",        "enum",
                                                    "explicit",    "export",
                                                    "extern",      "false",
                                                    "float",       "for",
                                                    "friend",      "goto",
                                                    "if",          "inline",
                                                    "int",         "long",
                                                    "main",        "mutable",
                                                    "namespace",   "new",
                                                    "noexcept",    "not",
                                                    "not_eq",      "nullptr",
                                                    "operator",    "or",
                                                    "or_eq",       "private",
                                                    "protected",   "public",
                                                    "register",    "reinterpret_cast",
                                                    "requires",    "restrict",
                                                    "return",      "short",
                                                    "signed",      "sizeof",
                                                    "static",      "static_assert",
                                                    "static_cast", "struct",
                                                    "switch",      "template",
                                                    "this",        "thread_local",
                                                    "throw",       "true",
                                                    "try",         "typedef",
                                                    "typeid",      "typename",
                                                    "union",       "unsigned",
                                                    "using",       "virtual",
                                                    "void",        "volatile",
                                                    "wchar_t",     "while",
                                                    "xor",         "xor_eq"};

/// Macros of the headers of C, and those that compilers define, that no family below has. Sources:
/// ISO C17, 7 and B; GCC 12, System-specific Predefined Macros.
static constexpr llvm::StringLiteral kMacros[] = {"BUFSIZ",
                                                  "CLOCKS_PER_SEC",
                                                  "CMPLX",
                                                  "CMPLXF",
                                                  "CMPLXL",
                                                  "DECIMAL_DIG",
                                                  "FILENAME_MAX",
                                                  "FOPEN_MAX",
                                                  "I",
                                                  "INFINITY",
                                                  "MATH_ERRNO",
                                                  "NAN",
                                                  "NDEBUG",
                                                  "NULL",
                                                  "ONCE_FLAG_INIT",
                                                  "WEOF",
                                                  "assert",
                                                  "complex",
                                                  "errno",
                                                  "fpclassify",
                                                  "i386",
                                                  "imaginary",
                                                  "isfinite",
                                                  "isgreater",
                                                  "isgreaterequal",
                                                  "isinf",
                                                  "isless",
                                                  "islessequal",
                                                  "islessgreater",
                                                  "isnan",
                                                  "isnormal",
                                                  "isunordered",
                                                  "kill_dependency",
                                                  "linux",
                                                  "math_errhandling",
                                                  "noreturn",
                                                  "offsetof",
                                                  "setjmp",
                                                  "signbit",
                                                  "stderr",
                                                  "stdin",
                                                  "stdout",
                                                  "unix",
                                                  "va_arg",
                                                  "va_copy",
                                                  "va_end",
                                                  "va_start"};

/// Beginnings of names that headers of C define, and may define in its next versions, as macros; a
/// capital letter or a digit follows. Source: ISO C17, 7.31, and the names of 7.
static constexpr llvm::StringLiteral kMacroFamilies[] = {
    "ATOMIC_", "CHAR_", "DBL_",  "E",       "EXIT_",    "FE_",    "FLT_",   "FP_",
    "HUGE_",   "INT",   "INT_",  "LC_",     "LDBL_",    "LLONG_", "LONG_",  "L_",
    "MATH_",   "MB_",   "M_",    "PRI",     "PTRDIFF_", "RAND_",  "SCHAR_", "SCN",
    "SEEK_",   "SHRT_", "SIG",   "SIG_",    "SIZE_",    "TIME_",  "TMP_",   "TSS_",
    "UCHAR_",  "UINT",  "UINT_", "ULLONG_", "ULONG_",   "USHRT_", "WCHAR_", "WINT_"};

/// Beginnings of the functions of GPUs' drivers and runtimes, which look their own names up in the
/// process; a capital letter follows.
static constexpr llvm::StringLiteral kDriverFamilies[] = {"cu", "cuda", "hip", "nvrtc", "nvml"};

/// Libraries that programs are linked with, or that are loaded by name.
static constexpr llvm::StringLiteral kLibraries[] = {
    "amdhip64", "anl",     "asan",   "atomic",   "c",    "crypt", "cublas", "cuda",
    "cudart",   "dl",      "gcc",    "gcc_s",    "gomp", "m",     "mvec",   "nsl",
    "nvrtc",    "pthread", "resolv", "rooftile", "rt",   "stdc",  "ubsan",  "util"};

static constexpr size_t kMostLetters = 100;

/// Whether `name` is one of a family and a capital letter, or a digit, after it.
static bool isOfFamily(StringRef name, llvm::ArrayRef<llvm::StringLiteral> families) {
  return llvm::any_of(families, [&](StringRef family) {
    StringRef rest = name;
    return rest.consume_front(family) && !rest.empty() &&
           (llvm::isUpper(rest.front()) || llvm::isDigit(rest.front()) || family == "PRI" ||
            family == "SCN");
  });
}

static bool isMacro(StringRef name) {
  return llvm::is_contained(kMacros, name) || name.starts_with("atomic_") ||
         isOfFamily(name, kMacroFamilies);
}

std::string rooftile::exporter::whyNoName(StringRef name) {
  auto isPart = [](char letter) { return llvm::isAlnum(letter) || letter == '_'; };
  if (name.empty() || !llvm::isAlpha(name.front()) || !llvm::all_of(name, isPart))
    return "expected a name of C: a letter, then letters, digits and '_'";
  if (name.size() > kMostLetters)
    return "expected a name of at most " + std::to_string(kMostLetters) + " letters";
  if (llvm::is_contained(kKeywords, name) || name.ends_with("_t"))
    return "expected a name that C and C++ leave free";
  if (isMacro(name))
    return "expected a name that is no macro of a header of C";
  if (isOfFamily(name, kDriverFamilies))
    return "expected a name that no driver of a GPU has";
  return "";
}

std::string rooftile::exporter::whyNoLibrary(StringRef name) {
  if (std::string why = whyNoName(name); !why.empty())
    return why;
  return llvm::is_contained(kLibraries, name) || name.starts_with("rooftile_")
             ? "expected a name that no library of the system has"
             : "";
}

bool rooftile::exporter::isOwnName(StringRef suffix) {
  constexpr llvm::StringLiteral kNames[] = {"message",   "ok",      "bad_argument",
                                            "no_device", "no_chip", "failed"};
  return llvm::is_contained(kNames, suffix);
}
