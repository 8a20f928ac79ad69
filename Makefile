# Two commands, each from nothing on a Debian 12 machine:
#   make demo    install what is missing, build the tools, plan and run examples/mlp.mlir
#   make check   the same set-up, then build everything and run all tests
# Others: make check-all (check, then matrix) | check-sanitized | tools | all | install PREFIX=DIR |
#         static | wheel | docs | format | clean | tune (plans of the GPU present: docs/Tuning.md)
#         make check-gcc (GCC compiles and links the libraries, in build-gcc)
#         make check-static (make static, then the tests of test/Tools that STATIC_TESTS names)
#         make check-wheel (make wheel, then tests of an installed copy)
#         make check-sanitized (check in build-sanitized: address errors, undefined behaviour, and
#         the assertions of LLVM's headers)
#         make matrix (400 cases of each line of the lists in test/Execution, FUZZ_CASES random
#         ones for each of FUZZ_SEEDS, and PICKS plans that are picked at real sizes for each of
#         PICK_SEEDS; the lists, random ones and resources of AMD chips; JOBS at once; what fails
#         is told at the end)
#
# Variables: GEMM_RUN=build-static/bin/gemm-run (for matrix; default: the one in BUILD)  DEVICE=cpu
#            LLVM=/usr/lib/llvm-22  CXX=g++ (default: LLVM's clang++)  JOBS=2  CMAKE_ARGS=...
#            PYTHON=python3.12 (for wheel)
#            INSTALL=no: never install packages, only name those that are missing

LLVM  ?= /usr/lib/llvm-22
JOBS  ?= $(shell nproc)
FUZZ_SEEDS ?= 1 2 3 4 5 6 7 8 9 10 11 12
FUZZ_CASES ?= 2500
PICK_SEEDS ?= 11 12 13 14
PICKS ?= 250
DEVICE ?= cpu
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

