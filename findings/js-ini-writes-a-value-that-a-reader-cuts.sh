#!/usr/bin/env bash
# Texts with a hash and a semicolon in the settings of Grafana, written by js-ini 1.6.0 and read by itself and by
# gopkg.in/ini.v1 1.68.0.
# Guess: the same texts, in quotes where they need them.
# Seen:  js-ini writes no quotes. It reads its own text back, but the reader in Go takes the rest for a comment.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund js-ini@1.6.0 >/dev/null 2>&1
cat >write.js <<'JS'
const { writeFileSync } = require('node:fs');
const { parse, stringify } = require('js-ini');
const text = stringify({ alerting: { channel: 'team#1', note: 'look; then call' } });
writeFileSync('grafana.ini', text);
console.log(text.trim());
console.log('js-ini: ', JSON.stringify(parse(text)));
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
  node write.js
  go run -mod=mod .
} | tee seen
diff seen - <<'OUT'
[alerting]
channel=team#1
note=look; then call
js-ini:  {"alerting":{"channel":"team#1","note":"look; then call"}}
ini.v1:  [alerting] channel = team
ini.v1:  [alerting] note = look
OUT
