#!/usr/bin/env bash
# Two keys, one with a hash in front, written by @js.properties/properties 0.5.4 as a file of properties and read by
# itself and by a reader in Go (github.com/magiconair/properties 1.18.13).
# Guess: both keys. A backslash in front of the hash keeps it, and the package escapes spaces and colons in this way.
# Seen:  the package writes no backslash, so the line is a comment for both readers.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund @js.properties/properties@0.5.4 >/dev/null 2>&1
cat >write.js <<'JS'
const { parseToProperties, stringify } = require('@js.properties/properties');
const text = stringify({ 'app name': 'web', '#alerts': 'on' });
process.stdout.write(text);
console.error(`own: ${JSON.stringify(parseToProperties(text))}`);
JS
cat >main.go <<'GO'
package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"

	"github.com/magiconair/properties"
)

func main() {
	text, _ := io.ReadAll(os.Stdin)
	read, err := properties.Load(text, properties.UTF8)
	if err != nil {
		panic(err)
	}
	values, _ := json.Marshal(read.Map())
	fmt.Println("go: ", string(values))
}
GO
go mod init finding >/dev/null 2>&1
go get github.com/magiconair/properties@v1.18.13 >/dev/null 2>&1
node write.js 2>own | tr -d '\r' >written
go run -mod=mod . <written >read
cat written own read | tee seen
diff seen - <<'OUT'
app\ name = web
#alerts = on
own: {"app name":"web"}
go:  {"app name":"web"}
OUT
