#!/usr/bin/env bash
# Labels, written by toml-patch 0.2.3 and read by itself and by github.com/BurntSushi/toml 1.6.0.
# Guess: the same keys, in quotes where they need them.
# Seen:  toml-patch sets no quotes, so both readers take the points for borders of tables.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund toml-patch@0.2.3 >/dev/null 2>&1
cat >write.js <<'JS'
const { parse, stringify } = require('toml-patch');
const text = stringify({ tier: 'web', 'team.name': 'shop' });
process.stdout.write(text);
console.error(`own: ${JSON.stringify(parse(text))}`);
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
node write.js >written 2>own
go run -mod=mod . <written >read
cat written own read | tee seen
diff seen - <<'OUT'
tier = "web"
team.name = "shop"
own: {"tier":"web","team":{"name":"shop"}}
go:  {"team":{"name":"shop"},"tier":"web"}
OUT
