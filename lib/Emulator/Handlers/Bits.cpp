//===- Bits.cpp - Shifts, logic, fields and bytes of lanes ----------------===//
//
// Sources: AMD's "Vega 7nm ISA", "MI300 ISA" and "RDNA3 ISA", VOP1 to VOP3. A shift uses the low
// bits of its amount that its width needs.
//
//===----------------------------------------------------------------------===//

#include "Integers.h"
#include "LaneLoops.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/MathExtras.h"

using namespace rooftile::emulator;

static void addShifts(Handlers &handlers) {
  auto left = [](auto amount, auto value) { return value << (amount & (8 * sizeof value - 1)); };
  auto right = [](auto amount, auto value) { return value >> (amount & (8 * sizeof value - 1)); };
  handlers["v_lshlrev_b16"] = lanes<U16, U16, U16>(left);
  handlers["v_lshlrev_b32"] = lanes<U32, U32, U32>(left);
  handlers["v_lshlrev_b64"] = lanes<U64, U32, U64>(left);
  handlers["v_lshrrev_b16"] = lanes<U16, U16, U16>(right);
  handlers["v_lshrrev_b32"] = lanes<U32, U32, U32>(right);
  handlers["v_lshrrev_b64"] = lanes<U64, U32, U64>(right);
  handlers["v_ashrrev_i16"] = lanes<S16, U16, S16>(right);
  handlers["v_ashrrev_i32"] = lanes<S32, U32, S32>(right);
  handlers["v_ashrrev_i64"] = lanes<S64, U32, S64>(right);

  handlers["v_lshl_add_u32"] = lanes<U32, U32, U32, U32>(
      [](uint32_t a, uint32_t b, uint32_t c) { return (a << (b & 31)) + c; });
  handlers["v_add_lshl_u32"] = lanes<U32, U32, U32, U32>(
      [](uint32_t a, uint32_t b, uint32_t c) { return (a + b) << (c & 31); });
  handlers["v_lshl_or_b32"] = lanes<U32, U32, U32, U32>(
      [](uint32_t a, uint32_t b, uint32_t c) { return a << (b & 31) | c; });
  handlers["v_lshl_add_u64"] = lanes<U64, U64, U32, U64>(
      [](uint64_t a, uint32_t b, uint64_t c) { return (a << (b & 7)) + c; });
  handlers["v_alignbit_b32"] =
      lanes<U32, U32, U32, U32>([](uint32_t high, uint32_t low, uint32_t amount) {
        return uint32_t((uint64_t(high) << 32 | low) >> (amount & 31));
      });
  handlers["v_alignbyte_b32"] =
      lanes<U32, U32, U32, U32>([](uint32_t high, uint32_t low, uint32_t amount) {
        return uint32_t((uint64_t(high) << 32 | low) >> 8 * (amount & 3));
      });
}

static void addLogic(Handlers &handlers) {
  auto andOf = [](auto a, auto b) { return a & b; };
  auto orOf = [](auto a, auto b) { return a | b; };
  auto xorOf = [](auto a, auto b) { return a ^ b; };
  auto notOf = [](auto a) { return ~a; };
  handlers["v_and_b32"] = lanes<U32, U32, U32>(andOf);
  handlers["v_and_b16"] = lanes<U16, U16, U16>(andOf);
  handlers["v_or_b32"] = lanes<U32, U32, U32>(orOf);
  handlers["v_or_b16"] = lanes<U16, U16, U16>(orOf);
  handlers["v_xor_b32"] = lanes<U32, U32, U32>(xorOf);
  handlers["v_xor_b16"] = lanes<U16, U16, U16>(xorOf);
  handlers["v_not_b32"] = lanes<U32, U32>(notOf);
  handlers["v_not_b16"] = lanes<U16, U16>(notOf);
  handlers["v_xnor_b32"] = lanes<U32, U32, U32>([](uint32_t a, uint32_t b) { return ~(a ^ b); });
  handlers["v_and_or_b32"] =
      lanes<U32, U32, U32, U32>([](uint32_t a, uint32_t b, uint32_t c) { return (a & b) | c; });
  handlers["v_or3_b32"] =
      lanes<U32, U32, U32, U32>([](uint32_t a, uint32_t b, uint32_t c) { return a | b | c; });
  handlers["v_xor3_b32"] =
      lanes<U32, U32, U32, U32>([](uint32_t a, uint32_t b, uint32_t c) { return a ^ b ^ c; });
  handlers["v_xad_u32"] =
      lanes<U32, U32, U32, U32>([](uint32_t a, uint32_t b, uint32_t c) { return (a ^ b) + c; });
}

//===----------------------------------------------------------------------===//
// Fields
//===----------------------------------------------------------------------===//

