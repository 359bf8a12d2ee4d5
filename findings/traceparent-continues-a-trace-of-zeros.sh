#!/usr/bin/env bash
# Two headers of W3C Trace Context, continued by traceparent 1.0.0, one with an identifier of zeros, and read by the
# propagator of OpenTelemetry in Go (go.opentelemetry.io/otel 1.38.0).
# Guess: the package starts a new trace for the zeros, as the specification calls them invalid and as it does for
#        other invalid headers.
# Seen:  it continues the trace of zeros, so the next service ignores the header and its part of the trace is lost.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund traceparent@1.0.0 >/dev/null 2>&1
cat >continue.js <<'JS'
const TraceParent = require('traceparent');
for (const digit of ['a', '0']) {
  const header = `00-${digit.repeat(32)}-00000000000000ff-01`;
  console.log(String(TraceParent.startOrResume(header, { transactionSampleRate: 1 })));
}
JS
cat >main.go <<'GO'
package main

import (
	"bufio"
	"context"
	"fmt"
	"os"

	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/trace"
)

func main() {
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		carrier := propagation.MapCarrier{"traceparent": lines.Text()}
		read := propagation.TraceContext{}.Extract(context.Background(), carrier)
		fmt.Println("valid:", trace.SpanContextFromContext(read).IsValid())
	}
}
GO
go mod init finding >/dev/null 2>&1
go get go.opentelemetry.io/otel@v1.38.0 go.opentelemetry.io/otel/trace@v1.38.0 >/dev/null 2>&1
node continue.js >written
go run -mod=mod . <written >read
{ cut -d- -f1,2 written; cat read; } | tee seen
diff seen - <<'OUT'
00-aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa
00-00000000000000000000000000000000
valid: true
valid: false
OUT
