# For OpenBench, which builds every engine by `make EXE=name EVALFILE=net`.
# Everybody else is better served by cargo; see README.md.

EXE ?= gambeson
EVALFILE ?=
# "tune" makes the parameters of the search UCI options, for SPSA.
FEATURES ?=

# An absolute path: cargo runs the build script somewhere else.
export EVALFILE := $(if $(EVALFILE),$(abspath $(EVALFILE)))

.PHONY: all
all:
	cargo build --release --locked --no-default-features --features "$(FEATURES)" --bin gambeson
	cp $${CARGO_TARGET_DIR:-target}/release/gambeson $(EXE)
