# make help lists the targets. FUZZTIME, COUNT and BENCH may be given on the command line.
SHELL := bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help

FUZZTIME ?= 30s
FUZZREST ?= $(FUZZTIME)
COUNT ?= 5
BENCH ?= .

# Every module of the tree; internal/tools has no packages, only tools.
MODULES := $(shell find . -name go.mod -not -path '*/.*' -not -path '*/node_modules/*' -exec dirname {} + | sort)
CODE := $(filter-out ./internal/tools,$(MODULES))
# The race detector needs a C compiler; without one the tests run without it.
RACE := $(if $(filter 1,$(shell go env CGO_ENABLED)),-race)
BIN := $(CURDIR)/.tmp/bin

# $(call each,MODULES,COMMAND) runs COMMAND in each module.
each = for m in $(1); do echo "== $$m: $(strip $(2))"; (cd $$m && $(2)); done

.PHONY: help all build test race fuzz bench cost load scale soak lint fmt vet cover examples-tested examples run conformance interop probes mutants deps-check tidy-check clean

help: ## List the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  %-15s %s\n", $$1, $$2 }' Makefile

all: build vet lint tidy-check test examples ## What a change must pass

build: ## Build every package of every module
	@$(call each,$(CODE),go build ./...)

test: ## Run every test of every module, shuffled, under the race detector
	@$(if $(RACE),,echo "no C compiler: running without the race detector")
	@$(call each,$(CODE),go test $(RACE) -shuffle=on -timeout=8m ./...)

race: ## Repeat the tests COUNT times under the race detector, without the official runner and other people's clients
	@$(call each,$(CODE),go test -race -shuffle=on -count=$(COUNT) $$(go list ./... | grep -v -e /internal/conformance -e /interop/clients))

fuzz: ## Run each fuzz target for FUZZTIME, those of lesser risk for FUZZREST
	@FUZZTIME=$(FUZZTIME) FUZZREST=$(FUZZREST) .ci/fuzz $(CODE)

bench: ## Run the benchmarks that match BENCH; interop/bench writes .tmp/bench
	@export PARLEY_BENCH_OUT=$(CURDIR)/.tmp/bench; $(call each,$(CODE),go test -run '^$$' -bench '$(BENCH)' -benchmem -timeout=30m ./...)

# The race detector makes other code, so that make test leaves these out.
cost: ## See that a call allocates and takes as little as it did
	@go test -count=1 -run 'Alloc|Memory|Linear|Cheaper' ./core/... ./internal/schema
	@cd interop && go test -count=1 -v -run 'Allocations|Instructions' ./bench

# $(call built,PROGRAM,COMMAND) builds a program of interop and runs it.
built = mkdir -p .tmp/bin && cd interop && go build -o $(BIN)/$(1) ./$(1) && $(2) $(BIN)/$(1)

load: ## Load real servers over loopback, everybody by turns; writes .tmp/load
	@$(call built,load,GOMAXPROCS=1 taskset -c 0) -out $(CURDIR)/.tmp/load

scale: ## Open 10 000 idle streams on every framework; writes .tmp/scale
	@$(call built,scale) -out $(CURDIR)/.tmp/scale

soak: ## Send mixed requests for ten minutes and see memory stay flat
	@$(call built,soak)

lint: $(BIN)/golangci-lint ## Check the code against .golangci.yml
	@$(BIN)/golangci-lint config verify
	@$(call each,$(CODE),$(BIN)/golangci-lint run ./...)

fmt: $(BIN)/golangci-lint ## Format the code
	@$(call each,$(CODE),$(BIN)/golangci-lint fmt ./...)

vet: ## Run go vet
	@$(call each,$(CODE),go vet ./...)

cover: ## Measure which statements the tests of the root module reach
	@mkdir -p .tmp
	@go test -coverpkg=./core/...,./adapters/...,./jwtbind/...,./internal/... -coverprofile=.tmp/cover.out ./...
	@go tool cover -func=.tmp/cover.out | tail -n 1
	@echo "details: go tool cover -html=.tmp/cover.out"

examples-tested: ## See that a test starts every example
	@for dir in $$(go list -f '{{if eq .Name "main"}}{{.Dir}}{{end}}' ./examples/...); do \
		grep -q "\"$${dir##*/}\"" examples/*_test.go internal/banktest/*_test.go || { echo "no test starts $$dir"; exit 1; }; \
	done

examples: examples-tested ## Build, start and call every example
	@go test -count=1 ./examples/... ./internal/banktest

run: ## Start the hello example on net/http
	@go run ./examples/hello-stdlib

conformance: ## Run the official conformance runner against every adapter
	@PARLEY_REQUIRE_CONFORMANCE=1 go test $(RACE) -count=1 -v ./internal/conformance

interop: ## Have other people's clients call the examples on every framework
	@cd interop && PARLEY_REQUIRE_CONFORMANCE=1 go test $(RACE) -count=1 -timeout=10m ./clients

probes: ## Probe our fixture and servers of other libraries, and write README.md and docs/probes.md
	@cd interop && go run ./probes/run -root ..

mutants: ## Disable each check of the gate, state, flows, single use, authorization and older clients, and see a test fail
	@go run ./internal/mutants

deps-check: ## Check the import rules over the whole graph
	@go test -count=1 ./internal/deps

tidy-check: ## Check that go.mod and go.sum are as go mod tidy leaves them
	@$(call each,$(MODULES),go mod tidy -diff)

clean: ## Remove what the targets left below .tmp
	@rm -rf .tmp

$(BIN)/golangci-lint: internal/tools/go.mod internal/tools/go.sum
	@echo "building the pinned tools"
	@cd internal/tools && GOBIN=$(BIN) go install tool
	@touch $@
