#!/usr/bin/env bash
# A table and a value, written by toml-patch 0.2.3 in both orders and read by github.com/BurntSushi/toml 1.6.0.
# Guess: the same object twice. A value behind a table is written in front of it.
# Seen:  with the table first the line of the value is "2count=", which no reader takes, and no error is raised.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund toml-patch@0.2.3 >/dev/null 2>&1
cat >write.js <<'JS'
const { stringify } = require('toml-patch');
const table = { limits: { cpu: 1 } };
process.stdout.write(stringify(process.argv[2] === 'value' ? { count: 2, ...table } : { ...table, count: 2 }));
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
for first in value table; do
  node write.js $first >written
  cat written
  go run -mod=mod . <written
done | tee seen
diff seen - <<'OUT'
count = 2

[limits]
cpu = 1
go:  {"count":2,"limits":{"cpu":1}}
2count=

[limits]
cpu = 1
go:  toml: line 1 (last key "2count"): expected value but found '\n' instead
OUT
