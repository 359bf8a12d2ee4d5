#!/usr/bin/env bash
# The settings of Grafana with a section in two parts, as two fragments give when they are joined, read by
# ini-simple-parser 1.0.1 and by gopkg.in/ini.v1 1.68.0.
# Guess: the options of both parts.
# Seen:  ini-simple-parser returns the last part only, without an error.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund ini-simple-parser@1.0.1 >/dev/null 2>&1
printf '[server]\nhttp_port = 3000\n[paths]\ndata = /data\n[server]\ndomain = shop.example\n' >grafana.ini
cat >read.js <<'JS'
const { readFileSync } = require('node:fs');
const parse = require('ini-simple-parser');
console.log('package:', JSON.stringify((parse.default ?? parse)(readFileSync('grafana.ini', 'utf8'))));
JS
cat >main.go <<'GO'
package main

import (
	"fmt"

	"gopkg.in/ini.v1"
)

func main() {
	file, err := ini.Load("grafana.ini")
	if err != nil {
		panic(err)
	}
	for _, section := range file.Sections() {
		for _, key := range section.Keys() {
			fmt.Printf("ini.v1:  [%s] %s = %s\n", section.Name(), key.Name(), key.Value())
		}
	}
}
GO
go mod init finding >/dev/null 2>&1
go get gopkg.in/ini.v1@v1.68.0 >/dev/null 2>&1
{
  node read.js
  go run -mod=mod .
} | tee seen
diff seen - <<'OUT'
package: {"server":{"domain":"shop.example"},"paths":{"data":"/data"}}
ini.v1:  [server] http_port = 3000
ini.v1:  [server] domain = shop.example
ini.v1:  [paths] data = /data
OUT
