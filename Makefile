# What people type. Everything here works from a fresh clone on Debian with Swift 6.3 or later.

SWIFT ?= swift
GALLOP = .build/release/gallop
SAMPLE ?= Samples/GIFs/gallop.gif
DIR ?= ../shared/conformance

# Debug builds, which are those of tests, have the engine optimised: see Package.swift.
export GALLOP_OPTIMIZED ?= 1

# Where the scripts find the package of Python tools that they share.
export PYTHONPATH := $(CURDIR)/Tests/Tools

.PHONY: all help play test portable test-arm64 web test-web library install uninstall dist dist-test test-c lint public-face format \
  bench bench-scaling bench-players bench-peers bench-edit bench-edit-cost bench-server bench-flashes bench-browsers bench-web \
  benchmarks samples samples-check samples-test smoke window-test \
  terminal-test client-check client-test docs docs-test self-tests conformance mutate-browsers edit-browsers webp-browsers sanitize \
  sanitize-threads soak soak-files soak-wall soak-scroll soak-test fuzz deps clean

all: $(GALLOP)

# Prints what each command does.
help:
	@awk '/^# / { text = text (text ? " " : "") substr($$0, 3); next } \
	  /^[a-z][a-z0-9-]*:/ { if (text) { split($$1, name, ":"); print "make " name[1] "\n    " text } text = "" } \
	  /^(\t|$$)/ { text = "" }' Makefile | fold -s -w 110 | sed 's/^\([^m ]\)/    \1/'

# Plays a sample: in the terminal, or, where there is none, three seconds of its events.
play: build-release
	@if [ -t 0 ] && [ -t 1 ]; then $(GALLOP) play $(SAMPLE); \
	else $(GALLOP) play --headless --events --seconds 3 $(SAMPLE); fi

$(GALLOP): build-release

# Addresses of functions are read-only once the program runs, and no library is looked for beside it.

HARDENED = --disable-local-rpath -Xlinker -z -Xlinker relro -Xlinker -z -Xlinker now
SWIFT_RELEASE = $(SWIFT) build -c release --static-swift-stdlib $(HARDENED) -Xswiftc -file-prefix-map -Xswiftc $(CURDIR)=.
.PHONY: build-release

# Builds the tool with its Swift runtime inside, and without the paths of this machine: the program that `make dist` packs.
build-release: deps
	$(SWIFT_RELEASE) --product gallop

# In the order of their imports.
PORTABLE = $(addprefix Sources/Engine/,GIFDecoding GIFWriting GIFEditing GIFTimeline GIFFlashes)

# Compiles the modules that need no platform as Embedded Swift for WebAssembly, without their texts (folders named Text)
# and without linking.
portable:
	Tests/Portable/portable.sh Tests/Portable/PortableClient.swift $(PORTABLE)

