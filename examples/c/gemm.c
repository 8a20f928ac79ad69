/*===- gemm.c - A product from C ------------------------------------------===*\
|* cc gemm.c $(pkg-config --cflags --libs rooftile) \
|*   -Wl,-rpath,$(pkg-config --variable=libdir rooftile) -o gemm && ./gemm
|*
|* -rpath is where the program looks for the library when it runs.
|*
|* It runs on the CPU. For a GPU, options.device is ROOFTILE_CUDA, or options
|* are NULL; a, b and c are addresses of cudaMalloc, rooftile_set_stream names a
|* stream, and cudaStreamSynchronize waits for the result.
\*===----------------------------------------------------------------------===*/

#include <rooftile/rooftile.h>

#include <stdio.h>

int main(void) {
  const float a[2 * 3] = {1, 2, 3, 4, 5, 6}; /* 2 x 3 */
  const float b[3 * 2] = {1, 0, 0, 1, 1, 1}; /* 3 x 2 */
  float c[2 * 2] = {0};                      /* 2 x 2 */
  rooftile_options options = {0};
  rooftile_handle handle;
  rooftile_status status;

  options.size = sizeof options;
  options.device = ROOFTILE_CPU;
  status = rooftile_create(&handle, &options);
  if (status != ROOFTILE_SUCCESS) {
    fprintf(stderr, "%s: %s\n", rooftile_status_name(status), rooftile_message(NULL));
    return 1;
  }

  /* C = 1 A B + 0 C. The first call compiles a kernel, later ones of these sizes launch it. */
  status = rooftile_sgemm(handle, ROOFTILE_ROW_MAJOR, ROOFTILE_OP_N, ROOFTILE_OP_N, 2, 2, 3, 1.0f,
                          a, 3, b, 2, 0.0f, c, 2);
  if (status == ROOFTILE_SUCCESS)
    printf("%g %g\n%g %g\n", c[0], c[1], c[2], c[3]);
  else
    fprintf(stderr, "%s: %s\n", rooftile_status_name(status), rooftile_message(handle));
  rooftile_destroy(handle);
  return status != ROOFTILE_SUCCESS;
}
