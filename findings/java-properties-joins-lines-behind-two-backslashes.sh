#!/usr/bin/env bash
# A folder of Windows that ends with a backslash, written as two backslashes in a file of properties, and a second
# value. Read by java-properties 1.0.2 and by a reader in Go (github.com/magiconair/properties 1.18.13).
# Guess: two values. Only one backslash at the end of a line joins it with the next one.
# Seen:  java-properties joins the lines, so the second value is a part of the first one.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund java-properties@1.0.2 >/dev/null 2>&1
printf '%s\n' 'folder=D:\\data\\' 'name=web' >settings.properties
cat >read.js <<'JS'
const values = require('java-properties').of('settings.properties');
console.log(`own: ${JSON.stringify(Object.fromEntries(values.getKeys().map((key) => [key, values.get(key)])))}`);
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
{
  node read.js
  go run -mod=mod . <settings.properties
} | tee seen
diff seen - <<'OUT'
own: {"folder":"D:\\data\name=web"}
go:  {"folder":"D:\\data\\","name":"web"}
OUT
