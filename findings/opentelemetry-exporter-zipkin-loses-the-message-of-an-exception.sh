#!/usr/bin/env bash
# A span with an exception, sent to a server of this script by @opentelemetry/exporter-zipkin 2.12.1 and by
# go.opentelemetry.io/otel/exporters/zipkin 1.38.0.
# Guess: both send the type and the message of the exception. The specification of OpenTelemetry writes the attributes
# of an event into its annotation.
# Seen:  Go sends both. JavaScript sends the word "exception" only.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund @opentelemetry/api@1.9.0 @opentelemetry/exporter-zipkin@2.12.1 \
  @opentelemetry/sdk-trace-base@2.12.1 >/dev/null 2>&1
cat >send.js <<'JS'
const { createServer } = require('node:http');
const { execFile } = require('node:child_process');
const { ZipkinExporter } = require('@opentelemetry/exporter-zipkin');
const { BasicTracerProvider, SimpleSpanProcessor } = require('@opentelemetry/sdk-trace-base');
let sender = 'js';
const server = createServer(async (request, response) => {
  let body = '';
  for await (const part of request) body += part;
  const [{ annotations }] = JSON.parse(body);
  console.log(`${sender}: ${annotations.map(annotation => annotation.value).join(', ')}`);
  response.writeHead(202).end();
});
server.listen(0, '127.0.0.1', async () => {
  const url = `http://127.0.0.1:${server.address().port}/api/v2/spans`;
  const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(new ZipkinExporter({ url }))] });
  const span = provider.getTracer('finding').startSpan('drain');
  span.recordException({ name: 'TimeoutError', message: 'no answer' });
  span.end();
  await provider.forceFlush();
  sender = 'go';
  execFile('./send', [url], error => {
    if (error) console.log(error.message);
    server.closeAllConnections();
    server.close();
  });
});
JS
cat >main.go <<'GO'
package main

import (
	"context"
	"os"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/exporters/zipkin"
	sdk "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"
)

func main() {
	exporter, err := zipkin.New(os.Args[1])
	if err != nil {
		panic(err)
	}
	provider := sdk.NewTracerProvider(sdk.WithSyncer(exporter))
	_, span := provider.Tracer("finding").Start(context.Background(), "drain")
	span.AddEvent("exception", trace.WithAttributes(
		attribute.String("exception.type", "TimeoutError"), attribute.String("exception.message", "no answer")))
	span.End()
	if err := provider.Shutdown(context.Background()); err != nil {
		panic(err)
	}
}
GO
go mod init finding >/dev/null 2>&1
go get go.opentelemetry.io/otel/exporters/zipkin@v1.38.0 go.opentelemetry.io/otel/sdk@v1.38.0 >/dev/null 2>&1
go build -mod=mod -o send . 2>/dev/null
timeout 30 node send.js | tee seen
diff seen - <<'OUT'
js: exception
go: exception: {"exception.message":"no answer","exception.type":"TimeoutError"}
OUT
