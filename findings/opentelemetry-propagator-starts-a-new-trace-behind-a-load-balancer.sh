#!/usr/bin/env bash
# The trace header of AWS without a decision on sampling, which is optional there, read by
# @opentelemetry/propagator-aws-xray 2.2.0 and by go.opentelemetry.io/contrib/propagators/aws 1.47.0.
# Guess: both continue the trace of the header.
# Seen:  Go continues it. JavaScript drops the header, so what follows belongs to a new trace.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund \
  @opentelemetry/api@1.9.0 @opentelemetry/propagator-aws-xray@2.2.0 >/dev/null 2>&1
cat >read.js <<'JS'
const { ROOT_CONTEXT, defaultTextMapGetter, trace } = require('@opentelemetry/api');
const { AWSXRayPropagator } = require('@opentelemetry/propagator-aws-xray');
for (const header of process.argv.slice(2)) {
  const carrier = { 'x-amzn-trace-id': header };
  const context = new AWSXRayPropagator().extract(ROOT_CONTEXT, carrier, defaultTextMapGetter);
  console.log(`js: ${trace.getSpanContext(context)?.traceId}`);
}
JS
cat >main.go <<'GO'
package main

import (
	"context"
	"fmt"
	"os"

	"go.opentelemetry.io/contrib/propagators/aws/xray"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/trace"
)

func main() {
	for _, header := range os.Args[1:] {
		carrier := propagation.MapCarrier{"X-Amzn-Trace-Id": header}
		read := xray.Propagator{}.Extract(context.Background(), carrier)
		fmt.Printf("go: %s\n", trace.SpanContextFromContext(read).TraceID())
	}
}
GO
go mod init finding >/dev/null 2>&1
go get go.opentelemetry.io/contrib/propagators/aws@v1.47.0 >/dev/null 2>&1
root='Root=1-5759e988-bd862e3fe1be46a994272793;Parent=53995c3f42cd8ad8'
for header in "$root;Sampled=1" "$root"; do
  echo "$header"
  node read.js "$header"
  go run -mod=mod . "$header" 2>/dev/null
done | tee seen
diff seen - <<'OUT'
Root=1-5759e988-bd862e3fe1be46a994272793;Parent=53995c3f42cd8ad8;Sampled=1
js: 5759e988bd862e3fe1be46a994272793
go: 5759e988bd862e3fe1be46a994272793
Root=1-5759e988-bd862e3fe1be46a994272793;Parent=53995c3f42cd8ad8
js: undefined
go: 5759e988bd862e3fe1be46a994272793
OUT
