# What people type. CMake does the work: CMakePresets.json says how each build is made.

# Where the program is built; the tests have their places in the presets.
BUILD = build
PREFIX ?= /usr/local
FUZZ_SECONDS ?= 60
# Who may race at the server of make play: everybody on the network, or with 127.0.0.1 this machine alone.
BIND ?= 0.0.0.0
# Where make play keeps races.
DATA ?= $(or $(XDG_DATA_HOME),$(HOME)/.local/share)/hairpin
JOBS = $(shell nproc 2>/dev/null || echo 2)

# Configuring is silent unless it fails; it is quick when nothing has changed.
configure = cmake --preset $(1) $(2) > /dev/null
build = cmake --build $(1) --parallel $(JOBS)
ctest = ctest --preset $(1) --parallel $(JOBS)

MAKEFLAGS += --no-print-directory
.DEFAULT_GOAL := all
.NOTPARALLEL:
.PHONY: all play site test check bench bench-server bench-page screens fuzz format install uninstall deps deps-test clean help

all: deps ## build the program, build/hairpin (the default)
	@$(call configure,release,-B $(BUILD))
	@$(call build,$(BUILD)) --target program

play: all ## set up, build, and race: opens the page in a browser, or says where it is
	@mkdir -p "$$(dirname '$(DATA)')"
	@$(BUILD)/hairpin serve --port 0 --bind $(BIND) --open --data '$(DATA)'

site: deps ## make the page as files for any web host, build/site
	@$(call configure,release,-B $(BUILD))
	@$(call build,$(BUILD)) --target site

test: deps-test ## set up, build, and run every test, with and without sanitizers
	@$(call configure,release)
	@$(call build,build)
	@$(call configure,asan)
	@$(call build,build/asan)
	@$(call ctest,release)
	@$(call ctest,asan)

check: deps-test ## run the fast tests only
	@$(call configure,release)
	@$(call build,build)
	@$(call ctest,release) -L fast

bench: deps-test all ## measure the speed, and count instructions
	@$(BUILD)/hairpin bench
	@tools/jobs.sh $(BUILD)/hairpin
	@tools/instructions.sh $(BUILD)/hairpin
	@$(call build,$(BUILD)) --target engine-bench > /dev/null
	@node tools/wasm_speed.mjs $(BUILD)/wasm/bench.wasm $(BUILD)/hairpin

bench-server: deps-test all ## measure the server under load; RACES, IDLE and SECONDS make it smaller
	@$(call build,$(BUILD)) --target load
	@tools/bench-server.sh $(BUILD)/hairpin $(BUILD)/load

screens: deps-test all ## take pictures of every screen in every language, into build/screens
	@tests/browser/run.sh $(BUILD) screens.mjs

bench-page: deps-test all ## measure how heavy and how quick the page is
	@tests/browser/run.sh $(BUILD) measure.mjs

fuzz: deps-test ## fuzz every parser for FUZZ_SECONDS (60) each; KEEP=1 keeps seeds that reach further
	@$(call configure,fuzz)
	@$(call build,build/fuzz)
	@tools/fuzz.sh build/fuzz $(FUZZ_SECONDS)

format: deps-test ## format the C files
	@tools/format.sh

install: all ## install to PREFIX (/usr/local), below DESTDIR if given
	@DESTDIR='$(DESTDIR)' cmake --install $(BUILD) --prefix '$(abspath $(PREFIX))'

uninstall: ## remove what install put there, with the same PREFIX and DESTDIR
	@DESTDIR='$(DESTDIR)' cmake -DMANIFEST=$(BUILD)/install_manifest.txt -DPREFIX='$(abspath $(PREFIX))' \
	    -P cmake/uninstall.cmake

deps: ## install the packages that building needs, if any is missing
	@tools/setup.sh build

deps-test: ## install those that the tests need, too
	@tools/setup.sh build test

clean: ## remove everything that was built
	rm -rf build

help: ## list these targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' Makefile
