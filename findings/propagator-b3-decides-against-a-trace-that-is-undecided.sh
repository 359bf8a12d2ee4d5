#!/usr/bin/env bash
# A trace whose sampling nobody has decided yet, passed on by @opentelemetry/propagator-b3 2.12.0 and by
# go.opentelemetry.io/contrib/propagators/b3 1.47.0.
# Guess: it stays undecided. The description says that the decision is deferred when the state is absent.
# Seen:  the package for Node adds the state 0, so all services behind it record nothing. The one for Go leaves it open.
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
for headers in '{"b3":"0af7651916cd43dd8448eb211c80319c-00f067aa0ba902b7"}' \
  '{"b3":"0af7651916cd43dd8448eb211c80319c-00f067aa0ba902b7-1"}'; do
  echo "from: $headers"
  node pass.js "$headers"
  go run -mod=mod . "$headers"
done | tee seen
diff seen - <<'OUT'
from: {"b3":"0af7651916cd43dd8448eb211c80319c-00f067aa0ba902b7"}
node: {"b3":"0af7651916cd43dd8448eb211c80319c-00f067aa0ba902b7-0"}
go:   {"b3":"0af7651916cd43dd8448eb211c80319c-00f067aa0ba902b7"}
from: {"b3":"0af7651916cd43dd8448eb211c80319c-00f067aa0ba902b7-1"}
node: {"b3":"0af7651916cd43dd8448eb211c80319c-00f067aa0ba902b7-1"}
go:   {"b3":"0af7651916cd43dd8448eb211c80319c-00f067aa0ba902b7-1"}
OUT
