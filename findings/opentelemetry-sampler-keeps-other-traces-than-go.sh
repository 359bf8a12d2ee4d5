#!/usr/bin/env bash
# Eight traces, sampled at a ratio of one half by @opentelemetry/sdk-trace-base 2.12.1 and by go.opentelemetry.io/otel/sdk 1.47.0.
# Guess: both keep the same traces, since each decides by the id of the trace alone.
# Seen:  JavaScript folds the whole id into one number, and Go reads the last half of it. They differ on two of eight
#        traces, so what two services keep of a trace is not the same part.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund @opentelemetry/api@1.9.0 @opentelemetry/sdk-trace-base@2.12.1 >/dev/null 2>&1
cat >sample.js <<'JS'
const { ROOT_CONTEXT } = require('@opentelemetry/api');
const { SamplingDecision, TraceIdRatioBasedSampler } = require('@opentelemetry/sdk-trace-base');
const sampler = new TraceIdRatioBasedSampler(0.5);
for (const id of process.argv.slice(2)) {
  const { decision } = sampler.shouldSample(ROOT_CONTEXT, id);
  console.log(`${id} js=${decision === SamplingDecision.RECORD_AND_SAMPLED}`);
}
JS
cat >main.go <<'GO'
package main

import (
	"context"
	"fmt"
	"os"

	sdk "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"
)

func main() {
	sampler := sdk.TraceIDRatioBased(0.5)
	for _, text := range os.Args[1:] {
		id, err := trace.TraceIDFromHex(text)
		if err != nil {
			panic(err)
		}
		result := sampler.ShouldSample(sdk.SamplingParameters{ParentContext: context.Background(), TraceID: id})
		fmt.Printf("go=%t\n", result.Decision == sdk.RecordAndSample)
	}
}
GO
go mod init finding >/dev/null 2>&1
go get go.opentelemetry.io/otel/sdk@v1.47.0 >/dev/null 2>&1
mapfile -t ids < <(for number in 1 2 3 4 5 6 7 8; do printf 'rollout %s' "$number" | sha256sum | cut -c1-32; done)
node sample.js "${ids[@]}" >js
go run -mod=mod . "${ids[@]}" >go 2>/dev/null
paste -d ' ' js go | tee seen
diff seen - <<'OUT'
a561abe2a0a5ff85f965b9c655757ad6 js=false go=false
3c7ce72f85e39a92dfad304a84ce2e45 js=false go=false
116364f8174c8f5986736ed96414723e js=false go=false
b64a002a648b6cce6abac3e0b6865f9f js=true go=true
7b1818325dc15644305c55c3f32d0531 js=false go=true
05ae81419e42d0283eeedb35c9941d46 js=true go=true
febbd850970acca997babb134ad817ba js=false go=false
c5ebbb34c52f875e39e3e714fd1df164 js=false go=true
OUT
