# Two commands, each from nothing on a Debian 12 machine:
#   make demo    install what is missing, build the tools, plan and run examples/mlp.mlir
#   make check   the same set-up, then build everything and run all tests
# Others: make check-all (much more of the execution matrix, and 10000 random cases for each of
#         FUZZ_SEEDS) | tools | all | install PREFIX=DIR | static | docs | format | clean
#
# Variables: LLVM=/usr/lib/llvm-22  CXX=g++ (default: LLVM's clang++)  JOBS=2  CMAKE_ARGS=...
#            INSTALL=no: never install packages, only name those that are missing

LLVM  ?= /usr/lib/llvm-22
JOBS  ?= $(shell nproc)
FUZZ_SEEDS ?= 1 2 3
ifeq ($(origin CXX),default)
  CXX   := $(LLVM)/bin/clang++
  CC    := $(LLVM)/bin/clang
  BUILD ?= build
else
  CC    := $(if $(findstring clang,$(CXX)),$(subst clang++,clang,$(CXX)),$(subst g++,gcc,$(CXX)))
  BUILD ?= build-$(notdir $(CXX))
endif

NINJA = NINJA_STATUS="[%f/%t, %es] " ninja -C $(BUILD) -j$(JOBS)
CONFIGURE = cmake -S . -G Ninja -Wno-dev \
  -DCMAKE_CXX_COMPILER=$(CXX) -DCMAKE_C_COMPILER=$(CC) -DLLVM_DIR=$(LLVM)/lib/cmake/llvm \
  -DMLIR_DIR=$(LLVM)/lib/cmake/mlir -DLLD_DIR=$(LLVM)/lib/cmake/lld $(CMAKE_ARGS)

PREFIX ?= /usr/local

.PHONY: demo check check-all tools all install setup static docs format clean
.DEFAULT_GOAL := all

demo: tools
	@echo "== gemm-opt --tile-select examples/mlp.mlir"
	@$(BUILD)/bin/gemm-opt --tile-select examples/mlp.mlir
	@echo "== gemm-run examples/mlp.mlir"
	@$(BUILD)/bin/gemm-run examples/mlp.mlir

check: all
	@python3 scripts/run_tests.py --lit $(LLVM)/bin/lit --jobs $(JOBS) $(BUILD)/test $(BUILD)/test/gtest

check-all: check
	@for list in test/Execution/*.cases; do \
	  $(BUILD)/bin/gemm-run $$list --device=cpu --sample=400 --seed=2 || exit 1; done
	@for seed in $(FUZZ_SEEDS); do \
	  $(BUILD)/bin/gemm-run --device=cpu --fuzz=10000 --seed=$$seed || exit 1; done

all: $(BUILD)/build.ninja
	@$(NINJA)

install: all
	@cmake --install $(BUILD) --prefix $(PREFIX)

tools: $(BUILD)/build.ninja
	@$(NINJA) gemm-opt gemm-run gemm-bench

setup:
	@LLVM=$(LLVM) INSTALL=$(INSTALL) sh scripts/setup.sh

$(BUILD)/build.ninja: | setup
	@$(CONFIGURE) -B $(BUILD)

# Self-contained, stripped tools for GPU machines that have no LLVM: build-static/bin.
static: | setup
	@test -f build-static/build.ninja || $(CONFIGURE) -B build-static -DROOFTILE_STATIC=ON
	@$(subst -C $(BUILD),-C build-static,$(NINJA)) gemm-opt gemm-run gemm-bench
	@sh scripts/check_static.sh $(addprefix build-static/bin/,gemm-opt gemm-run gemm-bench)

# Puts what the commands in the documents print now into the documents.
docs: tools
	@for document in docs/Overview.md docs/Dialect.md; do PATH="$(CURDIR)/$(BUILD)/bin:$$PATH" \
	  python3 test/Docs/run_blocks.py --write $$document || exit 1; done

format:
	@git ls-files '*.h' '*.cpp' | xargs $(firstword $(wildcard $(LLVM)/bin/clang-format) clang-format) -i

clean:
	rm -rf build build-g++ build-static
