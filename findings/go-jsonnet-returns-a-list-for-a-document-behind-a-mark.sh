#!/usr/bin/env bash
# Manifests as Helm writes them, with a mark in front of each, read by `std.parseYaml` of
# github.com/google/go-jsonnet 0.22.0.
# Guess: one manifest is an object, whether a mark stands in front of it or not. A mark at the end adds nothing.
# Seen:  with the mark one manifest is a list, so the same code fails or not by a line that means nothing. A mark at
#        the end adds a null.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
cat >main.go <<'GO'
package main

import (
	"fmt"

	"github.com/google/go-jsonnet"
)

func main() {
	machine := jsonnet.MakeVM()
	machine.StringOutput = true
	for _, text := range []string{"kind: Pod\n", "---\nkind: Pod\n", "kind: Pod\n---\n"} {
		machine.ExtVar("text", text)
		read, err := machine.EvaluateAnonymousSnippet("read", `std.manifestJsonMinified(std.parseYaml(std.extVar('text')))`)
		if err != nil {
			panic(err)
		}
		fmt.Printf("%q: %s", text, read)
	}
}
GO
go mod init finding >/dev/null 2>&1
go get github.com/google/go-jsonnet@v0.22.0 >/dev/null 2>&1
go run -mod=mod . | tee seen
diff seen - <<'OUT'
"kind: Pod\n": {"kind":"Pod"}
"---\nkind: Pod\n": [{"kind":"Pod"}]
"kind: Pod\n---\n": [{"kind":"Pod"},null]
OUT
