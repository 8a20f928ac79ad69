/*===- rooftile.h - Products of matrices on a GPU, for C ----------*- C -*-===*\
|*
|* BLAS level 3 with kernels that are compiled for the sizes at hand, the first
|* time that they are asked for: docs/Library.md. Link with -lrooftile.
|*
|* Units: sizes, leading dimensions and strides are in elements, alignments in
|* bytes. A complex element is two numbers, the real part first.
|*
|* Memory: matrices and arrays of addresses are in the memory of the device, and
|* must stay until the work is done. Structs, and scalars where nothing else is
|* said, are in the memory of the host and are read before a function returns.
|*
|* A function never throws, exits or aborts because of its arguments. Where it
|* does not return ROOFTILE_SUCCESS, rooftile_message says why; with
|* ROOFTILE_INVALID_ARGUMENT, UNSUPPORTED, NO_DEVICE and COMPILE_FAILURE it has
|* written to no matrix.
|*
|* Structs begin with their size, by which later versions may have more members:
|* clear a struct, then set the size and the members that are needed. A program
|* that was compiled with an earlier version has a smaller struct; what that
|* lacks is 0.
|*
|*     rooftile_gemm_args args = {0};
|*     args.size = sizeof args;
|*
\*===----------------------------------------------------------------------===*/
#ifndef ROOFTILE_ROOFTILE_H
#define ROOFTILE_ROOFTILE_H

#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__)
#define ROOFTILE_API __attribute__((visibility("default")))
#else
#define ROOFTILE_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/*===----------------------------------------------------------------------===*\
|* Choices. Their types are int32_t, so that the layout of structs is the same
|* for every compiler.
\*===----------------------------------------------------------------------===*/

typedef int32_t rooftile_status;
enum {
  ROOFTILE_SUCCESS = 0,
  ROOFTILE_INVALID_ARGUMENT = 1, /* no product is described: a bug of the caller */
  ROOFTILE_UNSUPPORTED = 2,      /* a product, but no kernel takes it */
  ROOFTILE_NO_DEVICE = 3,        /* no driver, or no GPU */
  ROOFTILE_COMPILE_FAILURE = 4,
  ROOFTILE_LAUNCH_FAILURE = 5, /* the driver refused: C may be written in part */
  ROOFTILE_OUT_OF_MEMORY = 6,  /* of the host or the device */
  ROOFTILE_INTERNAL = 7,       /* a bug of Rooftile */
  ROOFTILE_TUNING_FAILURE = 8  /* gemm-tune is not there, or has failed */
};

/* What a matrix holds. Zero is none of them: a type must be said. */
typedef int32_t rooftile_type;
enum {
  ROOFTILE_F16 = 1,
  ROOFTILE_BF16 = 2,
  ROOFTILE_F32 = 3,
  ROOFTILE_F64 = 4,
  ROOFTILE_C64 = 5, /* two f32 */
  ROOFTILE_C128 = 6 /* two f64 */
};

/* How a stored matrix X enters. Of real types C is T, and J is N. */
typedef int32_t rooftile_op;
enum {
  ROOFTILE_OP_N = 0, /* X */
  ROOFTILE_OP_T = 1, /* X transposed */
  ROOFTILE_OP_C = 2, /* X conjugated and transposed */
  ROOFTILE_OP_J = 3  /* X conjugated */
};

/* Which dimension of all matrices of a call is contiguous. */
typedef int32_t rooftile_order;
enum {
  ROOFTILE_ROW_MAJOR = 1,   /* element (i, j) is at i * ld + j; ld is at least the columns */
  ROOFTILE_COLUMN_MAJOR = 2 /* element (i, j) is at i + j * ld; ld is at least the rows */
};

/* How the matrices of a batch are given. */
typedef int32_t rooftile_batch;
enum {
  ROOFTILE_BATCH_NONE = 0,
  ROOFTILE_BATCH_STRIDED = 1, /* a stride apart */
  ROOFTILE_BATCH_POINTERS = 2 /* by arrays of their addresses, in the memory of the device */
};

/* What kernels are compiled for. */
typedef int32_t rooftile_sizes;
enum {
  ROOFTILE_SIZES_EXACT = 0, /* the sizes, leading dimensions and strides of the call: fastest */
  ROOFTILE_SIZES_ANY = 1    /* all of them: for programs whose sizes change with every call; an
                               operation that a line of the list of plans states has its own */
};

