#!/usr/bin/env bash
# A plugin without settings, which turns it on, written by json2toml 6.1.2 and read by github.com/BurntSushi/toml
# 1.6.0.
# Guess: an empty table, as for an empty list.
# Seen:  the empty list is there. Of the empty table nothing is written, without an error.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund json2toml@6.1.2 >/dev/null 2>&1
cat >write.js <<'JS'
const write = require('json2toml');
process.stdout.write(write({ outputs: [], plugins: { cpu: {}, disk: { interval: '10s' } } }));
JS
cat >main.go <<'GO'
package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"

	"github.com/BurntSushi/toml"
)

func main() {
	text, _ := io.ReadAll(os.Stdin)
	var values map[string]any
	if _, err := toml.Decode(string(text), &values); err != nil {
		fmt.Println("go: ", err)
		return
	}
	read, _ := json.Marshal(values)
	fmt.Println("go: ", string(read))
}
GO
go mod init finding >/dev/null 2>&1
go get github.com/BurntSushi/toml@v1.6.0 >/dev/null 2>&1
node write.js >written
go run -mod=mod . <written >read
cat written read | tee seen
diff seen - <<'OUT'
outputs = []
[plugins.disk]
interval = "10s"
go:  {"outputs":[],"plugins":{"disk":{"interval":"10s"}}}
OUT
