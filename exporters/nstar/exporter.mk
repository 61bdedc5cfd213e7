# SPDX-License-Identifier: Apache-2.0
# The exporter and its companion: build, generate, test, and the proofs.

VERSION_PKG := github.com/prometheus/common/version
VERSION := $(shell cat VERSION)
REVISION := $(shell git rev-parse --short HEAD 2>/dev/null || echo unknown)
LDFLAGS := -s -w -X $(VERSION_PKG).Version=$(VERSION) -X $(VERSION_PKG).Revision=$(REVISION) \
	-X $(VERSION_PKG).Branch=main

FUZZ ?= 10s

.PHONY: setup test-setup build generate check-generated test-go fuzz

setup: ## make sure that there is a Go
	@tools/go.sh

test-setup: setup ## install what the tests need
	tools/apt.sh clang llvm libbpf-dev linux-libc-dev iproute2 nftables openjdk-17-jdk-headless curl git

build: setup ## compile nstar_exporter, nstartool and the load generator into bin/
	CGO_ENABLED=0 go build -trimpath -ldflags '$(LDFLAGS)' -o bin/ ./exporters/nstar/nstar_exporter \
		./exporters/nstartool
	CGO_ENABLED=0 go build -trimpath -o bin/nstar_load ./deploy/demo/load

generate: setup ## compile the BPF objects again (needs clang, llvm and libbpf-dev)
	go generate ./exporters/nstar/bpf/...

# The committed objects must be what the sources give.
check-generated: generate
	git diff --exit-code --stat -- exporters/nstar/bpf

test-go: setup ## vet and test all Go code, with the race detector; tests that need BPF run as root
	go vet ./...
	go test -race -v ./...
	go test -v -run Recordings ./exporters/proof/verdicts # too slow with the race detector
	cd tools/prometheus && go test -count=1 -v ./... # it reads files outside its module, which Go would not notice
	cd exporters/proof/protocols/ferretdb && go vet ./...
	cd exporters/proof/protocols/brokers && go vet ./...
	cd deploy/mesh && go vet ./... && go test -race -v ./...
	cd deploy/stream && go vet ./... && go test -race -v ./...

fuzz: setup ## run every fuzz target for a while (FUZZ=10s each)
	exporters/nstar/fuzz.sh $(FUZZ)
