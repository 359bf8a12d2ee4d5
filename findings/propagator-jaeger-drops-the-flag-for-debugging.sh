#!/usr/bin/env bash
# A trace for debugging, in the header of Jaeger, passed on by @opentelemetry/propagator-jaeger 2.12.0 and by
# go.opentelemetry.io/contrib/propagators/jaeger 1.47.0.
# Guess: the flags stay 3, which is sampled and for debugging.
# Seen:  the package for Node writes 01, so the services behind it take the trace for one like any other. The one for
#        Go writes 3.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
packages=(@opentelemetry/api@1.9.0 @opentelemetry/propagator-jaeger@2.12.0)
npm install --silent --no-audit --no-fund "${packages[@]}" >/dev/null 2>&1
cat >pass.js <<'JS'
const { ROOT_CONTEXT, defaultTextMapGetter, defaultTextMapSetter } = require('@opentelemetry/api');
const { JaegerPropagator } = require('@opentelemetry/propagator-jaeger');
const propagator = new JaegerPropagator();
const headers = JSON.parse(process.argv[2]);
const next = {};
propagator.inject(propagator.extract(ROOT_CONTEXT, headers, defaultTextMapGetter), next, defaultTextMapSetter);
console.log('node:', JSON.stringify(next));
JS
cat >main.go <<'GO'
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"

	"go.opentelemetry.io/contrib/propagators/jaeger"
	"go.opentelemetry.io/otel/propagation"
)

func main() {
	headers := propagation.MapCarrier{}
	if err := json.Unmarshal([]byte(os.Args[1]), &headers); err != nil {
		panic(err)
	}
	propagator := jaeger.Jaeger{}
	next := propagation.MapCarrier{}
	propagator.Inject(propagator.Extract(context.Background(), headers), next)
	text, err := json.Marshal(next)
	if err != nil {
		panic(err)
	}
	fmt.Println("go:  ", string(text))
}
GO
go mod init finding >/dev/null 2>&1
go get go.opentelemetry.io/contrib/propagators/jaeger@v1.47.0 go.opentelemetry.io/otel@v1.47.0 >/dev/null 2>&1
for headers in '{"uber-trace-id":"0af7651916cd43dd8448eb211c80319c:00f067aa0ba902b7:0:3"}'; do
  echo "from: $headers"
  node pass.js "$headers"
  go run -mod=mod . "$headers"
done | tee seen
diff seen - <<'OUT'
from: {"uber-trace-id":"0af7651916cd43dd8448eb211c80319c:00f067aa0ba902b7:0:3"}
node: {"uber-trace-id":"0af7651916cd43dd8448eb211c80319c:00f067aa0ba902b7:0:01"}
go:   {"uber-trace-id":"0af7651916cd43dd8448eb211c80319c:00f067aa0ba902b7:0:3"}
OUT
