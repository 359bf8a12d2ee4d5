#!/usr/bin/env bash
# Lines of json-to-line-protocol 0.2.0, read by a parser in Go (github.com/influxdata/line-protocol
# v2.2.1). Each field is a text, as the first field in its description.
# Guess: three texts. The description promises the escapes that the protocol needs.
# Seen:  the package writes no quotes. The reader takes the version "5" for a number and the answer "true" for a
#        boolean, and refuses the line with the name.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund json-to-line-protocol@0.2.0 >/dev/null 2>&1
cat >write.js <<'JS'
const { convert } = require('json-to-line-protocol');
for (const fields of [{ version: '5' }, { answer: 'true' }, { name: 'web' }]) {
  console.log(convert({ measurement: 'deploy', tags: { app: 'web' }, fields, ts: 1 }));
}
JS
cat >main.go <<'GO'
package main

import (
	"fmt"
	"io"
	"os"

	"github.com/influxdata/line-protocol/v2/lineprotocol"
)

func main() {
	text, _ := io.ReadAll(os.Stdin)
	decoder := lineprotocol.NewDecoderWithBytes(text)
	for decoder.Next() {
		decoder.Measurement()
		for {
			key, value, err := decoder.NextField()
			if key == nil {
				if err != nil {
					fmt.Println("error:", err)
				}
				break
			}
			fmt.Printf("%s: %v (%v)\n", key, value, value.Kind())
		}
	}
}
GO
go mod init finding >/dev/null 2>&1
go get github.com/influxdata/line-protocol/v2@v2.2.1 >/dev/null 2>&1
node write.js >written
go run -mod=mod . <written >read
cat written read | tee seen
diff seen - <<'OUT'
deploy,app=web version=5 1
deploy,app=web answer=true 1
deploy,app=web name=web 1
version: 5 (float)
answer: true (bool)
error: at line 3:21: field value has unrecognized type
OUT
