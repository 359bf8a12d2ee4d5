#!/usr/bin/env bash
# A trace for debugging in several headers, passed on in one by @opentelemetry/propagator-b3 2.12.0 and by
# go.opentelemetry.io/contrib/propagators/b3 1.47.0.
# Guess: the state d, by which the description marks debugging in one header.
# Seen:  the package for Node writes 1, so the services behind it take the trace for one like any other. The one for
#        Go writes d. What came in one header keeps its d in both.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund @opentelemetry/api@1.9.0 @opentelemetry/propagator-b3@2.12.0 >/dev/null 2>&1
cat >pass.js <<'JS'
const { ROOT_CONTEXT, defaultTextMapGetter, defaultTextMapSetter } = require('@opentelemetry/api');
const { B3Propagator } = require('@opentelemetry/propagator-b3');
const propagator = new B3Propagator();
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

	"go.opentelemetry.io/contrib/propagators/b3"
	"go.opentelemetry.io/otel/propagation"
)

func main() {
	headers := propagation.MapCarrier{}
	if err := json.Unmarshal([]byte(os.Args[1]), &headers); err != nil {
		panic(err)
	}
	propagator := b3.New()
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
go get go.opentelemetry.io/contrib/propagators/b3@v1.47.0 go.opentelemetry.io/otel@v1.47.0 >/dev/null 2>&1
for headers in '{"x-b3-traceid":"0af7651916cd43dd8448eb211c80319c","x-b3-spanid":"00f067aa0ba902b7","x-b3-flags":"1"}' \
  '{"b3":"0af7651916cd43dd8448eb211c80319c-00f067aa0ba902b7-d"}'; do
  echo "from: $headers"
  node pass.js "$headers"
  go run -mod=mod . "$headers"
done | tee seen
diff seen - <<'OUT'
from: {"x-b3-traceid":"0af7651916cd43dd8448eb211c80319c","x-b3-spanid":"00f067aa0ba902b7","x-b3-flags":"1"}
node: {"b3":"0af7651916cd43dd8448eb211c80319c-00f067aa0ba902b7-1"}
go:   {"b3":"0af7651916cd43dd8448eb211c80319c-00f067aa0ba902b7-d"}
from: {"b3":"0af7651916cd43dd8448eb211c80319c-00f067aa0ba902b7-d"}
node: {"b3":"0af7651916cd43dd8448eb211c80319c-00f067aa0ba902b7-d"}
go:   {"b3":"0af7651916cd43dd8448eb211c80319c-00f067aa0ba902b7-d"}
OUT