static void addFields(Handlers &handlers) {
  handlers["v_bfe_u32"] =
      lanes<U32, U32, U32, U32>([](uint32_t value, uint32_t first, uint32_t width) {
        return value >> (first & 31) & ((1U << (width & 31)) - 1);
      });
  handlers["v_bfe_i32"] =
      lanes<S32, S32, U32, U32>([](int32_t value, uint32_t first, uint32_t width) {
        // A width of 0 shifts by 32, in 64 bits.
        uint32_t unused = 32 - (width & 31);
        auto shifted = uint64_t(uint32_t(value >> (first & 31))) << unused;
        return int32_t(int64_t(int32_t(uint32_t(shifted))) >> unused);
      });
  handlers["v_bfi_b32"] =
      lanes<U32, U32, U32, U32>([](uint32_t mask, uint32_t inside, uint32_t outside) {
        return (mask & inside) | (~mask & outside);
      });
  handlers["v_bfm_b32"] = lanes<U32, U32, U32>(
      [](uint32_t width, uint32_t first) { return ((1U << (width & 31)) - 1) << (first & 31); });
  handlers["v_bfrev_b32"] = lanes<U32, U32>([](uint32_t a) { return llvm::reverseBits(a); });
  handlers["v_bcnt_u32_b32"] = lanes<U32, U32, U32>(
      [](uint32_t value, uint32_t added) { return uint32_t(llvm::popcount(value)) + added; });
  // -1 where no bit is found.
  handlers["v_ffbh_u32"] = handlers["v_clz_i32_u32"] = lanes<S32, U32>(
      [](uint32_t value) { return value ? int32_t(llvm::countl_zero(value)) : -1; });
  handlers["v_ffbl_b32"] = handlers["v_ctz_i32_b32"] = lanes<S32, U32>(
      [](uint32_t value) { return value ? int32_t(llvm::countr_zero(value)) : -1; });
  handlers["v_ffbh_i32"] = handlers["v_cls_i32"] = lanes<S32, S32>([](int32_t value) {
    auto differs = uint32_t(value ^ (value >> 31)); // From the sign.
    return differs ? int32_t(llvm::countl_zero(differs)) : -1;
  });
}

//===----------------------------------------------------------------------===//
// Bytes
//===----------------------------------------------------------------------===//

/// Byte that a selector names: of `low` and `high`, the sign of one of their halves, 0, or 255.
static uint32_t selectByte(uint32_t high, uint32_t low, uint32_t selector) {
  uint64_t both = uint64_t(high) << 32 | low;
  if (selector < 8)
    return uint32_t(both >> 8 * selector) & 255;
  if (selector < 12)
    return (both >> (16 * (selector - 8) + 15) & 1) ? 255 : 0;
  return selector == 12 ? 0 : 255;
}

/// Distance of two bytes, or halves, from bit `shift` on.
static uint32_t distance(uint32_t a, uint32_t b, unsigned shift, uint32_t mask) {
  uint32_t left = a >> shift & mask, right = b >> shift & mask;
  return left > right ? left - right : right - left;
}

static uint32_t distanceOfBytes(uint32_t a, uint32_t b) {
  return distance(a, b, 0, 255) + distance(a, b, 8, 255) + distance(a, b, 16, 255) +
         distance(a, b, 24, 255);
}

static void addBytes(Handlers &handlers) {
  handlers["v_perm_b32"] =
      lanes<U32, U32, U32, U32>([](uint32_t high, uint32_t low, uint32_t selectors) {
        uint32_t result = 0;
        for (unsigned shift = 0; shift < 32; shift += 8)
          result |= selectByte(high, low, selectors >> shift & 255) << shift;
        return result;
      });
  handlers["v_sad_u8"] = lanes<U32, U32, U32, U32>(
      [](uint32_t a, uint32_t b, uint32_t c) { return distanceOfBytes(a, b) + c; });
  handlers["v_sad_hi_u8"] = lanes<U32, U32, U32, U32>(
      [](uint32_t a, uint32_t b, uint32_t c) { return (distanceOfBytes(a, b) << 16) + c; });
  handlers["v_sad_u16"] = lanes<U32, U32, U32, U32>([](uint32_t a, uint32_t b, uint32_t c) {
    return distance(a, b, 0, 0xffff) + distance(a, b, 16, 0xffff) + c;
  });
  handlers["v_sad_u32"] = lanes<U32, U32, U32, U32>(
      [](uint32_t a, uint32_t b, uint32_t c) { return distance(a, b, 0, ~0U) + c; });
  // Bytes of the reference, source 1, that are 0 do not count.
  handlers["v_msad_u8"] = lanes<U32, U32, U32, U32>([](uint32_t a, uint32_t b, uint32_t c) {
    for (unsigned shift = 0; shift < 32; shift += 8)
      c += (b >> shift & 255) ? distance(a, b, shift, 255) : 0;
    return c;
  });
  // Mean of bytes, rounded up where bit 0 of a byte of source 2 is set.
  handlers["v_lerp_u8"] = lanes<U32, U32, U32, U32>([](uint32_t a, uint32_t b, uint32_t c) {
    uint32_t result = 0;
    for (unsigned shift = 0; shift < 32; shift += 8)
      result |= ((a >> shift & 255) + (b >> shift & 255) + (c >> shift & 1)) >> 1 << shift;
    return result;
  });
}

void rooftile::emulator::addBitHandlers(Handlers &handlers) {
  addShifts(handlers);
  addLogic(handlers);
  addFields(handlers);
  addBytes(handlers);
}
