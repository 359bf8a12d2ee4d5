#!/usr/bin/env bash
# A script with an empty line at its end in a ConfigMap, written by yaml-parser 3.5.3 and read as kubectl reads it
# (sigs.k8s.io/yaml 1.6.0), and a script without one beside it.
# Guess: the same strings.
# Seen:  the script with an empty line gets a second one. Each time a tool reads and writes the manifest the script
#        grows by a line, so its checksum changes and the Deployment that carries the checksum starts new pods.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund yaml-parser@3.5.3 >/dev/null 2>&1
cat >write.js <<'JS'
const { safeDump } = require('yaml-parser');
process.stdout.write(safeDump({ plain: 'echo a\n', empty: 'echo a\n\n' }));
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
node write.js >written
go run -mod=mod . <written >read
cat written read | tee seen
diff seen - <<'OUT'
plain: |
  echo a
empty: |+
  echo a


{"empty":"echo a\n\n\n","plain":"echo a\n"}
OUT
