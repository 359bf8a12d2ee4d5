#!/usr/bin/env bash
# Labels of a pod that travel as baggage, written by @opentelemetry/core 2.12.1 and read by
# go.opentelemetry.io/otel/baggage 1.47.0.
# Guess: the same names.
# Seen:  the writer encodes the slash of a name, and the reader decodes values only, so there the
#        label has another name.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund @opentelemetry/api@1.9.0 @opentelemetry/core@2.12.1 >/dev/null 2>&1
cat >write.js <<'JS'
const { ROOT_CONTEXT, defaultTextMapSetter, propagation, trace } = require('@opentelemetry/api');
const { W3CBaggagePropagator } = require('@opentelemetry/core');
const propagator = new W3CBaggagePropagator();
const span = { traceId: '0af7651916cd43dd8448eb211c80319c', spanId: '00f067aa0ba902b7', traceFlags: 1 };
const baggage = propagation.createBaggage({ team: { value: 'a/b' }, 'app.kubernetes.io/name': { value: 'web' } });
const headers = {};
const context = propagation.setBaggage(trace.setSpanContext(ROOT_CONTEXT, span), baggage);
propagator.inject(context, headers, defaultTextMapSetter);
console.log(JSON.stringify(headers, undefined, 2));
JS
cat >main.go <<'GO'
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"

	"go.opentelemetry.io/otel/baggage"
	"go.opentelemetry.io/otel/propagation"
)

func main() {
	headers := propagation.MapCarrier{}
	if err := json.NewDecoder(os.Stdin).Decode(&headers); err != nil {
		panic(err)
	}
	read := baggage.FromContext(propagation.Baggage{}.Extract(context.Background(), headers))
	for _, name := range []string{"team", "app.kubernetes.io/name", "app.kubernetes.io%2Fname"} {
		fmt.Printf("read: %s = %q\n", name, read.Member(name).Value())
	}
}
GO
go mod init finding >/dev/null 2>&1
go get go.opentelemetry.io/otel@v1.47.0 >/dev/null 2>&1
node write.js >headers
go run -mod=mod . <headers 2>/dev/null >read
cat headers read | tee seen
diff seen - <<'OUT'
{
  "baggage": "team=a%2Fb,app.kubernetes.io%2Fname=web"
}
read: team = "a/b"
read: app.kubernetes.io/name = ""
read: app.kubernetes.io%2Fname = "web"
OUT
