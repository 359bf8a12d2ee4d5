#!/usr/bin/env bash
# A span with two events under OTEL_SPAN_EVENT_COUNT_LIMIT, recorded by go.opentelemetry.io/otel/sdk 1.47.0 and by
# @opentelemetry/sdk-trace-base 2.12.1.
# Guess: both drop what is above the limit and count it.
# Seen:  with a limit of one both count one dropped event. With a limit of zero both drop two, and Go counts none, so a
#        reader of its spans sees a span that never had an event.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund @opentelemetry/api@1.9.0 @opentelemetry/sdk-trace-base@2.12.1 >/dev/null 2>&1
cat >record.js <<'JS'
const { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } = require('@opentelemetry/sdk-trace-base');
const exporter = new InMemorySpanExporter();
const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
const span = provider.getTracer('finding').startSpan('drain');
span.addEvent('evict');
span.addEvent('evicted');
span.end();
const [{ droppedEventsCount, events }] = exporter.getFinishedSpans();
console.log(`js: events ${events.length}, dropped ${droppedEventsCount}`);
JS
cat >main.go <<'GO'
package main

import (
	"context"
	"fmt"

	sdk "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"
)

func main() {
	exporter := tracetest.NewInMemoryExporter()
	provider := sdk.NewTracerProvider(sdk.WithSyncer(exporter))
	_, span := provider.Tracer("finding").Start(context.Background(), "drain")
	span.AddEvent("evict")
	span.AddEvent("evicted")
	span.End()
	recorded := exporter.GetSpans()[0]
	fmt.Printf("go: events %d, dropped %d\n", len(recorded.Events), recorded.DroppedEvents)
}
GO
go mod init finding >/dev/null 2>&1
go get go.opentelemetry.io/otel/sdk@v1.47.0 >/dev/null 2>&1
go build -mod=mod -o record . 2>/dev/null
for limit in 1 0; do
  export OTEL_SPAN_EVENT_COUNT_LIMIT=$limit
  echo "limit $limit"
  node record.js
  ./record
done | tee seen
diff seen - <<'OUT'
limit 1
js: events 1, dropped 1
go: events 1, dropped 1
limit 0
js: events 0, dropped 2
go: events 0, dropped 0
OUT