/* Where alpha and beta are. */
typedef int32_t rooftile_scalars;
enum {
  ROOFTILE_SCALARS_HOST = 0,  /* read before the function returns */
  ROOFTILE_SCALARS_DEVICE = 1 /* read by the kernels, when these run */
};

/* A vector that is added to the product: contiguous, of the type of C, one for a whole batch. */
typedef int32_t rooftile_bias;
enum {
  ROOFTILE_BIAS_NONE = 0,
  ROOFTILE_BIAS_PER_ROW = 1,   /* m elements: element i to row i of C */
  ROOFTILE_BIAS_PER_COLUMN = 2 /* n elements: element j to column j */
};

/* What arithmetic may stand in for that of the type, of GEMM. */
typedef int32_t rooftile_math;
enum {
  ROOFTILE_MATH_STRICT = 0, /* that of the type */
  /* Products of another kind with an error bound of the same size, where they are faster: six of
     bf16 numbers for one of f32, three real ones for a complex one. docs/Dialect.md has bounds. */
  ROOFTILE_MATH_EMULATED = 1,
  /* Factors of f32 may be rounded to 11 significant bits, which tensor cores multiply at half of
     the rate of 16-bit ones; sums are of f32. Other types are as with STRICT. */
  ROOFTILE_MATH_TF32 = 2
};

/* A function of each element, after the bias. For real C; where that is f64, RELU only. */
typedef int32_t rooftile_activation;
enum {
  ROOFTILE_ACTIVATION_NONE = 0,
  ROOFTILE_RELU = 1,      /* max(x, 0); NaN stays NaN */
  ROOFTILE_GELU = 2,      /* x (1 + erf(x / sqrt(2))) / 2 */
  ROOFTILE_GELU_TANH = 3, /* x (1 + tanh(sqrt(2 / pi) (x + 0.044715 x^3))) / 2 */
  ROOFTILE_SIGMOID = 4,   /* 1 / (1 + exp(-x)) */
  ROOFTILE_SILU = 5,      /* x / (1 + exp(-x)) */
  ROOFTILE_TANH = 6
};

typedef int32_t rooftile_side;
enum { ROOFTILE_LEFT = 1, ROOFTILE_RIGHT = 2 };

typedef int32_t rooftile_triangle;
enum { ROOFTILE_LOWER = 1, ROOFTILE_UPPER = 2 };

typedef int32_t rooftile_diagonal;
enum {
  ROOFTILE_NON_UNIT = 1,
  ROOFTILE_UNIT = 2 /* the diagonal is taken for ones, and not read */
};

/* What is computed: the formulas are at rooftile_operation. */
typedef int32_t rooftile_routine;
enum {
  ROOFTILE_GEMM = 1,
  ROOFTILE_TRMM = 2,
  ROOFTILE_TRSM = 3,
  ROOFTILE_SYMM = 4,
  ROOFTILE_HEMM = 5,
  ROOFTILE_SYRK = 6,
  ROOFTILE_HERK = 7,
  ROOFTILE_SYR2K = 8,
  ROOFTILE_HER2K = 9,
  ROOFTILE_TRTRI = 10
};

typedef int32_t rooftile_device;
enum {
  ROOFTILE_CUDA = 0, /* a GPU of NVIDIA's that the driver shows (CUDA_VISIBLE_DEVICES) */
  ROOFTILE_CPU = 1,  /* every GPU thread in turn: slow, for tests; matrices are in host memory */
  ROOFTILE_HIP = 2   /* a GPU of AMD's (HIP_VISIBLE_DEVICES); none has run a kernel yet */
};

/* "success", "invalid argument"; "unknown status" for other numbers. */
ROOFTILE_API const char *rooftile_status_name(rooftile_status status);

/* The version of the library, "0.1.0". */
ROOFTILE_API const char *rooftile_version(void);

/*===----------------------------------------------------------------------===*\
|* Handles
\*===----------------------------------------------------------------------===*/

/* Compiled kernels and a stream. Any number of threads may use one handle at once;
   rooftile_destroy must be the last call with it. */
