#!/usr/bin/env bash
# Two patterns of a check, written by github.com/inconshreveable/log15 2.16.0 and read by
# github.com/go-logfmt/logfmt 0.6.1.
# Guess: the reader returns what was logged.
# Seen:  a value without a space is written without quotes and yet with each backslash twice, so the reader returns
#        another pattern. With a space, in quotes, the pattern is right.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
cat >main.go <<'GO'
package main

import (
	"bytes"
	"fmt"

	"github.com/go-logfmt/logfmt"
	"github.com/inconshreveable/log15"
)

func main() {
	var line bytes.Buffer
	logger := log15.New()
	logger.SetHandler(log15.StreamHandler(&line, log15.LogfmtFormat()))
	logger.Info("check", "pattern", `web-\d`, "other", `web-\d or db`)
	reader := logfmt.NewDecoder(&line)
	for reader.ScanRecord() {
		for reader.ScanKeyval() {
			if key := string(reader.Key()); key == "pattern" || key == "other" {
				fmt.Printf("%s: %s\n", key, reader.Value())
			}
		}
	}
	if reader.Err() != nil {
		panic(reader.Err())
	}
}
GO
go mod init finding >/dev/null 2>&1
go get github.com/inconshreveable/log15@v2.16.0+incompatible github.com/go-logfmt/logfmt@v0.6.1 >/dev/null 2>&1
go run -mod=mod . | tee seen
diff seen - <<'OUT'
pattern: web-\\d
other: web-\d or db
OUT
