#!/usr/bin/env bash
# An attribute under OTEL_SPAN_ATTRIBUTE_VALUE_LENGTH_LIMIT, recorded by @opentelemetry/sdk-trace-base 2.12.1 and by
# go.opentelemetry.io/otel/sdk 1.47.0.
# Guess: both cut the value to the limit. Zero is a limit too, as for the other limits.
# Seen:  Go leaves an empty value with a limit of zero. JavaScript ignores that limit and keeps the whole value.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund @opentelemetry/api@1.9.0 @opentelemetry/sdk-trace-base@2.12.1 >/dev/null 2>&1
cat >record.js <<'JS'
const { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } = require('@opentelemetry/sdk-trace-base');
const exporter = new InMemorySpanExporter();
const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
provider.getTracer('finding').startSpan('drain', { attributes: { node: 'node-12' } }).end();
console.log(`js: "${exporter.getFinishedSpans()[0].attributes.node}"`);
JS
cat >main.go <<'GO'
package main

import (
	"context"
	"fmt"

	"go.opentelemetry.io/otel/attribute"
	sdk "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"
	"go.opentelemetry.io/otel/trace"
)

func main() {
	exporter := tracetest.NewInMemoryExporter()
	provider := sdk.NewTracerProvider(sdk.WithSyncer(exporter))
	attributes := trace.WithAttributes(attribute.String("node", "node-12"))
	_, span := provider.Tracer("finding").Start(context.Background(), "drain", attributes)
	span.End()
	fmt.Printf("go: %q\n", exporter.GetSpans()[0].Attributes[0].Value.AsString())
}
GO
go mod init finding >/dev/null 2>&1
go get go.opentelemetry.io/otel/sdk@v1.47.0 >/dev/null 2>&1
go build -mod=mod -o record . 2>/dev/null
for limit in 4 1 0; do
  export OTEL_SPAN_ATTRIBUTE_VALUE_LENGTH_LIMIT=$limit
  echo "limit $limit"
  node record.js
  ./record
done | tee seen
diff seen - <<'OUT'
limit 4
js: "node"
go: "node"
limit 1
js: "n"
go: "n"
limit 0
js: "node-12"
go: ""
OUT