typedef struct rooftile_context *rooftile_handle;

typedef struct {
  size_t size; /* sizeof(rooftile_options) */
  rooftile_device device;
  int32_t ordinal; /* of the GPU, as the driver counts those that it shows, from 0 */
  /* That is planned for: a chip's name ("h200"), or a file of its description. NULL: that of the
     GPU, else h200, or mi300x of HIP. */
  const char *chip;
  /* Where kernels are kept between processes; "off": nowhere. NULL: $ROOFTILE_CACHE_DIR, else
     $XDG_CACHE_HOME/rooftile, else ~/.cache/rooftile. */
  const char *cache_folder;
} rooftile_options;

/* Makes a handle. `options` NULL: the device is CUDA, the rest as of NULL members. It works without
   a GPU too, for functions that prepare or plan. */
ROOFTILE_API rooftile_status rooftile_create(rooftile_handle *handle,
                                             const rooftile_options *options);

/* Waits for all work of the device and frees the handle. NULL: nothing happens. */
ROOFTILE_API rooftile_status rooftile_destroy(rooftile_handle handle);

/* Work of later calls with this handle, of all threads, goes to `stream`, a CUstream, cudaStream_t
   or hipStream_t of the device; NULL, the start, is the default stream. Calls do not wait for it.
 */
ROOFTILE_API rooftile_status rooftile_set_stream(rooftile_handle handle, void *stream);
ROOFTILE_API rooftile_status rooftile_get_stream(rooftile_handle handle, void **stream);

/* Calls from now on have plans of the list in the file `path`, which gemm-tune select writes, where
   a line of it applies: docs/Tuning.md, docs/Dialect.md. NULL: the model alone chooses. Without
   this call a handle has the list of the file $ROOFTILE_PLANS, if that is set. A list that cannot
   be read is ROOFTILE_INVALID_ARGUMENT, with FILE:LINE:COLUMN in the message; the handle stays as
   it was. Waits for all work of the device, and forgets kernels of the handle, not those of its
   folder. */
ROOFTILE_API rooftile_status rooftile_use_plans(rooftile_handle handle, const char *path);

/* Why the last call of this thread with `handle` that failed did; "" where none did. `handle` NULL:
   of calls without a handle, as of rooftile_create. A thread keeps messages of the last 8 handles.
   The text is valid until the thread's next failure. */
ROOFTILE_API const char *rooftile_message(rooftile_handle handle);

/* What is wrong with the folder of kernels, or the list of plans; "" where nothing is. Calls work
   all the same, but compile again in each process, or with the model's plans: where the file
   $ROOFTILE_PLANS cannot be read, and lines of a list are for other chips. The last one that was
   found; the text is valid as long as the handle. */
ROOFTILE_API const char *rooftile_warning(rooftile_handle handle);

/*===----------------------------------------------------------------------===*\
|* Tuning: which plans are the fastest is measured on request, by the program
|* gemm-tune, whose path $ROOFTILE_TUNER may state; else it is ../bin/gemm-tune
|* beside the library, else that of PATH. docs/Tuning.md
\*===----------------------------------------------------------------------===*/

/* An operation whose search has ended. Texts are valid until the function returns. */
typedef struct {
  size_t size;           /* sizeof(rooftile_tuned) of the library: test it for later members */
  const char *operation; /* "f32 nn 1000x1000x1000" */
  const char *error;     /* why there is no plan, or the search ended early; "" for none */
  int64_t done, count;   /* operations whose search has ended, and all of them */
  double seconds_left;   /* expected, for the others */
  double milliseconds;   /* of the fastest plan; 0: none was measured */
  double gain;           /* time of the model's plan over that; 0: none was measured */
} rooftile_tuned;

typedef struct {
  size_t size; /* sizeof(rooftile_autotune_args) */
  /* Folder of all results, as of gemm-tune autotune. What it has of earlier runs is not measured
     again. */
  const char *folder;
  /* Operations: the file of a list, or the log of a program with ROOFTILE_LOG=calls. Both NULL:
     operations.txt of the folder, which begins as 108 of all types and classes. */
  const char *list, *like;
  double seconds; /* about which it lasts; 0: 1200 */
  /* Called on this thread after each operation; NULL: it is not. */
  void (*progress)(const rooftile_tuned *tuned, void *user_data);
  void *user_data;
} rooftile_autotune_args;