GEMM_RUN ?= $(BUILD)/bin/gemm-run
MATRIX = $(patsubst test/Execution/%.cases,list-%,$(wildcard test/Execution/*.cases)) \
  $(addprefix fuzz-,$(FUZZ_SEEDS)) $(addprefix picks-,$(PICK_SEEDS)) $(AMD_MATRIX) \
  $(AMD_CHECKS)
# The same lists as AMD code objects, in the emulator: amd-CHIP/LIST.
AMD_CHIPS = gfx906 gfx90a gfx942 gfx1100
AMD_MATRIX = $(if $(filter cpu,$(DEVICE)),$(foreach chip,$(AMD_CHIPS),\
  $(patsubst test/Execution/%.cases,amd-$(chip)/%,$(wildcard test/Execution/*.cases))))
# Random cases there, and resources as planning counts them.
RESOURCES = PATH="$(CURDIR)/$(BUILD)/bin:$$PATH" python3 test/Planning/amd_resources.py
AMD_CHECKS = $(if $(filter cpu,$(DEVICE)),\
  $(foreach chip,$(AMD_CHIPS),amd-fuzz-$(chip) amd-resources-$(chip)))

.PHONY: demo check check-all check-sanitized check-gcc check-static check-wheel matrix $(MATRIX)
.PHONY: tools all libraries install setup static wheel docs format clean picks
.DEFAULT_GOAL := all

demo: tools
	@echo "== gemm-opt --tile-select examples/mlp.mlir"
	@$(BUILD)/bin/gemm-opt --tile-select examples/mlp.mlir
	@echo "== gemm-run examples/mlp.mlir"
	@$(BUILD)/bin/gemm-run examples/mlp.mlir

# Packages that only tests need are installed, too.
check: export TESTS = yes
check: all
	@$(RUN_TESTS) $(BUILD)/test $(BUILD)/test/gtest

check-all: check
	@$(MAKE) --no-print-directory matrix

check-sanitized: export SANITIZE = yes
check-sanitized:
	@$(MAKE) --no-print-directory check BUILD=build-sanitized \
	  CMAKE_ARGS="-DROOFTILE_SANITIZE=ON $(CMAKE_ARGS)"

RUN_TESTS = python3 scripts/run_tests.py --lit $(LLVM)/bin/lit --jobs $(JOBS)

# Without optimization, which takes half of GCC's time, and with assertions.
check-gcc:
	@$(MAKE) --no-print-directory libraries CXX=g++ BUILD=build-gcc \
	  CMAKE_ARGS="-DCMAKE_BUILD_TYPE=None -DROOFTILE_PYTHON=OFF $(CMAKE_ARGS)"

libraries: $(BUILD)/build.ninja
	@$(NINJA) -k 0 lib/all

# Tests that need no tool and no library but those of `make static`, of each one or more.
STATIC_TESTS = Tools/gemm-(opt-help|run|bench-run|tune)\.|CAPI/|Blas/(bench|cpu)|Cublas/kernels
check-static: static
	@$(subst -C $(BUILD),-C build-static,$(NINJA)) test/CAPI/all test/Blas/all test/Cublas/all \
	  fake-cuda fake-hip fake-nvml
	@$(RUN_TESTS) --filter='$(STATIC_TESTS)' build-static/test

# The interpreter that builds the wheel has nothing installed; neither has the one that tests it.
check-wheel: export WHEEL = yes
check-wheel: | setup
	@rm -rf build-wheel && $(PYTHON) -m venv build-wheel/venv
	@$(MAKE) --no-print-directory wheel PYTHON=build-wheel/venv/bin/python
	@sh scripts/check_wheel.sh build-wheel/venv/bin/python build-wheel/dist/*.whl

TUNE_FOLDER ?= tuned
TUNE_TIME ?= 20m
tune: tools
	@$(BUILD)/bin/gemm-tune autotune $(TUNE_FOLDER) --time=$(TUNE_TIME)

matrix:
	@$(MAKE) --no-print-directory --keep-going --output-sync --jobs=$(JOBS) $(MATRIX)
	@echo "matrix: all of $(words $(MATRIX)) lists and seeds passed"

$(filter list-%,$(MATRIX)): list-%: test/Execution/%.cases
	@$(GEMM_RUN) $< --device=$(DEVICE) --sample=400 --seed=2

$(AMD_MATRIX): amd-%:
	@$(GEMM_RUN) test/Execution/$(@F).cases --device=amd-emulator --chip=$(patsubst amd-%/,%,$(@D)/) \
	  --only-fitting --sample=pairwise

$(filter amd-fuzz-%,$(AMD_CHECKS)): amd-fuzz-%:
	@$(GEMM_RUN) --device=amd-emulator --chip=$* --fuzz=500 --seed=2

$(filter amd-resources-%,$(AMD_CHECKS)): amd-resources-%:
	@$(RESOURCES) $* 500 7

$(filter fuzz-%,$(MATRIX)): fuzz-%:
	@$(GEMM_RUN) --device=$(DEVICE) --fuzz=$(FUZZ_CASES) --seed=$*

$(filter picks-%,$(MATRIX)): picks-%:
	@$(GEMM_RUN) --device=$(DEVICE) --picks=$(PICKS) --seed=$*

all: $(BUILD)/build.ninja
	@$(NINJA)

install: all
	@cmake --install $(BUILD) --prefix $(PREFIX)

tools: $(BUILD)/build.ninja
	@$(NINJA) gemm-opt gemm-run gemm-bench gemm-tune gemm-plan

# The plans that are chosen, chip by chip, as test/Planning/picks.test compares them; and those that
# the notebook shows.
picks: all
	@for list in test/Planning/picks/*.txt; do \
	  $(BUILD)/bin/gemm-plan --random=11 --chip=$$(basename $$list .txt) > $$list || exit 1; done
	@PYTHONPATH=$(CURDIR)/$(BUILD)/python $(BUILD)/venv/bin/python scripts/run_notebook.py \
	  examples/tour.ipynb --write

setup:
	@LLVM=$(LLVM) INSTALL=$(INSTALL) sh scripts/setup.sh
	@BUILD=$(BUILD) INSTALL=$(INSTALL) sh scripts/setup_python.sh
	@BUILD=$(BUILD) INSTALL=$(INSTALL) sh scripts/setup_extras.sh

$(BUILD)/build.ninja: | setup
	@$(CONFIGURE) -B $(BUILD)

# Self-contained, stripped tools and library for GPU machines that have no LLVM: build-static/bin,
# build-static/lib.
static: | setup
	@test -f build-static/build.ninja || $(CONFIGURE) -B build-static -DROOFTILE_STATIC=ON
	@$(subst -C $(BUILD),-C build-static,$(NINJA)) gemm-opt gemm-run gemm-bench gemm-tune \
	  rooftile rooftile_blas rooftile_cublas rooftile-blas-bench
	@sh scripts/check_static.sh $(addprefix build-static/lib/librooftile,.so _blas.so _cublas.so) \
	  $(addprefix build-static/bin/,gemm-opt gemm-run gemm-bench gemm-tune rooftile-blas-bench)

# The Python package for machines that have no LLVM: a self-contained wheel in build-wheel/dist, for
# Python 3.12 and later where PYTHON is one of these, else for that version.
PYTHON ?= python3
wheel: | setup
	@CC=$(CC) CXX=$(CXX) CMAKE_PREFIX_PATH=$(LLVM) CMAKE_BUILD_PARALLEL_LEVEL=$(JOBS) \
	  $(PYTHON) -m pip wheel . --no-deps --wheel-dir build-wheel/dist \
	  --config-settings=cmake.define.ROOFTILE_STATIC=ON \
	  --config-settings=build-dir=build-wheel-static-{cache_tag}
	@$(PYTHON) scripts/finish_wheel.py build-wheel/dist/*-linux_*.whl

# Puts into the documents what their commands print, ODS says, pipelines run and results measured.
docs: tools
	@PATH="$(LLVM)/bin:$$PATH" python3 scripts/plan_tables.py --write
	@PATH="$(CURDIR)/$(BUILD)/bin:$$PATH" python3 scripts/draw_pipeline.py --write
	@for document in README.md docs/Overview.md docs/Dialect.md docs/Verification.md docs/Amd.md; do \
	  PATH="$(CURDIR)/$(BUILD)/bin:$$PATH" \
	  python3 test/Docs/run_blocks.py --write $$document || exit 1; done
	@python3 benchmarks/performance_page.py
	@PATH="$(CURDIR)/$(BUILD)/bin:$$PATH" python3 benchmarks/measured_page.py
	@PATH="$(CURDIR)/$(BUILD)/bin:$$PATH" python3 benchmarks/amd_page.py
	@test ! -x $(BUILD)/venv/bin/python || \
	  PYTHONPATH=$(CURDIR)/$(BUILD)/python $(BUILD)/venv/bin/python scripts/run_notebook.py \
	    --write examples/tour.ipynb

format:
	@git ls-files '*.h' '*.cpp' | xargs $(firstword $(wildcard $(LLVM)/bin/clang-format) clang-format) -i

clean:
	rm -rf build build-g++ build-gcc build-static build-sanitized build-wheel*
