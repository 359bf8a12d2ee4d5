#!/usr/bin/env bash
# A ConfigMap written by json2yaml 1.1.0, and read as kubectl reads it (sigs.k8s.io/yaml 1.6.0). Each key and each
# value is a string that looks like another type.
# Guess: the same object, as json2yaml quotes each value.
# Seen:  json2yaml quotes no key. The reader changes the key "on" to "true" and "1.10" to "1.1", without an error, so
#        the Pod finds neither of its files.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund json2yaml@1.1.0 >/dev/null 2>&1
cat >write.js <<'JS'
const data = { on: 'on', '1.10': '1.10', settings: 'true' };
process.stdout.write(require('json2yaml').stringify({ kind: 'ConfigMap', data }));
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
node write.js | tee written | go run -mod=mod . >read
cat written read | tee seen
diff seen - <<'OUT'
---
  kind: "ConfigMap"
  data: 
    on: "on"
    1.10: "1.10"
    settings: "true"
{"data":{"1.1":"1.10","settings":"true","true":"on"},"kind":"ConfigMap"}
OUT