/* Searches plans of operations on the GPU of the handle, for its chip, and has it use the list of
   the fastest, plans.txt of the folder, as rooftile_use_plans. Returns after minutes; other work on
   the GPU makes the times worthless. An operation whose plans fail is reported by `progress`, and
   keeps the plan of the model. ROOFTILE_TUNING_FAILURE: the handle stays as it was; what was
   measured is kept in the folder. Other devices than CUDA, and a GPU of no known chip for which
   the options of the handle name none, are ROOFTILE_UNSUPPORTED. */
ROOFTILE_API rooftile_status rooftile_autotune(rooftile_handle handle,
                                               const rooftile_autotune_args *args);

/*===----------------------------------------------------------------------===*\
|* Any routine
|*
|*   GEMM   C = alpha op(A) op(B) + beta C                          m, n, k
|*   TRMM   C = alpha op(A) C, on the right alpha C op(A)           m, n
|*   TRSM   op(A) X = alpha C, on the right X op(A) = alpha C       m, n
|*   SYMM   C = alpha A B + beta C, on the right alpha B A + beta C m, n
|*   HEMM   as SYMM, A Hermitian                                    m, n
|*   SYRK   C = alpha op(A) op(A)^T + beta C                        n, k
|*   HERK   C = alpha op(A) op(A)^H + beta C                        n, k
|*   SYR2K  C = alpha (op(A) op(B)^T + op(B) op(A)^T) + beta C      n, k
|*   HER2K  C = alpha op(A) op(B)^H + conj(alpha) op(B) op(A)^H + beta C
|*   TRTRI  C = C^-1, C triangular                                  n
|*
|* C is m x n, or n x n; A of TRMM, TRSM, SYMM and HEMM is square, of order m on
|* the left and n on the right; op(A) and op(B) of the others are n x k (of GEMM
|* as below). Of a triangular, symmetric or Hermitian matrix only `triangle` is
|* accessed: that is A of TRMM, TRSM, SYMM, HEMM and C of the last five. op is N
|* or T of SYRK and SYR2K, N or C of HERK and HER2K.
|*
|* alpha and beta have the type of C, f32 where that is f16 or bf16; real are
|* alpha of HERK and beta of HERK and HER2K. Types: TRTRI f32 and f64; SYMM, SYRK
|* and SYR2K these and c64 and c128; HEMM, HERK and HER2K c64 and c128.
|*
|* Members that a routine does not have are not read. The rest is as of the
|* functions for products and for triangular matrices below.
\*===----------------------------------------------------------------------===*/

typedef struct {
  size_t size; /* sizeof(rooftile_operation) */
  rooftile_routine routine;
  rooftile_order order;
  rooftile_type type_a;         /* of all matrices; of GEMM, of A */
  rooftile_type type_b, type_c; /* of GEMM */
  rooftile_op op_a, op_b;       /* op_b: of GEMM */
  rooftile_side side;           /* where A stands, of TRMM, TRSM, SYMM and HEMM */
  rooftile_triangle triangle;
  rooftile_diagonal diagonal; /* of TRMM, TRSM and TRTRI */
  int32_t exact;              /* of TRMM and TRSM */
  int64_t m, n, k;
  const void *a, *b;
  void *c;
  int64_t lda, ldb, ldc;
  const void *alpha, *beta;
  rooftile_batch batch;
  int32_t pointer_align; /* batches by pointers: of GEMM, TRMM and TRSM */
  int64_t count;
  int64_t stride_a, stride_b, stride_c;
  rooftile_sizes sizes;
  rooftile_scalars scalars; /* ROOFTILE_SCALARS_DEVICE: of GEMM */
  rooftile_bias bias_kind;  /* of GEMM, and so are the next two */
  rooftile_activation activation;
  const void *bias;
  rooftile_math math; /* of GEMM; not in the first struct of this kind */
} rooftile_operation;

/* Computes; or compiles and loads, as rooftile_prepare_gemm; or plans, as rooftile_plan_gemm. */
ROOFTILE_API rooftile_status rooftile_run(rooftile_handle handle,
                                          const rooftile_operation *operation);