# Decodes the samples with the decoder compiled for 64-bit ARM, under qemu, and compares the pixels.
test-arm64: build-release
	Tests/Portable/arm64/arm64.sh $(GALLOP) Samples/GIFs/*.gif

# The package for browsers and Node, in .build/web/gallop-gif; installs what it needs and gets giflib's sources from Debian.
WEB = .build/web/gallop-gif
web:
	Sources/Bindings/Web/GallopWeb/build.sh $(WEB)

# Tests it in Node and in the browsers that are installed; QUICK=1 leaves out what takes long, and all browsers but one.
test-web: web
	python3 Tests/Bindings/Web/web_test.py --package $(WEB) $(if $(QUICK),--quick) $(if $(wildcard $(DIR)),--conformance $(DIR))

# The library for C programs, with its Swift runtime inside; of the tool's modules, if these are built.
LIBRARY = .build/library
library: deps
	Sources/Bindings/C/CGallop/build.sh $(LIBRARY) $(SWIFT_RELEASE)

# Installs what is built of the tool (`make build-release`) and the C library (`make library`) into PREFIX; DESTDIR is the
# root of a package.
PREFIX ?= /usr/local
DESTDIR ?=
install:
	Sources/Packaging/install.sh $(GALLOP) $(LIBRARY) $(PREFIX) $(DESTDIR)

# Removes what `make install` has installed.
uninstall:
	Sources/Packaging/install.sh --remove $(PREFIX) $(DESTDIR)

# Debian packages of the tool and of the C library, a list of their parts (SPDX) and checksums; the same sources give the
# same bytes. TOOL_ONLY=1 packs the library only if it is there.
DIST = .build/dist
TOOL_ONLY ?=
dist: build-release $(if $(TOOL_ONLY),,library)
	Sources/Packaging/debian.sh $(GALLOP) $(LIBRARY) $(DIST)

# Installs, runs and removes the packages in a bare Debian without Swift; says what that needs and lacks.
dist-test: dist
	python3 Tests/Packaging/dist_test.py --tool $(GALLOP) --library $(LIBRARY) $(DIST)

# Compiles C and C++ programs against the installed library, and runs them, also under valgrind and AddressSanitizer,
# which QUICK=1 leaves out.
test-c: library
	python3 Tests/Bindings/C/c_test.py --library $(LIBRARY) $(if $(QUICK),--quick) $(if $(wildcard $(DIR)),--conformance $(DIR))

# Without what debuggers read, which takes up to a fifth of the compiler's time. A debug build with other flags beside it
# compiles everything again.
DEBUG_BUILD = $(SWIFT) build -debug-info-format none
TEST_BUILD = $(DEBUG_BUILD) --build-tests

# All tests of the Swift package, in a debug build with the engine optimised; GALLOP_OPTIMIZED=0 leaves that out. Those of
# the command line run the debug build, which starts in 0.2 s, or another one: TOOL=.build/release/gallop.
test: deps
	$(TEST_BUILD)
	$(if $(TOOL),GALLOP_TOOL=$(TOOL)) $(SWIFT) test --skip-build --disable-xctest

# Checks the formatting, the direction of imports, what the languages share, cited rows and versions.
lint:
	$(SWIFT) format lint --strict --recursive Package.swift Sources Tests Samples/Package.swift \
	  Samples/Sources Benchmarks/Package.swift Benchmarks/Benchmarks
	ONLY_IMPORTS=1 Tests/Portable/portable.sh Tests/Portable/PortableClient.swift $(PORTABLE)
	python3 Tests/floors.py
	python3 Tests/words.py
	python3 Tests/declarations.py
	python3 Tests/cited_rows.py
	python3 Tests/comments.py
	python3 Sources/Packaging/versions.py

# Counts the public declarations that `import Gallop` brings, and those of the views, and names those without
# documentation; needs a debug build.
FACE = $(shell sed -n s/^@_exported.public.import.//p Sources/Engine/Gallop/Gallop.swift) Gallop
public-face:
	python3 Tests/public_face.py --limit 450 .build/debug $(FACE)
	python3 Tests/public_face.py --limit 349 .build/debug GIFStage WindowDisplay

# Mends the formatting.
format:
	$(SWIFT) format --in-place --recursive Package.swift Sources Tests Samples/Package.swift \
	  Samples/Sources Benchmarks/Package.swift Benchmarks/Benchmarks

# Benchmarks of the decoder's parts, then bench-flashes; needs a quiet machine. Give files with GALLOP_BENCH_GIFS=a.gif:b.gif.
bench: deps
	cd Benchmarks && $(SWIFT) package -c release benchmark
	$(MAKE) bench-flashes

# Counts what would bound a batch on 16 and 64 processors: work and waits of each thread, and the caller's share.
bench-scaling: deps
	cd Benchmarks && $(SWIFT) run -c release Scaling $(if $(GIFS),$(abspath $(GIFS)),../Samples/GIFs/*.gif)

# Measures what 100, 1,000 and 10,000 hidden players of 1,000 files take: memory, wake-ups, decoding, time of a change.
bench-players: deps
	cd Benchmarks && $(SWIFT) run -c release Players $(if $(GIFS),$(abspath $(GIFS)),../Samples/GIFs/*.gif)

# Times gallop against other decoders and writes Benchmarks/results; needs a quiet machine. GIFS="a.gif folder" names
# files besides the samples; QUICK=1 makes a short run, with results in a folder of their own.
GIFS ?=
QUICK ?=
bench-peers: build-release
	python3 Benchmarks/peers/bench_peers.py --gallop $(GALLOP) $(if $(QUICK),--quick) $(GIFS)

# Cuts, reverses and shrinks GIFs with gallop and other tools: wrong pictures, sizes, times, memory.
bench-edit: build-release
	python3 Benchmarks/editing/bench_edit.py --gallop $(GALLOP) $(GIFS)

# Times edits beside cp, opening and decoding, and their memory; GIFS names one film instead of the one that is made.
bench-edit-cost: build-release
	python3 Benchmarks/editing/bench_cost.py --gallop $(GALLOP) $(GIFS)

# Times thumbnails, posters and the start of a confined program; GIFS names one film instead of the one that is made.
bench-server: build-release
	python3 Benchmarks/server/bench_server.py --gallop $(GALLOP) $(GIFS)

# What the verdict on flashes costs, against a decode.
bench-flashes: deps
	cd Benchmarks && $(SWIFT) run -c release Flashes $(if $(GIFS),$(abspath $(GIFS)),../Samples/GIFs/*.gif)

# Plays the same wall in Chromium, Firefox and gallop; needs a quiet machine. GIFS names files instead of the samples;
# RAMP=1 finds how many GIFs each can play; QUICK=1 as above.
RAMP ?=
bench-browsers: build-release
	python3 Benchmarks/browsers/bench_browsers.py --gallop $(GALLOP) $(if $(RAMP),--ramp) $(if $(QUICK),--quick) $(GIFS)

# Measures the package for browsers: a wall of elements against <img>, the page's main thread, decoding in Node.
bench-web: build-release web
	python3 Benchmarks/browsers/bench_web.py --gallop $(GALLOP) --package $(WEB) $(GIFS)

# Builds the benchmarks, without running them.
benchmarks: deps
	cd Benchmarks && $(SWIFT) build -c release

# Compiles the sample programs and the fuzz targets against a debug build, without linking.
samples-check: deps
	$(DEBUG_BUILD)
	Samples/samples-check.sh

# Builds the sample programs and runs each as a test.
samples-test: deps
	Samples/samples-test.sh

# Draws the samples again.
samples: deps
	cd Samples && $(SWIFT) run -c release make-samples GIFs

# The command line on the samples.
smoke: build-release
	Tests/Conformance/smoke.sh $(GALLOP) Samples/GIFs

.PHONY: wheel wheel-arm64 test-bindings bench-python bench-ray

# One wheel for this machine's platform, with libgallop and giflib in it.
WHEEL = .build/wheel
wheel:
	python3 Sources/Bindings/Python/make_wheel.py $(WHEEL)

# The same wheel for 64-bit ARM, built and tested in a container; elsewhere than on ARM that needs qemu-user-static.
wheel-arm64:
	Sources/Bindings/Python/wheel_in_container.sh linux/arm64 .build/wheel-arm64

# The C library and the Python package: see Tests/Bindings/Python/run.sh. GALLOP_RAY=1 and GALLOP_TORCH=1
# install Ray and PyTorch and test on them, too.
test-bindings: test-c wheel
	Tests/Bindings/Python/run.sh $(WHEEL)/gallop_gif-*.whl

# Prints how many frames of Python libraries are Chromium's, how fast they are, and what a second job gives; needs a quiet
# machine and the network. GIFS names files, QUICK=1 makes a short run, LARGE=1 installs torchvision and TensorFlow, too;
# ONLY names parts of the report: identical, speed, jobs, clips; LIBRARIES those that are compared with Gallop.
LARGE ?=
ONLY ?=
LIBRARIES ?=
bench-python: wheel
	python3 Benchmarks/python/bench_python.py $(if $(ONLY),--only $(ONLY)) --wheel $(WHEEL)/gallop_gif-*.whl \
	  $(if $(LIBRARIES),--libraries $(LIBRARIES)) $(if $(QUICK),--quick) $(if $(LARGE),--large) $(if $(wildcard $(DIR)),--conformance $(DIR)) $(GIFS)

# Prints how fast Ray and a pool of processes read folders, with gallop and with Pillow; needs the same.
bench-ray: wheel
	python3 Benchmarks/python/bench_ray.py --wheel $(WHEEL)/gallop_gif-*.whl $(if $(QUICK),--quick) $(GIFS)

# Plays in a window on a display of its own; needs Xvfb and xdotool.
window-test: build-release
	python3 Tests/Tool/Window/window_test.py --gallop $(GALLOP)

# Plays in terminals of its own: keys, mouse, sizes, signals, and how they are left.
terminal-test: build-release
	python3 Tests/Tool/Terminal/terminal_test.py --gallop $(GALLOP)

# Builds for release, and runs, a package that uses the library as clients do: its code is compiled into theirs.
client-test: deps
	cd Tests/ClientPackage && $(SWIFT) run -c release ClientTest

# Compiles that package's targets for release against the modules of `make build-release`, without linking.
client-check: build-release
	Tests/ClientPackage/client-check.sh

# Compiles the Swift snippets of README and documentation, runs their commands, and compares what these print.
docs-test: build-release
	$(SWIFT_RELEASE) --target GallopFoundation
	python3 Tests/Documentation/documentation_test.py --gallop $(GALLOP)

# The documentation site, by the toolchain's docc alone: pages for every public symbol, and the articles. A link that leads
# nowhere, a warning of docc, and a page that the front page does not reach are errors.
SITE = .build/documentation
docs: build-release
	$(SWIFT_RELEASE) --target GallopFoundation
	python3 Tests/Documentation/build_site.py --modules .build/release/Modules $(SITE)

# Tests the scripts themselves.
self-tests:
	python3 -m unittest discover --start-directory Tests/Tools/tests
	python3 Tests/Documentation/documentation_test.py --self-test
	python3 Tests/Packaging/self_test.py
	python3 Tests/Conformance/conformance.py --self-test
	python3 Tests/Conformance/check_events.py --self-test
	python3 -m unittest discover --start-directory Tests/Conformance/suite/tests
	python3 Tests/BrowserOracle/browser_oracle.py --self-test
	python3 Benchmarks/peers/bench_peers.py --self-test
	python3 Benchmarks/browsers/bench_browsers.py --self-test
	python3 Benchmarks/python/self_test.py

# Compares with what real browsers gave; DIR holds expected.jsonl and gifs/. Each file whole, and byte by byte unless
# PIECES is empty.
PIECES ?= 1
conformance: build-release
	$(if $(wildcard $(DIR)),python3 Tests/Conformance/conformance.py --gallop $(GALLOP) $(if $(PIECES),--piece-bytes 1) $(DIR), \
	  @echo "conformance: $(DIR) is not there: left out")

# Asks for files, sockets and programs from inside the decoder, which gets none.
confinement-test: build-release
	python3 Tests/Tool/Confinement/confinement_test.py --gallop $(GALLOP)

# Plays the sample wallpaper on a sway and an X server of its own; what is not installed is named and left out.
# FIGURES=1 measures it instead; that needs a quiet machine.
wallpaper-test: library build-release
	python3 Tests/Samples/wallpaper_test.py --library $(LIBRARY) --gallop $(GALLOP) $(if $(FIGURES),--figures)

.PHONY: wallpaper-test confinement-test test-flashes suite suite-cuts suite-edits suite-peers suite-report suite-record
SUITE = Tests/Conformance/suite

# The project's own suite: the files are those that the generator makes, and gallop shows them as Chromium does, whole
# and in pieces of 1, 7 and 1000 bytes unless PIECES is empty.
suite: build-release
	python3 $(SUITE)/make_suite.py --check
	python3 Tests/Conformance/conformance.py --gallop $(GALLOP) $(SUITE)
	python3 $(SUITE)/run.py --gallop $(GALLOP) --peer gallop $(if $(PIECES),--pieces)

# Each file of the suite cut at every STEP bytes: the same pictures whole, in pieces, and with fresh memory filled in two ways.
STEP ?= 1
suite-cuts: deps
	$(TEST_BUILD)
	python3 $(SUITE)/cuts.py --step $(STEP) -- $(SWIFT) test --skip-build --disable-xctest --filter SuiteCutTests

# Flashes of COUNT random GIFs, judged twice, and of COUNT GIFs whose verdict is known; and a hundred times COUNT timelines
# with random commands, under which a player must not flash, and as many in walls. In a build of its own.
OPTIMIZED_TEST = $(SWIFT) test -c release -Xswiftc -enable-testing
test-flashes: COUNT = 10000
test-flashes: deps
	GALLOP_FLASH_COUNT=$(COUNT) GALLOP_FLASH_TIMELINES=$(COUNT)00 $(OPTIMIZED_TEST) \
	  --scratch-path .build-flashes --disable-xctest --filter 'GIFFlashesTests|FlashPropertyTests|FlashWallTests'

# Edits of each file of the suite, cut at every frame among them: what they show is what Chromium shows of the chosen frames.
suite-edits: deps
	$(TEST_BUILD)
	GALLOP_SUITE_EDITS=1 $(SWIFT) test --skip-build --disable-xctest --filter 'SuiteEditTests|RoundTripTests|SmallerTests'

# The table of all decoders that can be had here, browsers among them: some minutes. What is missing is named.
suite-peers: build-release
	python3 $(SUITE)/run.py --gallop $(GALLOP) --all --results $(SUITE)/RESULTS.md --answers .build/suite/answers

# The suite as pages, with the answers that `make suite-peers` has kept.
suite-report:
	python3 $(SUITE)/make_report.py .build/suite/report --answers .build/suite/answers

# Writes the suite's files again and asks Chromium and Firefox about all of them: some minutes.
suite-record:
	python3 $(SUITE)/make_suite.py
	python3 $(SUITE)/record.py

# Compares what gallop and Chromium make of COUNT files damaged at random; needs Chromium.
COUNT ?= 2000
SEED ?=
mutate-browsers: build-release
	python3 Tests/BrowserOracle/mutate_browsers.py --gallop $(GALLOP) --count $(COUNT) $(if $(SEED),--seed $(SEED)) \
	  --keep .build/mutants Samples/GIFs Tests/Fuzzing/Corpus

# Edits COUNT files at random, and compares what Chromium shows of the results with the chosen frames; needs Chromium.
edit-browsers: build-release
	python3 Tests/BrowserOracle/edit_browsers.py --gallop $(GALLOP) --count $(COUNT) $(if $(SEED),--seed $(SEED)) \
	  --keep .build/edits Samples/GIFs Tests/Fuzzing/Corpus $(EDITED)

# Compares lossless WebPs of GIFs with the GIFs in Chromium: COUNT files, real, odd and damaged.
webp-browsers: build-release
	python3 Tests/BrowserOracle/webp_browsers.py --gallop $(GALLOP) --count $(COUNT) $(if $(SEED),--seed $(SEED)) \
	  --keep .build/webps Samples/GIFs Tests/Fuzzing/Corpus $(EDITED)

# AddressSanitizer with leak detection over the engine's tests, in an optimised build: its tests take a fifth of the time. The
# command-line tests are left out: Foundation's Process, with which they start the tool, leaks by itself. So are the cuts of
# the suite's files: fuzzing reads cut files under it.
sanitize: deps
	$(OPTIMIZED_TEST) --sanitize=address --disable-xctest --scratch-path .build-asan --skip 'GallopCLITests|SuiteCutTests'

# ThreadSanitizer over the same tests, or over the SUITES that a pattern names. Left out is what runs on one thread: a debug
# build under it takes a hundred times as long. An optimised one reports the last release of shared pixels, whose order is
# Swift's runtime's, as a race.
SUITES ?= .
ONE_THREAD ?= GIFDecodingTests\.(?!RefusedMemoryTests)|GIFTimelineTests|GIFWritingTests|GIFFlashesTests|SuiteEditTests|SmallerTests|RoundTripTests
sanitize-threads: export GALLOP_OPTIMIZED = 0
sanitize-threads: deps
	$(SWIFT) test --sanitize=thread --disable-xctest --scratch-path .build-tsan --skip 'GallopCLITests|$(ONE_THREAD)' \
	  --filter '$(SUITES)'

# Players that come, go and get random commands for MINUTES: none may get stuck, nothing may grow. SEED repeats a run.
MINUTES ?= 2
SOAK = $(SWIFT) run -c release Soak --minutes $(MINUTES) $(if $(SEED),--seed $(SEED))
soak: deps
	cd Benchmarks && $(SOAK) ../Samples/GIFs/*.gif

# Players of files that other programs cut, overwrite, delete, replace and append to: each continues or fails with a reason.
soak-files: deps
	cd Benchmarks && $(SOAK) --files ../Samples/GIFs/*.gif

# A grid of 500 files in a budget of 32 MB, scrolled from end to end and then hidden: under 90 MB, and nothing when hidden.
soak-wall: deps
	cd Benchmarks && $(SWIFT) run -c release Wall ../Samples/GIFs/*.gif

# A list of 300 GIFs that scrolls for a minute, in 48 and in 512 MiB, then messages that share 60 files: no frame is left
# out while a processor is idle, and memory goes back to the system.
soak-scroll: deps
	cd Benchmarks && $(SWIFT) run -c release Scrolling ../Samples/GIFs/*.gif
	cd Benchmarks && $(SWIFT) run -c release Scrolling --budget-mib 512 ../Samples/GIFs/*.gif
	cd Benchmarks && $(SWIFT) run -c release Scrolling --files 60 ../Samples/GIFs/*.gif

# The first three as a test, with the same commands in every run.
soak-test:
	$(MAKE) soak MINUTES=2 SEED=1
	$(MAKE) soak-files MINUTES=1 SEED=1
	$(MAKE) soak-wall

# Fuzzing: each libFuzzer target for SECONDS under AddressSanitizer, then the tool on damaged copies of the samples.
SECONDS ?= 60
fuzz: build-release
	Tests/Fuzzing/fuzz.sh $(SECONDS)
	Tests/Fuzzing/mutate.py --gallop $(GALLOP) --count 1000 Samples/GIFs

# Runs the tool with few threads, little memory and few descriptors: every process ends with status 0 or an error. MEGABYTES
# from one limit of memory to the next.
MEGABYTES ?= 5
limits-test: build-release
	python3 Tests/Tool/Limits/limits_test.py --gallop $(GALLOP) --step $(MEGABYTES)

# The system libraries: installed with apt where they are missing.
PACKAGES = pkg-config libgif-dev libspng-dev libchafa-dev libglib2.0-dev libcurl4-openssl-dev libsdl2-dev libwebp-dev libturbojpeg0-dev
deps:
	@command -v $(SWIFT) >/dev/null || { echo "make: Swift is missing: install Swift 6.3 or later (swift.org/install) and put it on the PATH" >&2; exit 1; }
	@command -v pkg-config >/dev/null && pkg-config --exists libgif spng chafa glib-2.0 libcurl sdl2 libwebpmux libturbojpeg || { \
	  if ! command -v apt-get >/dev/null; then echo "make: please install $(PACKAGES), or what they are called here" >&2; exit 1; fi; \
	  if [ "$$(id -u)" = 0 ]; then run=; elif command -v sudo >/dev/null; then run=sudo; \
	  else echo "make: please install as root: apt-get install $(PACKAGES)" >&2; exit 1; fi; \
	  echo "installing $(PACKAGES)"; \
	  $$run apt-get update -qq && $$run env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $(PACKAGES) >/dev/null; }

# Removes all that was built.
clean:
	rm -rf .build .build-asan .build-tsan Samples/.build Benchmarks/.build Benchmarks/peers/.build \
	  Benchmarks/peers/.venv Benchmarks/python/.venv Benchmarks/results/quick Tests/Fuzzing/.build Tests/ClientPackage/.build
