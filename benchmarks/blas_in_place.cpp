//===- blas_in_place.cpp - Times of the BLAS that a program finds ---------===//
//
//   LD_PRELOAD=build/lib/librooftile_blas.so blas-in-place [--sizes 512,1024] [--types sdcz]
//       [--host /usr/lib/x86_64-linux-gnu/libopenblas.so.0]
//
// Squares by gemm, and by trmm and trsm of s and d: the first call, the median of later ones, and
// with
// --host those of that library. Every result is checked with a vector, in n^2 steps:
// C x = alpha op(A) (op(B) x) + beta C0 x. Exits 1 where one is wrong. It needs no BLAS to be
// built.
//
//===----------------------------------------------------------------------===//

#include <algorithm>
#include <chrono>
#include <cmath>
#include <complex>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <limits>
#include <random>
#include <string>
#include <vector>

namespace {

struct Options {
  std::vector<int> sizes = {512, 1024, 2048, 4096, 8192};
  std::string types = "sdcz";
  void *host = nullptr; ///< A library.
};

struct Figures {
  double first = 0, median = 0; ///< Seconds; 0 where there is no such function.
};

template <typename T> using Real = decltype(std::abs(T()));
template <typename T> constexpr bool kIsComplex = sizeof(T) == 2 * sizeof(Real<T>);

/// n x n, column-major.
template <typename T> struct Square {
  int n;
  std::vector<T> elements;

  Square(int n, unsigned seed) : n(n), elements(size_t(n) * n) {
    std::minstd_rand random(seed);
    for (T &element : elements) {
      Real<T> part = Real<T>(random() % 2001) / 1000 - 1;
      element = part;
      if constexpr (kIsComplex<T>)
        element = T(part, Real<T>(random() % 2001) / 1000 - 1);
    }
  }
  /// Upper, with a large diagonal: solutions do not grow.
  void makeTriangular() {
    for (int j = 0; j < n; ++j)
      for (int i = 0; i < n; ++i)
        elements[size_t(j) * n + i] *= Real<T>(i < j ? 1.0 / n : i == j ? 0 : 1e6);
    for (int i = 0; i < n; ++i)
      elements[size_t(i) * n + i] = 2;
  }
  /// Rows from 0 to the diagonal only, with `isUpper`.
  std::vector<T> times(const std::vector<T> &x, bool isUpper = false) const {
    std::vector<T> y(n);
    for (int j = 0; j < n; ++j)
      for (int i = 0; i < (isUpper ? j + 1 : n); ++i)
        y[i] += elements[size_t(j) * n + i] * x[j];
    return y;
  }
};

} // namespace

static double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// Times `call`, with `prepare` before each, for half a second and at least three times.
template <typename Prepare, typename Call> static Figures measure(Prepare prepare, Call call) {
  constexpr double kEnough = 0.5;
  Figures figures;
  std::vector<double> times;
  double spent = 0;
  for (int run = 0; run < 4 || (spent < kEnough && run < 100); ++run) {
    prepare();
    double begin = now();
    call();
    double seconds = now() - begin;
    if (run == 0) {
      figures.first = seconds;
      continue;
    }
    spent += seconds;
    times.push_back(seconds);
  }
  std::sort(times.begin(), times.end());
  figures.median = times[times.size() / 2];
  return figures;
}

/// Whether y is right, where |right| is what rounding is relative to.
template <typename T>
static bool isNear(const std::vector<T> &y, const std::vector<T> &right, int n) {
  double largest = 0, difference = 0;
  for (int i = 0; i < n; ++i) {
    largest = std::max<double>(largest, std::abs(right[i]));
    difference = std::max<double>(difference, std::abs(y[i] - right[i]));
  }
  return difference <= 8 * std::sqrt(double(n)) * std::numeric_limits<Real<T>>::epsilon() * largest;
}

template <typename T>
using Gemm = void(const char *, const char *, const int *, const int *, const int *, const T *,
                  const T *, const int *, const T *, const int *, const T *, T *, const int *);
template <typename T>
using Triangular = void(const char *, const char *, const char *, const char *, const int *,
                        const int *, const T *, const T *, const int *, T *, const int *);

static void *find(void *library, char type, const char *routine) {
  return dlsym(library, (std::string(1, type) + routine + "_").c_str());
}

static void print(char type, const char *routine, int n, double flops, const Figures &ours,
                  const Figures &host, bool isRight) {
  std::printf("%c%s %6d %10.2f %10.3f %9.1f", type, routine, n, ours.first * 1e3, ours.median * 1e3,
              flops / ours.median * 1e-9);
  if (host.median > 0)
    std::printf(" %10.3f %6.2f", host.median * 1e3, host.median / ours.median);
  std::printf(" %s\n", isRight ? "right" : "WRONG");
  std::fflush(stdout);
}

