#!/usr/bin/env bash
# The tag of an answer of HTTP, which has quotes, in a line of debug-logfmt 1.4.15, read by a parser in Go
# (github.com/go-logfmt/logfmt 0.6.1), between other lines.
# Guess: three values. debug-logfmt puts a text with a space into quotes and escapes the quotes in it.
# Seen:  without a space the text stands with escaped quotes but without quotes around it, so the parser fails there
#        and reads no further line.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund debug-logfmt@1.4.15 >/dev/null 2>&1
cat >write.js <<'JS'
const debug = require('debug-logfmt')('web');
debug.info({ etag: 'a' });
debug.info({ etag: '"b c"' });
debug.info({ etag: '"d"' });
debug.info({ etag: 'e' });
JS
cat >main.go <<'GO'
package main

import (
	"fmt"
	"os"

	"github.com/go-logfmt/logfmt"
)

func main() {
	decoder := logfmt.NewDecoder(os.Stdin)
	for decoder.ScanRecord() {
		for decoder.ScanKeyval() {
			if string(decoder.Key()) == "etag" {
				fmt.Printf("etag: %s\n", decoder.Value())
			}
		}
	}
	fmt.Println("error:", decoder.Err())
}
GO
go mod init finding >/dev/null 2>&1
go get github.com/go-logfmt/logfmt@v0.6.1 >/dev/null 2>&1
DEBUG='*' DEBUG_TIMESTAMP=false DEBUG_COLORS=false node write.js 2>written
go run -mod=mod . <written >read
cat written read | tee seen
diff seen - <<'OUT'
web:info etag=a
web:info etag="\"b c\""
web:info etag=\"d\"
web:info etag=e
etag: a
etag: "b c"
error: logfmt syntax error at pos 16 on line 3: unexpected '"'
OUT
