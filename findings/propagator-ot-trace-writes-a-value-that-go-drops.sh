#!/usr/bin/env bash
# Two values that travel with a trace, written by @opentelemetry/propagator-ot-trace 0.29.0 and read by
# go.opentelemetry.io/contrib/propagators/ot 1.47.0.
# Guess: the same two values.
# Seen:  a value with a space is written as it is. The reader expects it encoded, and drops it.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
packages=(@opentelemetry/api@1.9.0 @opentelemetry/propagator-ot-trace@0.29.0)
npm install --silent --no-audit --no-fund "${packages[@]}" >/dev/null 2>&1
cat >write.js <<'JS'
const { ROOT_CONTEXT, defaultTextMapSetter, propagation, trace } = require('@opentelemetry/api');
const { OTTracePropagator } = require('@opentelemetry/propagator-ot-trace');
const propagator = new OTTracePropagator();
const span = { traceId: '0af7651916cd43dd8448eb211c80319c', spanId: '00f067aa0ba902b7', traceFlags: 1 };
const baggage = propagation.createBaggage({ team: { value: 'shop' }, step: { value: 'canary 10' } });
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

	"go.opentelemetry.io/contrib/propagators/ot"
	"go.opentelemetry.io/otel/baggage"
	"go.opentelemetry.io/otel/propagation"
)

func main() {
	headers := propagation.MapCarrier{}
	if err := json.NewDecoder(os.Stdin).Decode(&headers); err != nil {
		panic(err)
	}
	read := baggage.FromContext(ot.OT{}.Extract(context.Background(), headers))
	for _, name := range []string{"team", "step"} {
		fmt.Printf("read: %s = %q\n", name, read.Member(name).Value())
	}
}
GO
go mod init finding >/dev/null 2>&1
go get go.opentelemetry.io/contrib/propagators/ot@v1.47.0 go.opentelemetry.io/otel@v1.47.0 >/dev/null 2>&1
node write.js >headers
go run -mod=mod . <headers 2>/dev/null >read
cat headers read | tee seen
diff seen - <<'OUT'
{
  "ot-tracer-traceid": "8448eb211c80319c",
  "ot-tracer-spanid": "00f067aa0ba902b7",
  "ot-tracer-sampled": "true",
  "ot-baggage-team": "shop",
  "ot-baggage-step": "canary 10"
}
read: team = "shop"
read: step = ""
OUT