template <typename T> static bool runGemm(char type, int n, const Options &options) {
  Square<T> a(n, 1), b(n, 2), c(n, 3), result = c;
  std::vector<T> x(n, T(1));
  T alpha = 2, beta = 0.5;
  auto runWith = [&](void *address) {
    return measure([&] { result.elements = c.elements; },
                   [&] {
                     reinterpret_cast<Gemm<T> *>(address)("N", "N", &n, &n, &n, &alpha,
                                                          a.elements.data(), &n, b.elements.data(),
                                                          &n, &beta, result.elements.data(), &n);
                   });
  };
  Figures ours = runWith(find(RTLD_DEFAULT, type, "gemm"));
  std::vector<T> y = result.times(x), right = a.times(b.times(x)), scaled = c.times(x);
  for (int i = 0; i < n; ++i)
    right[i] = alpha * right[i] + beta * scaled[i];
  bool isRight = isNear(y, right, n);
  void *address = options.host ? find(options.host, type, "gemm") : nullptr;
  Figures host = address ? runWith(address) : Figures();
  print(type, "gemm", n, (kIsComplex<T> ? 8.0 : 2.0) * n * n * n, ours, host, isRight);
  return isRight;
}

/// Left, upper: A X is B, or X is A B.
template <typename T>
static bool runTriangular(char type, const char *routine, int n, const Options &options) {
  bool isSolve = std::strcmp(routine, "trsm") == 0;
  Square<T> a(n, 1), b(n, 2), result = b;
  a.makeTriangular();
  std::vector<T> x(n, T(1));
  T alpha = 1;
  auto runWith = [&](void *address) {
    return measure([&] { result.elements = b.elements; },
                   [&] {
                     reinterpret_cast<Triangular<T> *>(address)("L", "U", "N", "N", &n, &n, &alpha,
                                                                a.elements.data(), &n,
                                                                result.elements.data(), &n);
                   });
  };
  Figures ours = runWith(find(RTLD_DEFAULT, type, routine));
  bool isRight = isSolve ? isNear(a.times(result.times(x), true), b.times(x), n)
                         : isNear(result.times(x), a.times(b.times(x), true), n);
  void *address = options.host ? find(options.host, type, routine) : nullptr;
  Figures host = address ? runWith(address) : Figures();
  print(type, routine, n, double(n) * n * n, ours, host, isRight);
  return isRight;
}

template <typename T> static bool runType(char type, const Options &options) {
  bool isRight = true;
  for (int n : options.sizes)
    isRight &= runGemm<T>(type, n, options);
  if (kIsComplex<T>)
    return isRight;
  for (const char *routine : {"trmm", "trsm"})
    for (int n : options.sizes)
      isRight &= runTriangular<T>(type, routine, n, options);
  return isRight;
}

static bool read(int argc, char **argv, Options &options) {
  for (int i = 1; i + 1 < argc; i += 2) {
    std::string name = argv[i];
    if (name == "--types") {
      options.types = argv[i + 1];
    } else if (name == "--host") {
      options.host = dlopen(argv[i + 1], RTLD_NOW | RTLD_LOCAL);
      if (!options.host)
        std::fprintf(stderr, "error: %s\n", dlerror());
    } else if (name == "--sizes") {
      options.sizes.clear();
      for (char *text = std::strtok(argv[i + 1], ","); text; text = std::strtok(nullptr, ","))
        options.sizes.push_back(std::max(1, std::atoi(text)));
    } else {
      std::fprintf(stderr, "error: unknown option '%s'\n", argv[i]);
      return false;
    }
  }
  return argc % 2 == 1;
}

int main(int argc, char **argv) {
  Options options;
  if (!read(argc, argv, options))
    return 1;
  if (!find(RTLD_DEFAULT, 's', "gemm")) {
    std::fprintf(stderr, "error: there is no sgemm_ in this process: name a BLAS by LD_PRELOAD\n");
    return 1;
  }
  std::printf("routine    n   first ms  median ms  GFLOP/s    host ms   gain\n");
  bool isRight = true;
  for (char type : options.types) {
    if (type == 's')
      isRight &= runType<float>('s', options);
    else if (type == 'd')
      isRight &= runType<double>('d', options);
    else if (type == 'c')
      isRight &= runType<std::complex<float>>('c', options);
    else if (type == 'z')
      isRight &= runType<std::complex<double>>('z', options);
  }
  return isRight ? 0 : 1;
}
