#!/usr/bin/env bash
# The settings of Grafana, whose first option stands before all sections, read by multi-ini 2.3.2 and by
# gopkg.in/ini.v1 1.68.0.
# Guess: the same options.
# Seen:  multi-ini returns nothing of that option, without an error.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund multi-ini@2.3.2 >/dev/null 2>&1
printf 'app_mode = production\n[server]\nhttp_port = 3000\n' >grafana.ini
cat >read.js <<'JS'
console.log('package:', JSON.stringify(require('multi-ini').read('grafana.ini')));
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
package: {"server":{"http_port":"3000"}}
ini.v1:  [DEFAULT] app_mode = production
ini.v1:  [server] http_port = 3000
OUT
