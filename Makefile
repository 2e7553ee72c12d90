# Builds lunarray's module and runs its demos, specs and checks; `make help` lists the goals.

BUILD   ?= build
CC      ?= cc
CFLAGS  ?= -O2 -g
WERROR  ?= -Werror
LIBFLAG ?= -shared
comma   := ,

.DEFAULT_GOAL := all
.DELETE_ON_ERROR:
.SUFFIXES:
MAKEFLAGS += --no-builtin-rules

CORE    := $(sort $(shell find src/core -name '*.c'))
HOST    := $(sort $(wildcard src/lua/*.c))
KERNELS := $(sort $(shell find kernels -name '*.cl' -o -name '*.h'))

GOALS := $(or $(MAKECMDGOALS),all)
# A removal must not run beside the making of the same files.
ifneq ($(filter clean,$(GOALS)),)
.NOTPARALLEL:
endif

# A goal compiles as many files at once as there are cores, at most 4; -j on the command line says otherwise. Several goals
# come one after another.
ifeq ($(MAKELEVEL)-$(words $(GOALS)),0-1)
cores := $(shell getconf _NPROCESSORS_ONLN 2>/dev/null || echo 1)
MAKEFLAGS += -j$(shell echo $$(($(cores) < 4 ? $(cores) : 4)))
endif

# ---- the machine -------------------------------------------------------------------------------------
# tools/setup.sh looks for what the goals need, installs it for those that may, and writes down what it found.
# A file that these rules write keeps its time while its contents stay the same, so that it can stand for them.

INSTALLING := demo lab test test-all test-rest lint test-asan test-oclgrind torture fuzz-files bench setup setup-octave
setup      := tools/setup.sh $(if $(filter $(INSTALLING),$(GOALS)),install,check) $(GOALS)
exports     = CC='$(CC)' CPPFLAGS='$(CPPFLAGS)' LDFLAGS='$(LDFLAGS)' LUA='$(LUA)' LUA_INCDIR='$(LUA_INCDIR)' \
              OPENCL_INCDIR='$(OPENCL_INCDIR)' OPENCL_LIBDIR='$(OPENCL_LIBDIR)' \
              ZLIB='$(ZLIB)' ZLIB_INCDIR='$(ZLIB_INCDIR)' ZLIB_LIBDIR='$(ZLIB_LIBDIR)'
keep        = cmp -s $@.new $@ && rm -f $@.new || mv $@.new $@
# Deferred: setup.sh has run before any recipe asks.
found       = $(shell sed -n 's/^$(1)=//p' $(BUILD)/machine 2>/dev/null)
lua         = $(call found,lua)
lua_v       = $(subst .,_,$(or $(call found,lua_version),5.4))
luarocks    = env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL luarocks --lua-version $(call found,lua_version)

$(BUILD)/machine: FORCE
	@mkdir -p $(@D)
	@{ $(exports) $(setup) && echo "flags=$(CC) $(compile) $(CFLAGS) $(WERROR) $(LDFLAGS)"; } > $@.new \
	    || { rm -f $@.new; exit 1; }
	@$(keep)

# A file that came or went changes what is linked or embedded.
$(BUILD)/sources: list = $(CORE) $(HOST)
$(BUILD)/kernels: list = $(KERNELS)
$(BUILD)/sources $(BUILD)/kernels: FORCE
	@mkdir -p $(@D)
	@printf '%s\n' $(list) > $@.new
	@$(keep)

FORCE:

# Commands are named, not shown; V=1 shows them.
show        = $(if $(V),,@echo '  $(1)';)

# ---- the module --------------------------------------------------------------------------------------

compile    = -std=c11 -fPIC -pthread -fvisibility=hidden -fno-semantic-interposition -D_GNU_SOURCE -DCL_TARGET_OPENCL_VERSION=120 $(CPPFLAGS)
core_flags = $(compile) -DLUN_OWN_FILES -Isrc/core -Ikernels $(call found,opencl_cflags) $(call found,zlib_cflags) -Wall -Wextra -Wshadow \
             -Wconversion $(WERROR) $(CFLAGS)
host_flags = $(compile) -DLUN_OWN_FILES -Isrc/core $(call found,lua_cflags) -Wall -Wextra -Wshadow $(WERROR) $(CFLAGS)
module_flags = $(LIBFLAG) -Wl,--version-script=src/lua/core.map $(LDFLAGS)
libraries  = $(call found,opencl_libs) $(call found,zlib_libs) -pthread -ldl -lm

$(BUILD)/kernels.c: $(KERNELS) src/core/base/dtype.def tools/embed.lua $(BUILD)/kernels | $(BUILD)/machine
	$(call show,embed   kernels/)$(lua) tools/embed.lua $@.new $(KERNELS)
	@mv $@.new $@

# What the Lua language server is told of the operations, from their rows.
$(BUILD)/lunarray/meta_operations.lua: tools/annotations.lua $(BUILD)/lunarray/core.so
	$(call show,write   $@)$(in_tree) $(lua) tools/annotations.lua >$@.new
	@mv $@.new $@

# $(call module,folder,flags,goal): a whole build in a folder of its own. $(folder)_core are the objects without Lua.
define module
$(1)_core := $$(CORE:src/%.c=$(1)/obj/%.o) $(1)/obj/kernels.o
$(1)_host := $$(HOST:src/%.c=$(1)/obj/%.o)

$$($(1)_core) $$($(1)_host): $(BUILD)/machine

$(1)/obj/core/%.o: src/core/%.c
	@mkdir -p $$(@D)
	$$(call show,compile $$@)$$(CC) $$(core_flags) $(2) -MMD -MP -c -o $$@ $$<

$(1)/obj/lua/%.o: src/lua/%.c
	@mkdir -p $$(@D)
	$$(call show,compile $$@)$$(CC) $$(host_flags) $(2) -MMD -MP -c -o $$@ $$<

$(1)/obj/kernels.o: $(BUILD)/kernels.c
	@mkdir -p $$(@D)
	$$(call show,compile $$@)$$(CC) $$(core_flags) $(2) -c -o $$@ $$<

$(1)/lunarray/core.so: $$($(1)_core) $$($(1)_host) $(BUILD)/sources src/lua/core.map
	@mkdir -p $$(@D)
	$$(call show,link    $$@)$$(CC) $$(CFLAGS) $(2) $$(module_flags) -o $$@ $$($(1)_core) $$($(1)_host) $$(libraries)

$(3): $(1)/lunarray/core.so

-include $$(shell find $(1)/obj -name '*.d' 2>/dev/null)
endef

$(eval $(call module,$(BUILD),,all))
# Its specs make calls fail, in which optimised code has no part: it compiles in half the time without.
$(eval $(call module,$(BUILD)/faults,-DLUN_FAULTS -O0,faults))
$(eval $(call module,$(BUILD)/guards,-DLUN_GUARDS,guards-module))
$(eval $(call module,$(BUILD)/asan,-fsanitize=address$(comma)undefined -fno-omit-frame-pointer,asan))
$(eval $(call module,$(BUILD)/tsan,-fsanitize=thread -fno-omit-frame-pointer,tsan))

# The module as it is on a machine without zlib, for spec/transfer/npz_spec.lua: but for one file, the same objects.
$(BUILD)/no_zlib/lunarray/core.so: $(BUILD)/lunarray/core.so
	@mkdir -p $(@D)
	$(call show,link    $@)$(CC) $(filter-out -DLUN_ZLIB,$(core_flags)) $(module_flags) -o $@ src/core/packages/files/deflate.c \
	    $(filter-out %/packages/files/deflate.o,$($(BUILD)_core) $($(BUILD)_host)) $(libraries)

# lunarray.mpi, a rock of its own: the module of MPI's calls stands beside core's, which knows nothing of it.
MPICC ?= mpicc
mpi_flags = -std=c11 -fPIC -pthread -D_GNU_SOURCE -fvisibility=hidden -Isrc/lua $(CPPFLAGS) $(call found,lua_cflags) -Wall -Wextra -Wshadow \
            $(WERROR) $(CFLAGS) $(LIBFLAG) $(LDFLAGS)
$(BUILD)/lunarray/mpi_core.so: $(wildcard src/mpi/*.[ch]) src/lua/lunarray_module.h $(BUILD)/machine
	@mkdir -p $(@D)
	$(call show,link    $@)$(MPICC) $(mpi_flags) -o $@ $(filter %.c,$^)

# Core and the kernels for a host in C, without Lua: one object, in which every name but lunarray.h's is local.
$(BUILD)/obj/liblunarray.o: $($(BUILD)_core) $(BUILD)/sources
	$(call show,link    $@)$(CC) -nostdlib -r -o $@ $($(BUILD)_core)
	@objcopy --wildcard --keep-global-symbol='lun_*' $@

$(BUILD)/liblunarray.a: $(BUILD)/obj/liblunarray.o
	@rm -f $@
	$(call show,archive $@)ar rcs $@ $<

# ---- Octave's package --------------------------------------------------------------------------------

octave_package := $(BUILD)/lunarray-$(shell sed -n 's/^Version: //p' octave/DESCRIPTION).tar.gz
octave_files   := $(sort $(wildcard src/octave/*.cc))
octave_objects := $(BUILD)/obj/octave/joined.o
octave_flags    = -std=gnu++17 -fPIC -pthread -DLUN_OWN_FILES -Isrc/core $(shell mkoctfile -p INCFLAGS 2>/dev/null) $(CPPFLAGS) -Wall -Wextra $(WERROR)

# Octave's headers take longer than our files, so these are compiled as one.
$(BUILD)/obj/octave/joined.cc: $(octave_files) Makefile
	@mkdir -p $(@D)
	@printf '#include "$(CURDIR)/%s"\n' $(filter %.cc,$^) > $@

$(octave_objects): %.o: %.cc $(BUILD)/machine
	@mkdir -p $(@D)
	$(call show,compile $@)$(CXX) $(octave_flags) $(or $(CXXFLAGS),-O2 -g) -MMD -MP -c -o $@ $<

$(BUILD)/octave/lunarray.oct: $(octave_objects) $(BUILD)/obj/liblunarray.o $(BUILD)/lunarray/core.so tools/octave.lua src/octave/methods.def
	@mkdir -p $(@D)
	$(call show,link    $@)mkoctfile -o $@ $(octave_objects) $(BUILD)/obj/liblunarray.o $(LDFLAGS) $(libraries)
	@rm -rf $(@D)/@lunarray && $(in_tree) $(lua) tools/octave.lua package $(@D)

$(octave_package): $(CORE) $(KERNELS) $(BUILD)/kernels.c $(BUILD)/sources $(BUILD)/lunarray/core.so tools/octave_package.sh tools/octave.lua \
                   $(shell find octave src/octave -type f)
	$(call show,pack    $@)$(in_tree) tools/octave_package.sh $@ $(BUILD)/kernels.c

# The same as a shared library, and all that a host in C is built against.
ABI     := $(shell sed -n 's/^.define LUN_ABI //p' src/core/api/version.h)
RELEASE := $(shell sed -n 's/^.define LUN_RELEASE "\(.*\)"/\1/p' src/core/api/version.h)
$(BUILD)/c/liblunarray.so.$(ABI): $(BUILD)/obj/liblunarray.o
	@mkdir -p $(@D)
	$(call show,link    $@)$(CC) $(CFLAGS) $(LIBFLAG) $(LDFLAGS) -Wl,-soname,$(@F) -o $@ $< $(libraries)

$(BUILD)/c/lunarray.h: tools/flat_header.lua src/core/lunarray.h $(wildcard src/core/api/*.h) $(shell find src/core -name '*.def') | $(BUILD)/machine
	@mkdir -p $(@D)
	$(call show,write   $@)CC='$(CC)' $(lua) tools/flat_header.lua $@

c_library := $(BUILD)/c/liblunarray.so.$(ABI) $(BUILD)/c/lunarray.h
# $(call install_c,root,prefix)
define install_c
	@mkdir -p "$(1)$(2)/lib/pkgconfig" "$(1)$(2)/include"
	cp $(BUILD)/c/liblunarray.so.$(ABI) "$(1)$(2)/lib/"
	ln -sf liblunarray.so.$(ABI) "$(1)$(2)/lib/liblunarray.so"
	cp $(BUILD)/c/lunarray.h src/lua/lunarray_module.h "$(1)$(2)/include/"
	sed -e 's|@PREFIX@|$(2)|' -e 's|@RELEASE@|$(RELEASE)|' -e 's|@LIBS@|$(libraries)|' tools/lunarray.pc.in > "$(1)$(2)/lib/pkgconfig/lunarray.pc"
endef

# As it is installed, for spec/base/core_spec.lua.
$(BUILD)/installed/lib/pkgconfig/lunarray.pc: $(c_library) tools/lunarray.pc.in
	$(call install_c,,$(absolute)/installed)

# What stands between the module and the driver for spec/flow/layer_spec.lua: a layer of OpenCL's loader, and a module of Lua.
layer_flags = $(filter-out -fvisibility=%,$(core_flags)) $(call found,lua_cflags) $(LIBFLAG) $(LDFLAGS)
$(BUILD)/layer/layer.so: $(filter-out %/guard.c %/narrow.c,$(sort $(wildcard spec/layer/*.c))) $(wildcard spec/layer/*.h spec/layer/*.def) $(BUILD)/machine
	@mkdir -p $(@D)
	$(call show,link    $@)$(CC) $(layer_flags) -o $@ $(filter %.c,$^) -pthread

# What puts known bytes around each buffer, and what hides double precision.
$(BUILD)/layer/guard.so $(BUILD)/layer/narrow.so: $(BUILD)/layer/%.so: spec/layer/%.c spec/layer/info.h $(BUILD)/machine
	@mkdir -p $(@D)
	$(call show,link    $@)$(CC) $(layer_flags) -o $@ $< -pthread

# A module of somebody else's, which uses what lunarray.core hands out (spec/lua/modules_spec.lua).
$(BUILD)/module/doubled.so: spec/module/doubled.c src/lua/lunarray_module.h $(BUILD)/machine
	@mkdir -p $(@D)
	$(call show,link    $@)$(CC) $(compile) -fvisibility=default -Isrc/lua $(call found,lua_cflags) -Wall -Wextra $(WERROR) $(CFLAGS) \
	    $(LIBFLAG) $(LDFLAGS) -o $@ $<

# The readers of files, as clang's libFuzzer calls them: spec/fuzz/files.c stands in for the rest of core.
FUZZED := $(addprefix src/core/,packages/files/npy.c packages/files/input.c packages/files/zip_read.c packages/files/zip_write.c packages/files/archive.c packages/files/deflate.c packages/files/output.c) \
          $(wildcard src/core/base/*.c)
$(BUILD)/fuzz/files: spec/fuzz/files.c $(FUZZED) $(BUILD)/sources $(BUILD)/machine
	@mkdir -p $(@D)
	$(call show,link    $@)clang $(core_flags) -O1 -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=undefined \
	    -o $@ $(filter %.c,$^) $(call found,zlib_libs) -lm

# ---- goals -------------------------------------------------------------------------------------------

# The tree's own module, whatever is installed, for every process that the specs start too.
absolute = $(abspath $(BUILD))
in_tree  = env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL -u LUA_PATH_5_4 -u LUA_CPATH_5_4 -u LUA_PATH_5_5 -u LUA_CPATH_5_5 CC='$(CC)' LUA='$(lua)' \
           LUA_PATH="$(CURDIR)/lua/?.lua;$(CURDIR)/lua/?/init.lua;$${LUA_PATH_5_4-$${LUA_PATH-;}}" \
           LUA_CPATH="$(absolute)/?.so;$${LUA_CPATH_5_4-$${LUA_CPATH-;}}"
busted   = $(shell LUA='$(LUA)' tools/setup.sh find busted) --cpath="$(absolute)/?.so"

.PHONY: all mpi mpi-if-there env demo lab specs-ready test test-all test-rest torture faults layer asan tsan fuzz fuzz-files fuzz-mtx fuzz-simulations fuzz-text soak guards guards-module lint mutate format \
        octave octave-dist test-octave setup-octave test-asan test-on test-oclgrind bench setup install install-c install-files install-mpi-files clean help help-all FORCE

all: ## build the module, build/lunarray/core.so
all: $(BUILD)/lunarray/meta_operations.lua
all: $(BUILD)/liblunarray.a

mpi: ## build lunarray.mpi, build/lunarray/mpi_core.so (MPICC=mpicc)
mpi: all $(BUILD)/lunarray/mpi_core.so

# For the specs, which say so where there is none.
mpi-if-there: $(BUILD)/machine
	@if MPICC='$(MPICC)' tools/setup.sh find mpi >/dev/null; then $(MAKE) --no-print-directory $(BUILD)/lunarray/mpi_core.so; fi

env: ## print the environment variables for using this tree's module: eval "$(make env)"
	@echo 'export LUA_PATH_$(lua_v)="$(CURDIR)/lua/?.lua;$(CURDIR)/lua/?/init.lua;$${LUA_PATH_$(lua_v)-$${LUA_PATH-;}}"'
	@echo 'export LUA_CPATH_$(lua_v)="$(absolute)/?.so;$${LUA_CPATH_$(lua_v)-$${LUA_CPATH-;}}"'
	@test -e $(BUILD)/lunarray/core.so || echo 'env: nothing is built yet: run make first' >&2

demo: ## build, then run the solar system and two galaxies (DEMO_ARGS for both, default --out build/demo)
demo: DEMO_ARGS ?= --out $(BUILD)/demo
demo: all
	$(call show,run     examples/solar_system.lua)$(in_tree) $(lua) examples/solar_system.lua $(DEMO_ARGS) $(SOLAR_ARGS)
	$(call show,run     examples/galaxy.lua)$(in_tree) $(lua) examples/galaxy.lua $(DEMO_ARGS) $(GALAXY_ARGS)

LABS := hello reduction transpose matmul nbody memory atomics divergence sycl
ifneq ($(and $(filter lab,$(GOALS)),$(filter-out $(LABS),$(LAB))),)
$(error there is no lab '$(filter-out $(LABS),$(LAB))'; there are $(LABS))
endif

.PHONY: prepare
prepare: ## build, then compile the kernels of f32 and f64 in advance, so that first runs do not wait for a compiler (PREPARE_ARGS)
prepare: all
	$(call show,run     tools/lunarray-prepare.lua)$(in_tree) $(lua) tools/lunarray-prepare.lua $(PREPARE_ARGS)

lab: ## build, then run the course's exercises at small sizes (LAB_SIZE=, LAB=reduction for one, LAB_ARGS)
lab: LAB ?= $(LABS)
lab: LAB_SIZE ?= small
lab: all
	@for name in $(LAB); do \
	    $(in_tree) $(lua) examples/lab/$$name.lua $(if $(LAB_SIZE),--size $(LAB_SIZE)) --runs 3 $(LAB_ARGS) || exit 1; \
	done

# SPEC= may leave out the folder: SPEC=sort is spec/sort/sort_spec.lua, too.
spec_named = $(firstword $(if $(findstring /,$(1)),$(wildcard $(1))) $(shell find spec -name '$(patsubst %_spec,%,$(basename $(notdir $(1))))_spec.lua') $(1))
specs_named = $(foreach each,$(SPEC),$(call spec_named,$(each)))

# One busted for one file, and for what wants another output than a terminal's.
one_busted = $(SPEC)$(filter -o% --output% -l --list -h --help --version,$(BUSTED_ARGS))

# What all specs need. Kernels that are prepared beforehand would be one more goal here: the specs begin after it.
specs-ready: all faults layer mpi-if-there

test: ## build, then run the specs (SPEC=x for spec/*/x_spec.lua alone, BUSTED_ARGS, JOBS= files at once)
test: $(if $(SPEC),all $(shell tools/spec_goals.sh $(specs_named)),specs-ready)
	$(call show,run     the specs)exec $(in_tree) $(if $(one_busted),,tools/specs.sh) $(busted) $(BUSTED_ARGS) $(specs_named)

test-all: ## everything: make test, then make test-rest (three quarters of an hour on two cores)
test-all:
	@$(MAKE) --no-print-directory test; status=$$?; $(MAKE) --no-print-directory test-rest && exit $$status

test-rest: ## what make test leaves out: all dtypes, long specs, all variants, all work on threads, optimised
test-rest: specs-ready
	$(call show,run     the specs in depth)exec $(in_tree) LUNARRAY_LONG=1 LUNARRAY_COMPANION=0 SPEC_SECONDS=$${SPEC_SECONDS:-1500} \
	    tools/specs.sh $(busted) $(BUSTED_ARGS)

torture: ## build, then run the stress tests and print a table of their results: a quarter of an hour (TRY=./warm/calls/all)
torture: all faults layer asan tsan guards-module $(BUILD)/fuzz/files
	$(call show,run     tools/torture.sh)exec $(in_tree) BUILD='$(BUILD)' SOAK='$(SOAK)' SEED='$(or $(SEED),1)' tools/torture.sh $(TRY)

# The module's own checks run in a Lua that knows nothing of them, so that their library comes before all others. Which
# specs: those of make test; SPEC= names some. Drivers keep memory to the end: what is still held then is looked at by
# spec/layer alone, which counts it.
test-asan: ## the specs with address and undefined-behaviour checks (SPEC=x for one; all take an hour)
test-asan: all faults layer asan
	$(call show,run     the specs with checks)exec $(in_tree) ASAN_OPTIONS=detect_leaks=0 \
	    UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1 LD_PRELOAD="$$($(CC) -print-file-name=libasan.so)" \
	    $(if $(one_busted),,env SPEC_SECONDS=3000 tools/specs.sh) \
	    $(subst $(absolute)/?,$(absolute)/asan/?,$(busted)) $(BUSTED_ARGS) $(specs_named)

test-on: ## the specs on a driver that is fetched: DRIVER=intel, pocl (both PyPI's), debian:trixie (as root), or a library's path
test-on: all
	@BUILD='$(BUILD)' tools/test_on.sh '$(DRIVER)' $(if $(SPEC),SPEC='$(SPEC)') $(if $(BUSTED_ARGS),BUSTED_ARGS='$(BUSTED_ARGS)')

# All specs with known bytes around every buffer, of blocks that have no room to spare. What a zone's bytes were is told by the log.
guards: ## all specs, or SPEC=, with guard zones around all arrays: fails where one is written (long)
guards: all faults layer guards-module
	@rm -f $(BUILD)/guards/log
	$(call show,run     the specs between guard zones)$(in_tree) OPENCL_LAYERS="$(absolute)/layer/guard.so" GUARD_LOG="$(absolute)/guards/log" \
	    $(if $(one_busted),,tools/specs.sh) $(subst $(absolute)/?.so,$(absolute)/guards/?.so;$(absolute)/layer/?.so,$(busted)) \
	    --helper=spec/layer/guarded.lua $(BUSTED_ARGS) $(specs_named); status=$$?; \
	    if [ -e $(BUILD)/guards/log ]; then echo 'guard zones were written:'; cat $(BUILD)/guards/log; exit 1; fi; exit $$status

test-oclgrind: ## the specs tagged #oclgrind under Oclgrind, which sees races and stray accesses
test-oclgrind: all
	$(call show,run     the specs under Oclgrind)$(in_tree) tools/oclgrind.sh $(busted) $(BUSTED_ARGS) $(specs_named)

fuzz-files: ## damaged .npy and .npz files for the readers, guided by coverage (INPUTS=10000000, SEED=1; needs clang)
fuzz-files: INPUTS ?= 10000000
fuzz-files: SEED ?= 1
fuzz-files: all $(BUILD)/fuzz/files
	$(call show,run     tools/fuzz_files.sh)$(in_tree) BUILD='$(BUILD)' tools/fuzz_files.sh $(INPUTS) $(SEED)

fuzz-mtx: ## damaged .mtx files through lun.load (INPUTS=100000, SEED=1)
fuzz-mtx: INPUTS ?= 100000
fuzz-mtx: SEED ?= 1
fuzz-mtx: all
	$(call show,run     spec/fuzz/mtx.lua)$(in_tree) $(lua) spec/fuzz/mtx.lua $(INPUTS) $(SEED)

fuzz-simulations: ## damaged files of simulations (COUNT=10000, SEED=1)
fuzz-simulations: COUNT ?= 10000
fuzz-simulations: SEED ?= 1
fuzz-simulations: all
	$(call show,run     spec/fuzz/simulations.lua)$(in_tree) $(lua) spec/fuzz/simulations.lua $(COUNT) $(SEED)

fuzz: ## random programs over the whole of lunarray against plain Lua (CALLS=1000000, SEED=1)
fuzz: CALLS ?= 1000000
fuzz: SEED ?= 1
fuzz: all
	$(call show,run     spec/fuzz/run.lua)$(in_tree) $(lua) spec/fuzz/run.lua $(CALLS) $(SEED)

fuzz-text: ## random text as expressions and kernels, which the device's compiler gets (COUNT=10000, SEED=1)
fuzz-text: COUNT ?= 10000
fuzz-text: SEED ?= 1
fuzz-text: all
	$(call show,run     spec/fuzz/text.lua)$(in_tree) $(lua) spec/fuzz/text.lua $(COUNT) $(SEED)

soak: ## all operations over and over, with memory, descriptors and threads that stay as many (SOAK=1800 seconds)
soak: SOAK ?= 1800
soak: all
	$(call show,run     spec/fuzz/soak.lua)$(in_tree) $(lua) spec/fuzz/soak.lua $(SOAK)

lint: ## luacheck, the boundaries between the rooms, layout, the rockspec
lint: $(BUILD)/machine
	@CC='$(CC)' LUA='$(lua)' tools/lint.sh

mutate: ## plant drawn mistakes, one at a time, and tell which spec sees each (ROOM=fft SEED=1 COUNT=20, MUTATE_ARGS)
mutate: $(BUILD)/machine
	$(call show,run     tools/mutate.lua)LUA='$(lua)' $(lua) tools/mutate.lua $(if $(ROOM),--room '$(ROOM)') \
	    $(if $(SEED),--seed $(SEED)) $(if $(COUNT),--count $(COUNT)) $(MUTATE_ARGS)

format: ## lay out src/ as .clang-format says
	clang-format -i $(shell find src kernels -name '*.[ch]' -o -name '*.cc')

bench: ## compare speeds with the machine's own libraries (OP=matmul or octave, JSON=file, BENCH_ARGS="--device gpu --markdown file")
ifeq ($(OP),octave)
bench: octave
	OCTAVE_HISTFILE=$(BUILD)/octave/history octave-cli --norc --quiet --path $(BUILD)/octave --path octave/inst bench/octave.m
else
bench: all
	$(call show,run     bench/run.lua)$(in_tree) $(lua) bench/run.lua $(if $(OP),--op $(OP)) $(if $(JSON),--json $(JSON)) \
	    $(BENCH_ARGS)
endif

octave: ## build the package for GNU Octave in build/octave: octave --path build/octave --path octave/inst
octave: $(BUILD)/octave/lunarray.oct

octave-dist: ## build GNU Octave's package for `pkg install`, build/lunarray-VERSION.tar.gz, and its page for the list of packages (REPOSITORY=address)
octave-dist: $(octave_package)
	tools/octave_yaml.sh $< '$(REPOSITORY)' > $(BUILD)/lunarray.yaml

test-octave: ## install that into a folder of its own, and run its tests (ONLY=part of a file's name, DEBIAN=trixie for that Debian's Octave); says so where it skips them
test-octave: $(octave_package)
	$(call show,run     tools/test_octave.sh)BUILD='$(absolute)' $(if $(DEBIAN),tools/octave_of.sh '$(DEBIAN)',tools/test_octave.sh) $<

setup-octave: ## install GNU Octave with its headers (apt only; 600 MB)
setup-octave: $(BUILD)/machine

faults: ## a module whose OpenCL calls can be made to fail, build/faults/lunarray/core.so

layer: ## what counts OpenCL objects, makes calls fail, guards buffers and hides f64 for the specs, build/layer/*.so, and the library for C
layer: $(addprefix $(BUILD)/layer/,layer.so guard.so narrow.so) $(BUILD)/module/doubled.so $(BUILD)/no_zlib/lunarray/core.so $(BUILD)/installed/lib/pkgconfig/lunarray.pc

asan: ## a module with address and undefined-behaviour checks, build/asan/lunarray/core.so (make test-asan)

tsan: ## a module with checks for data races, build/tsan/lunarray/core.so (make torture)

setup: ## install everything that these goals need (apt only)
setup: $(BUILD)/machine

install: ## build and install the rock, for the system as root, otherwise for the user (LUAROCKS_ARGS)
install: LUAROCKS_ARGS ?= $(if $(filter-out 0,$(shell id -u)),--local)
install: $(BUILD)/machine
	$(call show,luarocks make $(LUAROCKS_ARGS))$(luarocks) $(LUAROCKS_ARGS) make $(wildcard lunarray-[0-9s]*.rockspec)
	$(if $(findstring --local,$(LUAROCKS_ARGS)),@echo 'To use it: eval "$$(luarocks --lua-version $(call found,lua_version) path)"')

# What the rock calls, with LIBDIR and LUADIR.
install-files:
	mkdir -p "$(LIBDIR)/lunarray" "$(LUADIR)"
	cp $(BUILD)/lunarray/core.so "$(LIBDIR)/lunarray/core.so"
	cp -R lua/lunarray "$(LUADIR)/"
	cp $(BUILD)/lunarray/meta_operations.lua "$(LUADIR)/lunarray/"
	rm -f "$(LUADIR)"/lunarray/mpi*.lua
	$(if $(BINDIR),mkdir -p "$(BINDIR)" && cp tools/lunarray-prepare.lua "$(BINDIR)/lunarray-prepare")
	@echo "lunarray: the first run of a program on PoCL compiles its kernels, for seconds; lunarray-prepare does so beforehand"

install-mpi-files:
	mkdir -p "$(LIBDIR)/lunarray" "$(LUADIR)/lunarray"
	cp $(BUILD)/lunarray/mpi_core.so "$(LIBDIR)/lunarray/mpi_core.so"
	cp lua/lunarray/mpi*.lua "$(LUADIR)/lunarray/"

dist: ## pack the tree as a release that builds alone, with its rockspecs: build/dist
	$(call show,pack    $(BUILD)/dist)tools/dist.sh $(RELEASE) $(BUILD)/dist

test-dist: ## unpack that elsewhere; without a network install the rock from it and run a spec (SPEC=spec/lua/module_spec.lua)
test-dist: SPEC ?= spec/lua/module_spec.lua
test-dist: dist $(BUILD)/machine
	LUA='$(lua)' tools/test_dist.sh $(RELEASE) $(BUILD)/dist $(SPEC)

SITE_TOOLS ?= sphinx myst-parser furo
site: ## make a static site of the pages, the annotations and the examples with pictures: build/site/html (python3 with venv, PyPI)
site: all $(BUILD)/site/venv/ready
	$(call show,gather  $(BUILD)/site/source)$(in_tree) $(lua) tools/site.lua $(BUILD)/site/source pictures
	$(call show,write   $(BUILD)/site/html)LUN_RELEASE=$(RELEASE) $(BUILD)/site/venv/bin/sphinx-build -q -W --keep-going -b html \
	    $(BUILD)/site/source $(BUILD)/site/html

$(BUILD)/site/venv/ready:
	@mkdir -p $(BUILD)/site
	python3 -m venv $(BUILD)/site/venv && $(BUILD)/site/venv/bin/pip install --quiet $(SITE_TOOLS) && touch $@

PREFIX ?= /usr/local
install-c: ## build and install the library for C, without Lua: PREFIX=/usr/local, DESTDIR=
install-c: $(c_library)
	$(call install_c,$(DESTDIR),$(PREFIX))

clean: ## remove what was built
	rm -rf $(BUILD)

USER_GOALS := demo|test|install|prepare|env|lab|octave-dist|bench|install-c|help-all
list_goals  = sed -n 's/^\($(1)\): \#\# /\1 /p' Makefile | while read -r goal text; do printf 'make %-15s %s\n' "$$goal" "$$text"; done

help: ## what users run
	@$(call list_goals,$(subst |,\|,$(USER_GOALS)))

help-all: ## all goals
	@$(call list_goals,[a-z-]*)
