#!/usr/bin/env bash
# A line with a label selector, written by github.com/hashicorp/go-hclog 1.6.3 and read by
# github.com/go-logfmt/logfmt 0.6.1.
# Guess: all fields, since the writer puts quotes around a value with a space.
# Seen:  the writer puts no quotes around a value with an equals sign. The reader ends with an error at that sign, and
#        the fields behind it are lost.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
cat >main.go <<'GO'
package main

import (
	"bytes"
	"fmt"

	"github.com/go-logfmt/logfmt"
	"github.com/hashicorp/go-hclog"
)

func main() {
	for _, selector := range []string{"app in (web)", "app=web"} {
		var line bytes.Buffer
		logger := hclog.New(&hclog.LoggerOptions{Output: &line, DisableTime: true})
		logger.Info("list", "namespace", "shop", "selector", selector, "pods", 3)
		fmt.Print(line.String())
		decoder := logfmt.NewDecoder(&line)
		for decoder.ScanRecord() {
			for decoder.ScanKeyval() {
				fmt.Printf("  %s: %q\n", decoder.Key(), decoder.Value())
			}
		}
		fmt.Printf("  error: %v\n", decoder.Err())
	}
}
GO
go mod init finding >/dev/null 2>&1
go get github.com/hashicorp/go-hclog@v1.6.3 github.com/go-logfmt/logfmt@v0.6.1 >/dev/null 2>&1
go run -mod=mod . | tee seen
diff seen - <<'OUT'
[INFO]  list: namespace=shop selector="app in (web)" pods=3
  [INFO]: ""
  list:: ""
  namespace: "shop"
  selector: "app in (web)"
  pods: "3"
  error: <nil>
[INFO]  list: namespace=shop selector=app=web pods=3
  [INFO]: ""
  list:: ""
  namespace: "shop"
  error: logfmt syntax error at pos 42 on line 1: unexpected '='
OUT
