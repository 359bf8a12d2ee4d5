#!/usr/bin/env bash
# The data of a config map, written by yamlify-object 2.0.0 "with yaml syntax" and read by sigs.k8s.io/yaml 1.6.0, which
# kubectl uses.
# Guess: the same texts.
# Seen:  a text of two lines is written without quotes and without an indent of its second line. The reader reports no
#        error and reads the first line only.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund yamlify-object@2.0.0 >/dev/null 2>&1
cat >write.js <<'JS'
const yamlify = require('yamlify-object');
process.stdout.write(yamlify({ data: { zone: 'a', settings: 'zone=a\nlevel: high' } }));
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
	var read map[string]any
	if err := yaml.Unmarshal(text, &read); err != nil {
		panic(err)
	}
	data := read["data"].(map[string]any)
	fmt.Printf("zone: %q\nsettings: %q\n", data["zone"], data["settings"])
}
GO
go mod init finding >/dev/null 2>&1
go get sigs.k8s.io/yaml@v1.6.0 >/dev/null 2>&1
node write.js | go run -mod=mod . | tee seen
diff seen - <<'OUT'
zone: "a"
settings: "zone=a"
OUT
