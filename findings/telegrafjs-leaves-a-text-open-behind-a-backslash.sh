#!/usr/bin/env bash
# Two texts in a line of telegrafjs 0.1.3, read by a parser in Go (github.com/influxdata/line-protocol
# v2.2.1). One has quotes, the other is a folder of Windows.
# Guess: the same texts.
# Seen:  telegrafjs escapes the quotes only. The backslash at the end of the folder escapes the closing quote, so the
#        reader finds no end of the text and refuses the line.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund telegrafjs@0.1.3 >/dev/null 2>&1
cat >write.js <<'JS'
const { Measurement } = require('telegrafjs');
for (const value of ['says "no"', 'D:\\data\\']) {
  console.log(new Measurement('disk', { host: 'web-1' }, { value }, 1).toString());
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
while read -r line; do go run -mod=mod . <<<"$line"; done <written >read
cat written read | tee seen
diff seen - <<'OUT'
disk,host=web-1 value="says \"no\"" 1
disk,host=web-1 value="D:\data\" 1
value: "says \"no\"" (string)
error: at line 1:23: expected closing quote for string field value, found end of input
OUT
