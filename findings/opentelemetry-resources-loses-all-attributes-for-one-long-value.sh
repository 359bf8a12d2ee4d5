#!/usr/bin/env bash
# OTEL_RESOURCE_ATTRIBUTES of a pod with an annotation of 256 characters, read by @opentelemetry/resources 2.12.1
# and by go.opentelemetry.io/otel/sdk 1.47.0.
# Guess: the same attributes. The specification of OpenTelemetry sets no limit by default.
# Seen:  Go reads all three. JavaScript reads none, so the name of the pod is lost together with the long value.
#        With 255 characters both read all.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund @opentelemetry/api@1.9.0 @opentelemetry/resources@2.12.1 >/dev/null 2>&1
cat >read.js <<'JS'
const { envDetector } = require('@opentelemetry/resources');
const names = Object.keys(envDetector.detect().attributes).sort();
console.log(`js: [${names.join(' ')}]`);
JS
cat >main.go <<'GO'
package main

import (
	"context"
	"fmt"

	"go.opentelemetry.io/otel/sdk/resource"
)

func main() {
	read, err := resource.New(context.Background(), resource.WithFromEnv())
	if err != nil {
		panic(err)
	}
	names := []string{}
	for _, attribute := range read.Attributes() {
		names = append(names, string(attribute.Key))
	}
	fmt.Printf("go: %v\n", names)
}
GO
go mod init finding >/dev/null 2>&1
go get go.opentelemetry.io/otel/sdk@v1.47.0 >/dev/null 2>&1
for length in 255 256; do
  note=$(printf "%${length}s" '' | tr ' ' x)
  export OTEL_RESOURCE_ATTRIBUTES="k8s.namespace.name=shop,k8s.pod.annotation.note=$note,k8s.pod.name=web-1"
  echo "$length characters"
  node read.js
  go run -mod=mod . 2>/dev/null
done | tee seen
diff seen - <<'OUT'
255 characters
js: [k8s.namespace.name k8s.pod.annotation.note k8s.pod.name]
go: [k8s.namespace.name k8s.pod.annotation.note k8s.pod.name]
256 characters
js: []
go: [k8s.namespace.name k8s.pod.annotation.note k8s.pod.name]
OUT
