/*===- Matrices.c - Matrices of all types, and a loop beside them ---------===*/

#include "Matrices.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

size_t bytes_of(rooftile_type type) {
  static const size_t bytes[] = {0, 2, 2, 4, 8, 8, 16};
  return bytes[type];
}

int is_complex(rooftile_type type) { return type == ROOFTILE_C64 || type == ROOFTILE_C128; }

/* Of integers below 2048, and NaN. */
static uint16_t half_of(float value) {
  uint32_t bits, exponent;
  memcpy(&bits, &value, 4);
  if (value != value)
    return 0x7e00;
  if (value == 0)
    return 0;
  exponent = (bits >> 23 & 255) - 127 + 15;
  return (uint16_t)((bits >> 16 & 0x8000) | exponent << 10 | (bits >> 13 & 1023));
}

static float float_of_half(uint16_t half) {
  uint32_t exponent = half >> 10 & 31;
  float sign = half & 0x8000 ? -1.0f : 1.0f;
  if (exponent == 31)
    return NAN;
  if (exponent == 0)
    return sign * (float)(half & 1023) / 16777216.0f;
  return sign * ldexpf(1.0f + (float)(half & 1023) / 1024.0f, (int)exponent - 15);
}

static void write_real(rooftile_type type, void *at, double value) {
  float single = (float)value;
  uint32_t bits;
  uint16_t half;
  memcpy(&bits, &single, 4);
  half = type == ROOFTILE_F16 ? half_of(single) : (uint16_t)(bits >> 16);
  if (type == ROOFTILE_F64 || type == ROOFTILE_C128)
    memcpy(at, &value, 8);
  else if (type == ROOFTILE_F16 || type == ROOFTILE_BF16)
    memcpy(at, &half, 2);
  else
    memcpy(at, &single, 4);
}

static double read_real(rooftile_type type, const void *at) {
  double value;
  float single;
  uint16_t half;
  uint32_t bits;
  if (type == ROOFTILE_F64 || type == ROOFTILE_C128) {
    memcpy(&value, at, 8);
    return value;
  }
  if (type == ROOFTILE_F32 || type == ROOFTILE_C64) {
    memcpy(&single, at, 4);
    return single;
  }
  memcpy(&half, at, 2);
  bits = (uint32_t)half << 16;
  memcpy(&single, &bits, 4);
  return type == ROOFTILE_F16 ? float_of_half(half) : single;
}

static void write_number(rooftile_type type, void *at, number value) {
  unsigned char *bytes = at;
  write_real(type, bytes, value.re);
  if (is_complex(type))
    write_real(type, bytes + bytes_of(type) / 2, value.im);
}

static unsigned char *place(const matrix *m, int64_t batch, int64_t i, int64_t j) {
  int64_t line = m->order == ROOFTILE_ROW_MAJOR ? i : j, within = i + j - line;
  return m->bytes + (size_t)(batch * m->stride + line * m->leading + within) * bytes_of(m->type);
}

number get(const matrix *m, int64_t batch, int64_t i, int64_t j) {
  const unsigned char *at = place(m, batch, i, j);
  number value = {0, 0};
  value.re = read_real(m->type, at);
  if (is_complex(m->type))
    value.im = read_real(m->type, at + bytes_of(m->type) / 2);
  return value;
}

void set(matrix *m, int64_t batch, int64_t i, int64_t j, number value) {
  write_number(m->type, place(m, batch, i, j), value);
}

number get_op(const matrix *m, rooftile_op op, int64_t batch, int64_t i, int64_t j) {
  int transposes = op == ROOFTILE_OP_T || op == ROOFTILE_OP_C;
  number value = transposes ? get(m, batch, j, i) : get(m, batch, i, j);
  if (op == ROOFTILE_OP_C || op == ROOFTILE_OP_J)
    value.im = -value.im;
  return value;
}

static int toNumbers;

void align_to_numbers(int only) { toNumbers = only; }

static void allocate(matrix *m) {
  size_t element = bytes_of(m->type), behind = toNumbers && is_complex(m->type) ? element / 2 : 0;
  m->memory = malloc((size_t)(m->count * m->stride) * element + behind);
  m->bytes = m->memory + behind;
}

matrix copy_of(const matrix *m) {
  matrix copy = *m;
  allocate(&copy);
  memcpy(copy.bytes, m->bytes, (size_t)(m->count * m->stride) * bytes_of(m->type));
  return copy;
}

matrix make_matrix(rooftile_type type, rooftile_order order, int64_t rows, int64_t columns,
                   int64_t count, int seed) {
  const number nan = {NAN, NAN};
  matrix m = {0};
  int64_t lines = order == ROOFTILE_ROW_MAJOR ? rows : columns, batch, i, j;
  uint32_t state = (uint32_t)seed * 2654435761u + 1;
  m.type = type, m.order = order, m.rows = rows, m.columns = columns, m.count = count;
  m.leading = rows + columns - lines + 3;
  m.stride = lines * m.leading + 5;
  allocate(&m);
  for (i = 0; i < count * m.stride; ++i)
    write_number(type, m.bytes + (size_t)i * bytes_of(type), nan);
  for (batch = 0; batch < count; ++batch)
    for (i = 0; i < rows; ++i)
      for (j = 0; j < columns; ++j) {
        number value;
        state = state * 1664525u + 1013904223u;
        value.re = (double)(state >> 16 & 3) - 1;
        value.im = is_complex(type) ? (double)(state >> 20 & 3) - 2 : 0;
        set(&m, batch, i, j, value);
      }
  return m;
}

void **addresses_of(const matrix *m, int64_t count) {
  void **all = malloc(sizeof(void *) * (size_t)count);
  int64_t i;
  for (i = 0; i < count; ++i)
    all[i] = m->bytes + (size_t)(m->count > 1 ? i * m->stride : 0) * bytes_of(m->type);
  return all;
}

void free_matrix(matrix *m) { free(m->memory); }

number add(number x, number y) {
  number sum = {x.re + y.re, x.im + y.im};
  return sum;
}

number multiply(number x, number y) {
  number product = {x.re * y.re - x.im * y.im, x.re * y.im + x.im * y.re};
  return product;
}

const void *scalar(rooftile_type type, number value, unsigned char bytes[16]) {
  int is_half = type == ROOFTILE_F16 || type == ROOFTILE_BF16;
  write_number(is_half ? ROOFTILE_F32 : type, bytes, value);
  return bytes;
}
