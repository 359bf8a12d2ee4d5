#!/usr/bin/env bash
# Two abbreviated commits as tags of an image, written by js-yaml-lite 0.1.1 and read as kubectl reads them
# (sigs.k8s.io/yaml 1.6.0).
# Guess: the same strings. js-yaml-lite quotes the first one, which has digits only.
# Seen:  js-yaml-lite writes "1203e10" without quotes, and reads it as a string itself. The other reader takes it for
#        a number with an exponent.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund js-yaml-lite@0.1.1 >/dev/null 2>&1
cat >write.js <<'JS'
const { dump, load } = require('js-yaml-lite');
const text = dump({ tag: process.argv[2] });
process.stdout.write(text);
console.error(`js-yaml-lite: ${JSON.stringify(load(text))}`);
JS
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
for tag in 1203410 1203e10; do
  node write.js "$tag" 2>own | go run -mod=mod . >other
  cat own
  echo "kubectl:      $(cat other)"
done | tee seen
diff seen - <<'OUT'
js-yaml-lite: {"tag":"1203410"}
kubectl:      {"tag":"1203410"}
js-yaml-lite: {"tag":"1203e10"}
kubectl:      {"tag":12030000000000}
OUT