ROOFTILE_API rooftile_status rooftile_prepare(rooftile_handle handle,
                                              const rooftile_operation *operation);
ROOFTILE_API rooftile_status rooftile_plan(rooftile_handle handle,
                                           const rooftile_operation *operation, char *text,
                                           size_t *bytes);

/*===----------------------------------------------------------------------===*\
|* C = alpha op(A) op(B) + beta C
|*
|* op(A) is m x k, op(B) is k x n, C is m x n; A as stored is k x m where op_a
|* transposes it, B is n x k where op_b does.
|*
|* m, n or count 0: nothing happens. alpha 0, or k 0: C = beta C, and A and B are
|* not read. beta 0: C is not read. What is not read or written may be NULL:
|* alpha, too, where k is 0, and beta where nothing happens.
|*
|* Types of A, B and C: three times the same, or A and B are both f16 or both
|* bf16 and C is f32. Sums of f16 and bf16 are f32.
|*
|* Addresses are multiples of the element's size (of f16 2 bytes, of c128 16);
|* multiples of 16 give faster kernels. C must not overlap A or B. Elements of
|* other matrices may lie between the lines of C.
\*===----------------------------------------------------------------------===*/

typedef struct {
  size_t size; /* sizeof(rooftile_gemm_args) */
  rooftile_op op_a, op_b;
  rooftile_order order;
  rooftile_type type_a, type_b, type_c;
  int64_t m, n, k;
  /* Of a batch by pointers: arrays of `count` addresses. */
  const void *a, *b;
  void *c;
  int64_t lda, ldb, ldc; /* leading dimensions: elements from a line to the next */
  /* One number of type f32 where C is f16, bf16 or f32; else of the type of C. */
  const void *alpha, *beta;
  rooftile_batch batch;
  /* Of a batch by pointers: bytes that all addresses in the arrays are multiples of, a power of 2;
     0: the size of an element. Where it is not true, results are undefined. */
  int32_t pointer_align;
  int64_t count; /* matrices of a batch */
  /* Elements from a matrix of a strided batch to the next. 0 for A or B: all products read one. */
  int64_t stride_a, stride_b, stride_c;
  /* Not in the first structs of this kind. Batches by pointers take exact sizes only. */
  rooftile_sizes sizes;
  rooftile_scalars scalars;
  /* C = activation(alpha op(A) op(B) + beta C + bias). With one of them A and B are not read where
     alpha is 0 or k is 0, but C is written. */
  rooftile_bias bias_kind;
  rooftile_activation activation;
  const void *bias; /* C must not overlap it */
  rooftile_math math;
} rooftile_gemm_args;

ROOFTILE_API rooftile_status rooftile_gemm(rooftile_handle handle, const rooftile_gemm_args *args);

/* Compiles what rooftile_gemm needs for these arguments, loads it where there is a GPU, and runs
   nothing: for the start of a program, for streams that are captured, or to fill a cache folder
   where there is no GPU. Of pointers only the alignment counts; NULL is aligned. */
ROOFTILE_API rooftile_status rooftile_prepare_gemm(rooftile_handle handle,
                                                   const rooftile_gemm_args *args);

/* The plans that rooftile_gemm chooses for these arguments, as JSON, in `text` of `*bytes` bytes;
   nothing is compiled or run, and no GPU is needed. `*bytes` becomes the bytes of the JSON with its
   zero byte; where there were fewer, or `text` is NULL, nothing is written. Members are "chip" and
   "operations", an array: docs/Library.md. Of what does nothing, "operations" is empty. */
ROOFTILE_API rooftile_status rooftile_plan_gemm(rooftile_handle handle,
                                                const rooftile_gemm_args *args, char *text,
                                                size_t *bytes);

/* The same of one type, once. Complex scalars are given by their address. */
ROOFTILE_API rooftile_status rooftile_sgemm(rooftile_handle handle, rooftile_order order,
                                            rooftile_op op_a, rooftile_op op_b, int64_t m,
                                            int64_t n, int64_t k, float alpha, const float *a,
                                            int64_t lda, const float *b, int64_t ldb, float beta,
                                            float *c, int64_t ldc);
