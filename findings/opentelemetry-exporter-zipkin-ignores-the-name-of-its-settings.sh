#!/usr/bin/env bash
# A span of a service that has its name in the settings of @opentelemetry/exporter-zipkin 2.12.1, sent to a server of this
# script. The description asks the resource for a name only where the settings have none.
# Guess: the name of the settings.
# Seen:  the default name of the resource, "unknown_service:node". The tracer sets it by itself, so the name of the
#        settings is not used.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund @opentelemetry/api@1.9.0 @opentelemetry/exporter-zipkin@2.12.1 \
  @opentelemetry/sdk-trace-base@2.12.1 >/dev/null 2>&1
cat >send.js <<'JS'
const { createServer } = require('node:http');
const { ZipkinExporter } = require('@opentelemetry/exporter-zipkin');
const { BasicTracerProvider, SimpleSpanProcessor } = require('@opentelemetry/sdk-trace-base');
const server = createServer(async (request, response) => {
  let body = '';
  for await (const part of request) body += part;
  console.log(`received: ${JSON.parse(body)[0].localEndpoint.serviceName}`);
  response.writeHead(202).end();
});
server.listen(0, '127.0.0.1', async () => {
  const url = `http://127.0.0.1:${server.address().port}/api/v2/spans`;
  const exporter = new ZipkinExporter({ url, serviceName: 'shop' });
  const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
  provider.getTracer('finding').startSpan('drain').end();
  await provider.forceFlush();
  server.closeAllConnections();
  server.close();
});
JS
timeout 30 node send.js | tee seen
diff seen - <<'OUT'
received: unknown_service:node
OUT
