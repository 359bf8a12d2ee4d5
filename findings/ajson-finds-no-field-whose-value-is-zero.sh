#!/usr/bin/env bash
# The Deployments that have a field `replicas`, by a filter on the field alone (github.com/spyzhov/ajson 0.9.6, and
# for comparison github.com/theory/jsonpath 0.12.3, which follows RFC 9535, and the JSONPath of
# kubectl in k8s.io/client-go 0.36.3).
# Guess: those that have the field, whatever its value.
# Seen:  ajson leaves out the one that was scaled to zero, without an error. The others find it.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
cat >main.go <<'GO'
package main

import (
	"encoding/json"
	"fmt"
	"os"

	"github.com/spyzhov/ajson"
	theory "github.com/theory/jsonpath"
	"k8s.io/client-go/util/jsonpath"
)

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

func main() {
	text := []byte(`{"items":[{"name":"web","replicas":2},{"name":"db","replicas":0},{"name":"job"}]}`)
	fmt.Println("ajson:  ", must(ajson.JSONPath(text, `$.items[?(@.replicas)].name`)))
	var document any
	if err := json.Unmarshal(text, &document); err != nil {
		panic(err)
	}
	fmt.Println("theory: ", must(theory.Parse(`$.items[?(@.replicas)].name`)).Select(document))
	kubectl := jsonpath.New("names")
	if err := kubectl.Parse(`kubectl: [{.items[?(@.replicas)].name}]`); err != nil {
		panic(err)
	}
	if err := kubectl.Execute(os.Stdout, document); err != nil {
		panic(err)
	}
	fmt.Println()
}
GO
go mod init finding >/dev/null 2>&1
go get github.com/spyzhov/ajson@v0.9.6 github.com/theory/jsonpath@v0.12.3 k8s.io/client-go@v0.36.3 >/dev/null 2>&1
go run -mod=mod . | tee seen
diff seen - <<'OUT'
ajson:   ["web"]
theory:  [web db]
kubectl: [web db]
OUT
