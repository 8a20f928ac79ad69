#!/usr/bin/env python3
"""How many clocks an FFMA takes, by the banks of the registers that it reads.

Usage: register_banks.py [ARCH]     (needs ptxas and a GPU of that architecture; default sm_90)

ptxas chooses registers by itself: this assembles a loop of 512 FFMAs and writes the registers and
the reuse flags that each line below names into its machine code. Prints clocks of a scheduler for
one FFMA with one, two and three subgroups on it.
"""
import ctypes
import struct
import subprocess
import sys
import tempfile

SUMS, LOOP, TURNS = 128, 512, 200
FFMA = 0x223  # the lowest 12 bits; then bytes: 2 target, 3, 4 and 8 sources; bits 122 to 124 reuse


def ptx(arch):
    sums = [f"%a{index}" for index in range(SUMS)]
    lines = [f".version 8.0\n.target {arch}\n.address_size 64",
             ".visible .entry k(.param .u64 out, .param .u32 turns) {",
             f".reg .f32 %a<{SUMS}>, %x, %y; .reg .u64 %p, %w, %t<2>;",
             ".reg .u32 %n, %i; .reg .pred %q;",
             "ld.param.u64 %p, [out]; cvta.to.global.u64 %p, %p; ld.param.u32 %n, [turns];",
             "mov.u32 %i, %tid.x; cvt.rn.f32.u32 %x, %i; add.f32 %y, %x, 0f3F800000;"]
    lines += [f"fma.rn.f32 {name}, %x, %y, 0f{0x3F800000 + index:08X};"
              for index, name in enumerate(sums)]
    lines += ["bar.sync 0; mov.u64 %t0, %clock64;", "L:"]
    lines += [f"fma.rn.f32 {name}, %x, %y, {name};" for name in sums * (LOOP // SUMS)]
    lines += ["add.u32 %n, %n, -1; setp.ne.u32 %q, %n, 0; @%q bra L;",
              "mov.u64 %t1, %clock64;"]
    lines += [f"add.f32 %a0, %a0, {name};" for name in sums[1:]]
    lines += ["mul.wide.u32 %w, %i, 24; add.u64 %p, %p, %w;",
              "st.global.u64 [%p], %t0; st.global.u64 [%p+8], %t1;",
              "st.global.f32 [%p+16], %a0; ret;}"]
    return "\n".join(lines) + "\n"


def assemble(arch):
    with tempfile.NamedTemporaryFile("w", suffix=".ptx") as source, \
            tempfile.NamedTemporaryFile(suffix=".cubin") as binary:
        source.write(ptx(arch)), source.flush()
        subprocess.run(["ptxas", "-arch", arch, source.name, "-o", binary.name], check=True)
        return binary.read()


def places(binary):
    """Offsets of the FFMAs of the loop: those that add to their own target."""
    for start in range(0, 16, 4):
        found = [at for at in range(start, len(binary) - 16, 16)
                 if struct.unpack_from("<Q", binary, at)[0] & 0xFFF == FFMA
                 and binary[at + 2] == binary[at + 8]]
        if len(found) >= LOOP:
            return found[:LOOP]
    sys.exit("no FFMAs as expected: another encoding")


def patched(binary, at, terms):
    """`terms`: (target, three sources, how many of the first sources are kept) of each FFMA."""
    code = bytearray(binary)
    for place, (target, (a, b, c), kept) in zip(at, terms):
        code[place + 2], code[place + 3], code[place + 4], code[place + 8] = target, a, b, c
        high = struct.unpack_from("<Q", code, place + 8)[0]
        control = high >> 41 & ~0x1F & ~(7 << 17) | 0x11 | ((1 << kept) - 1) << 17
        struct.pack_into("<Q", code, place + 8, high & (1 << 41) - 1 | control << 41)
    return bytes(code)


def patterns(registers):
    even, odd = ([r for r in registers if r % 2 == bank] for bank in (0, 1))
    sums = [r for pair in zip(even[:32], odd[:32]) for r in pair]
    e, o = even[32:], odd[32:]

    def line(sum_of, a_of, b_of, kept):
        return [(sum_of(i), (a_of(i), b_of(i), sum_of(i)), kept) for i in range(LOOP)]

    both = lambda i: sums[i % 64]
    first = lambda i: e[0]
    same = lambda i: (e[1:], o)[i % 2][i // 2 % 16]
    other = lambda i: (o, e[1:])[i % 2][i // 2 % 16]
    return {
        "the sum only, both factors kept": line(both, first, lambda i: o[0], 2),
        "a factor and the sum, of different banks": line(both, first, other, 1),
        "of one bank, even and odd in turn": line(both, first, same, 1),
        "of one bank, always even": line(lambda i: even[i % 32], lambda i: o[0],
                                         lambda i: e[i % 16], 1),
        "all three, two even and one odd, and the reverse": line(
            both, lambda i: e[i % 16], lambda i: o[i % 16], 0),
        "all three, always two even": line(lambda i: even[i % 32], lambda i: e[i % 16],
                                           lambda i: o[i % 16], 0),
        "all three of one bank, in turn": line(both, same, lambda i: same(i + 10), 0),
    }


def main():
    binary = assemble(sys.argv[1] if len(sys.argv) > 1 else "sm_90")
    at = places(binary)
    cuda = ctypes.CDLL("libcuda.so.1")

    def call(name, *arguments):
        if status := getattr(cuda, name)(*arguments):
            sys.exit(f"{name}: error {status}")

    device, context, out = ctypes.c_int(), ctypes.c_void_p(), ctypes.c_uint64()
    call("cuInit", 0)
    call("cuDeviceGet", ctypes.byref(device), 0)
    call("cuDevicePrimaryCtxRetain", ctypes.byref(context), device)
    call("cuCtxSetCurrent", context)
    call("cuMemAlloc_v2", ctypes.byref(out), 1 << 16)
    turns = ctypes.c_uint32(TURNS)
    given = (ctypes.c_void_p * 2)(ctypes.addressof(out), ctypes.addressof(turns))
    for name, terms in patterns(sorted({binary[place + 2] for place in at})).items():
        module, kernel, clocks = ctypes.c_void_p(), ctypes.c_void_p(), []
        call("cuModuleLoadData", ctypes.byref(module), patched(binary, at, terms))
        call("cuModuleGetFunction", ctypes.byref(kernel), module, b"k")
        for subgroups in (1, 2, 3):
            threads = 128 * subgroups
            for _ in range(2):
                call("cuLaunchKernel", kernel, 1, 1, 1, threads, 1, 1, 0, None, given, None)
            times = (ctypes.c_uint64 * (3 * threads))()
            call("cuMemcpyDtoH_v2", times, out, 24 * threads)
            # A subgroup that others leave no slot reads its first clock late.
            taken = max(times[1::3]) - min(times[::3])
            clocks.append(taken / (TURNS * LOOP * subgroups))
        print(f"{name:50s}", " ".join(f"{value:.2f}" for value in clocks), flush=True)


main()
