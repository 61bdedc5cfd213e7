module github.com/nstar-project/nstar/tools/jsonnet

go 1.26.8

require (
	github.com/google/go-jsonnet v0.22.0
	sigs.k8s.io/yaml v1.4.0
)

require (
	golang.org/x/crypto v0.45.0 // indirect
	golang.org/x/sys v0.38.0 // indirect
)
