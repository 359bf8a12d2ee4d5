#!/usr/bin/env bash
# An address with a query in the settings of Grafana, read by ini-api 2.0.2 and by gopkg.in/ini.v1 1.68.0.
# Guess: the same address. The value starts behind the first equals sign.
# Seen:  ini-api returns what stands before the second one, without an error.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund ini-api@2.0.2 >/dev/null 2>&1
printf '[server]\nroot_url = https://shop.example/?org=1\n' >grafana.ini
cat >read.js <<'JS'
const { readFileSync } = require('node:fs');
const { Ini } = require('ini-api');
const server = new Ini(readFileSync('grafana.ini', 'utf8')).getSection('server');
console.log('ini-api: [server] root_url =', server.getValue('root_url'));
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
ini-api: [server] root_url = https://shop.example/?org
ini.v1:  [server] root_url = https://shop.example/?org=1
OUT
