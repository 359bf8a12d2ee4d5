#!/usr/bin/env bash
# A manifest with a day in an annotation, sorted by yaml-sort 2.1.0 and read as kubectl reads it before and after
# (sigs.k8s.io/yaml 1.6.0).
# Guess: the same values in another order.
# Seen:  the day has become a time of the day in UTC, so the object differs for the API server, and each tool that
#        sorts before it applies changes it.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund yaml-sort@2.1.0 >/dev/null 2>&1
cat >manifest.yaml <<'YAML'
metadata:
  name: web
  annotations:
    reviewed: 2026-11-30
YAML
cat >main.go <<'GO'
package main

import (
	"fmt"
	"io"
	"os"

	"sigs.k8s.io/yaml"
)

func main() {
	text, err := io.ReadAll(os.Stdin)
	if err != nil {
		panic(err)
	}
	json, err := yaml.YAMLToJSON(text)
	if err != nil {
		panic(err)
	}
	fmt.Println(string(json))
}
GO
go mod init finding >/dev/null 2>&1
go get sigs.k8s.io/yaml@v1.6.0 >/dev/null 2>&1
npx yaml-sort --input manifest.yaml --output sorted.yaml
for name in manifest sorted; do go run -mod=mod . <$name.yaml; done | tee seen
diff seen - <<'OUT'
{"metadata":{"annotations":{"reviewed":"2026-11-30"},"name":"web"}}
{"metadata":{"annotations":{"reviewed":"2026-11-30T00:00:00.000Z"},"name":"web"}}
OUT
