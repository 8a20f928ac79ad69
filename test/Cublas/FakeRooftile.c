/*===- FakeRooftile.c - A librooftile.so that computes nothing ------------===*\
|*
|* Prints the operations that it is asked for. The environment says what becomes
|* of them: ROOFTILE_FAKE_STATUS is the number that they return, and of
|* rooftile_create ROOFTILE_FAKE_CREATE; ROOFTILE_FAKE_SECONDS is what each is
|* predicted to take.
|*
\*===----------------------------------------------------------------------===*/

#include "rooftile/rooftile.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct rooftile_context {
  int number, device;
  void *stream;
  int isBusy; /* from set_stream to the end of the call behind it */
};

static int numberOf(const char *variable) {
  const char *value = getenv(variable);
  return value ? atoi(value) : 0;
}

rooftile_status rooftile_create(rooftile_handle *handle, const rooftile_options *options) {
  static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  static int made = 0;
  if (numberOf("ROOFTILE_FAKE_CREATE"))
    return numberOf("ROOFTILE_FAKE_CREATE");
  *handle = malloc(sizeof(struct rooftile_context));
  pthread_mutex_lock(&mutex);
  (*handle)->number = made++;
  pthread_mutex_unlock(&mutex);
  (*handle)->stream = NULL;
  (*handle)->device = options->ordinal;
  (*handle)->isBusy = 0;
  return ROOFTILE_SUCCESS;
}

rooftile_status rooftile_set_stream(rooftile_handle handle, void *stream) {
  if (__atomic_exchange_n(&handle->isBusy, 1, __ATOMIC_SEQ_CST))
    printf("two calls use one handle\n");
  handle->stream = stream;
  return ROOFTILE_SUCCESS;
}

const char *rooftile_status_name(rooftile_status status) {
  return status == ROOFTILE_SUCCESS ? "success" : "failure";
}

const char *rooftile_message(rooftile_handle handle) {
  return handle ? "the fake was told to fail" : "the fake was told to make no handle";
}

const char *rooftile_warning(rooftile_handle handle) {
  (void)handle;
  return "";
}

static const char *nameOf(rooftile_type type) {
  static const char *const names[] = {"?", "f16", "bf16", "f32", "f64", "c64", "c128"};
  return type >= 0 && type <= 6 ? names[type] : "?";
}

static void address(const char *name, const void *memory) {
  printf(" %s @%llx", name, (unsigned long long)(size_t)memory);
}

static rooftile_status end(rooftile_handle handle) {
  printf(" stream %llx handle %d device %d\n", (unsigned long long)(size_t)handle->stream,
         handle->number, handle->device);
  fflush(stdout);
  funlockfile(stdout);
  __atomic_store_n(&handle->isBusy, 0, __ATOMIC_SEQ_CST);
  return numberOf("ROOFTILE_FAKE_STATUS");
}

static void product(const rooftile_operation *args) {
  printf(" op %d %d", args->op_a, args->op_b);
  printf(" %lldx%lldx%lld", (long long)args->m, (long long)args->n, (long long)args->k);
  address("A", args->a);
  address("B", args->b);
  address("C", args->c);
  printf(" ld %lld %lld %lld", (long long)args->lda, (long long)args->ldb, (long long)args->ldc);
  if (args->scalars == ROOFTILE_SCALARS_DEVICE)
    address("alpha", args->alpha);
  printf(" batch %d count %lld strides %lld %lld %lld align %d", args->batch,
         (long long)args->count, (long long)args->stride_a, (long long)args->stride_b,
         (long long)args->stride_c, args->pointer_align);
}

static void triangular(const rooftile_operation *args) {
  printf(" side %d triangle %d op %d diagonal %d%s %lldx%lld", args->side, args->triangle,
         args->op_a, args->diagonal, args->exact ? " exact" : "", (long long)args->m,
         (long long)args->n);
  address("A", args->a);
  address("B", args->c);
  printf(" ld %lld %lld", (long long)args->lda, (long long)args->ldc);
  if (args->batch)
    printf(" batch %d count %lld align %d", args->batch, (long long)args->count,
           args->pointer_align);
}

static void symmetric(const rooftile_operation *args) {
  int hasSide = args->routine == ROOFTILE_SYMM || args->routine == ROOFTILE_HEMM;
  int hasB = hasSide || args->routine == ROOFTILE_SYR2K || args->routine == ROOFTILE_HER2K;
  if (hasSide)
    printf(" side %d triangle %d %lldx%lld", args->side, args->triangle, (long long)args->m,
           (long long)args->n);
  else
    printf(" triangle %d op %d %lldx%lld", args->triangle, args->op_a, (long long)args->n,
           (long long)args->k);
  address("A", args->a);
  if (hasB)
    address("B", args->b);
  address("C", args->c);
  printf(" ld %lld", (long long)args->lda);
  if (hasB)
    printf(" %lld", (long long)args->ldb);
  printf(" %lld", (long long)args->ldc);
}

static const char *const routines[] = {"?",    "gemm", "trmm", "trsm",  "symm",
                                       "hemm", "syrk", "herk", "syr2k", "her2k"};

rooftile_status rooftile_run(rooftile_handle handle, const rooftile_operation *args) {
  if (args->size != sizeof *args || args->order != ROOFTILE_COLUMN_MAJOR ||
      args->routine < ROOFTILE_GEMM || args->routine > ROOFTILE_HER2K ||
      (args->routine == ROOFTILE_GEMM &&
       (args->type_a != args->type_c || args->type_b != args->type_c)))
    return ROOFTILE_INTERNAL;
  flockfile(stdout);
  printf("ours %s %s", routines[args->routine], nameOf(args->type_a));
  if (args->routine == ROOFTILE_GEMM)
    product(args);
  else if (args->routine == ROOFTILE_TRMM || args->routine == ROOFTILE_TRSM)
    triangular(args);
  else
    symmetric(args);
  return end(handle);
}

/* As PlanReport.cpp writes it: here two kernels, which take a third and two thirds of the time. */
static rooftile_status plan(const char *operation, int64_t m, char *text, size_t *bytes) {
  const char *seconds = getenv("ROOFTILE_FAKE_SECONDS");
  double all = seconds ? atof(seconds) : 1e-6;
  char report[9000];
  size_t needed;
  if (numberOf("ROOFTILE_FAKE_PLAN"))
    return numberOf("ROOFTILE_FAKE_PLAN");
  snprintf(report, sizeof report,
           "{\"chip\":\"h200\",\"operations\":[{\"operation\":\"blas.%s\",\"m\":%lld,"
           "\"seconds\":%g,\"plans\":[{\"when\":\"}\\\"{\",\"plan\":\"%*s\",\"seconds\":5}]},"
           "{\"operation\":\"blas.reduce\",\"seconds\":%g,\"plans\":[]}]}",
           operation, (long long)m, all / 3, numberOf("ROOFTILE_FAKE_LENGTH"), "", all * 2 / 3);
  needed = strlen(report) + 1;
  if (text && *bytes >= needed)
    memcpy(text, report, needed);
  *bytes = needed;
  return ROOFTILE_SUCCESS;
}

rooftile_status rooftile_plan(rooftile_handle handle, const rooftile_operation *args, char *text,
                              size_t *bytes) {
  (void)handle;
  return plan(routines[args->routine], args->m, text, bytes);
}
