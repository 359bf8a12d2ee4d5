#!/usr/bin/env bash
# The files of a ConfigMap, written by `std.manifestYamlDoc` of github.com/google/go-jsonnet 0.22.0 and read by
# sigs.k8s.io/yaml 1.6.0, which kubectl uses.
# Guess: the same texts.
# Seen:  of several line ends at the end of a text one is left, and of a text that is a line end nothing. The writer
#        takes the form of YAML that keeps one line end.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
cat >main.go <<'GO'
package main

import (
	"fmt"

	"github.com/google/go-jsonnet"
	"sigs.k8s.io/yaml"
)

func main() {
	machine := jsonnet.MakeVM()
	machine.StringOutput = true
	for _, text := range []string{`a\n`, `a\n\n`, `\n`} {
		written, err := machine.EvaluateAnonymousSnippet("map", `std.manifestYamlDoc({ file: "`+text+`" })`)
		if err != nil {
			panic(err)
		}
		var read map[string]string
		if err := yaml.Unmarshal([]byte(written), &read); err != nil {
			panic(err)
		}
		fmt.Printf("%s written %q, read %q\n", text, written, read["file"])
	}
}
GO
go mod init finding >/dev/null 2>&1
go get github.com/google/go-jsonnet@v0.22.0 sigs.k8s.io/yaml@v1.6.0 >/dev/null 2>&1
go run -mod=mod . | tee seen
diff seen - <<'OUT'
a\n written "\"file\": |\n  a\n", read "a\n"
a\n\n written "\"file\": |\n  a\n  \n", read "a\n"
\n written "\"file\": |\n  \n", read ""
OUT
