#!/usr/bin/env bash
# A call outside of all traces, by the propagator of github.com/GoogleCloudPlatform/opentelemetry-operations-go 0.62.0
# and by that of W3C (go.opentelemetry.io/otel/propagation 1.47.0).
# Guess: no header, as nothing is to be passed on.
# Seen:  a header with a trace of zeros and a decision against recording. The propagator of W3C writes none.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
cat >main.go <<'GO'
package main

import (
	"context"
	"fmt"

	google "github.com/GoogleCloudPlatform/opentelemetry-operations-go/propagator"
	"go.opentelemetry.io/otel/propagation"
)

func main() {
	for name, propagator := range map[string]propagation.TextMapPropagator{
		"google": google.CloudTraceFormatPropagator{},
		"w3c":    propagation.TraceContext{},
	} {
		headers := propagation.MapCarrier{}
		propagator.Inject(context.Background(), headers)
		fmt.Println(name, headers)
	}
}
GO
go mod init finding >/dev/null 2>&1
go get github.com/GoogleCloudPlatform/opentelemetry-operations-go/propagator@v0.62.0 >/dev/null 2>&1
go get go.opentelemetry.io/otel@v1.47.0 >/dev/null 2>&1
go run -mod=mod . | sort | tee seen
diff seen - <<'OUT'
google map[x-cloud-trace-context:00000000000000000000000000000000/0;o=0]
w3c map[]
OUT