ROOFTILE_API rooftile_status rooftile_dgemm(rooftile_handle handle, rooftile_order order,
                                            rooftile_op op_a, rooftile_op op_b, int64_t m,
                                            int64_t n, int64_t k, double alpha, const double *a,
                                            int64_t lda, const double *b, int64_t ldb, double beta,
                                            double *c, int64_t ldc);
ROOFTILE_API rooftile_status rooftile_cgemm(rooftile_handle handle, rooftile_order order,
                                            rooftile_op op_a, rooftile_op op_b, int64_t m,
                                            int64_t n, int64_t k, const void *alpha, const void *a,
                                            int64_t lda, const void *b, int64_t ldb,
                                            const void *beta, void *c, int64_t ldc);
ROOFTILE_API rooftile_status rooftile_zgemm(rooftile_handle handle, rooftile_order order,
                                            rooftile_op op_a, rooftile_op op_b, int64_t m,
                                            int64_t n, int64_t k, const void *alpha, const void *a,
                                            int64_t lda, const void *b, int64_t ldb,
                                            const void *beta, void *c, int64_t ldc);

/*===----------------------------------------------------------------------===*\
|* A triangular matrix A, and a general matrix B in place
|*
|* trmm: B = alpha op(A) B, or on the right B = alpha B op(A).
|* trsm: op(A) X = alpha B, or X op(A) = alpha B; X replaces B.
|*
|* B is m x n; A is m x m on the left, n x n on the right, and only its triangle
|* is read. m, n or count 0: nothing happens. alpha 0: B = 0, and A is not read.
|* What is not read or written may be NULL.
|* trsm does not test whether A is singular. Batches are as of gemm.
|*
|* Types of A and B: any of trmm; of trsm f32, f64, c64 or c128.
|*
|* NaN and infinities: with exact = 0, those of a row of B (on the right, of a
|* column) may reach rows of the result that do not depend on it, since kernels
|* multiply others by zeros; and trsm may multiply by inverses of blocks, whose
|* error grows with the condition of these. With exact = 1 neither happens, which
|* takes longer.
\*===----------------------------------------------------------------------===*/

typedef struct {
  size_t size; /* sizeof(rooftile_triangular_args) */
  rooftile_side side;
  rooftile_triangle triangle; /* the one that is stored */
  rooftile_op op_a;
  rooftile_diagonal diagonal;
  rooftile_order order;
  rooftile_type type; /* of A and B, and of alpha; that is f32 where they are f16 or bf16 */
  int64_t m, n;
  /* Of a batch by pointers: arrays of `count` addresses. */
  const void *a;
  void *b;
  int64_t lda, ldb;
  const void *alpha;
  rooftile_batch batch;
  rooftile_sizes sizes;
  int64_t count;
  int64_t stride_a, stride_b;
  /* Not in the first structs of this kind. As of gemm, of a batch by pointers. */
  int32_t pointer_align;
  int32_t reserved; /* is not read */
  /* Not in the first two structs of this kind. 1: each element of the result is made of those that
     it depends on, by substitution; 0: plans may multiply others by zeros, see above. */
  int32_t exact;
} rooftile_triangular_args;

ROOFTILE_API rooftile_status rooftile_trmm(rooftile_handle handle,
                                           const rooftile_triangular_args *args);
ROOFTILE_API rooftile_status rooftile_trsm(rooftile_handle handle,
                                           const rooftile_triangular_args *args);

/* As rooftile_prepare_gemm. */
ROOFTILE_API rooftile_status rooftile_prepare_trmm(rooftile_handle handle,
                                                   const rooftile_triangular_args *args);
ROOFTILE_API rooftile_status rooftile_prepare_trsm(rooftile_handle handle,
                                                   const rooftile_triangular_args *args);

/* As rooftile_plan_gemm. A routine is made of several operations: blocks of the diagonal, and
   products beside them. */
ROOFTILE_API rooftile_status rooftile_plan_trmm(rooftile_handle handle,
                                                const rooftile_triangular_args *args, char *text,
                                                size_t *bytes);
ROOFTILE_API rooftile_status rooftile_plan_trsm(rooftile_handle handle,
                                                const rooftile_triangular_args *args, char *text,
                                                size_t *bytes);

#ifdef __cplusplus
}
#endif

#endif /* ROOFTILE_ROOFTILE_H */
