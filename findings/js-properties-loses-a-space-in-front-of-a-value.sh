#!/usr/bin/env bash
# Two values with a space at their end and at their start, written by @js.properties/properties 0.5.4 as a file of
# properties and read by itself and by a reader in Go (github.com/magiconair/properties 1.18.13).
# Guess: both values. A backslash in front of the first space keeps it.
# Seen:  the space at the start is lost for both readers, as the package writes no backslash.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund @js.properties/properties@0.5.4 >/dev/null 2>&1
cat >write.js <<'JS'
const { parseToProperties, stringify } = require('@js.properties/properties');
const text = stringify({ prompt: 'web: ', suffix: ' pods' });
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
sed 's/ $/ (space)/' written own read | tee seen
diff seen - <<'OUT'
prompt = web: (space)
suffix =  pods
own: {"prompt":"web: ","suffix":"pods"}
go:  {"prompt":"web: ","suffix":"pods"}
OUT
