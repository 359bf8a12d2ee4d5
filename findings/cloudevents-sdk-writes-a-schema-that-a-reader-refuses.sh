#!/usr/bin/env bash
# Two events in the JSON of cloudevents-sdk 2.0.4, one with the address of a schema, read by the SDK in Go
# (github.com/cloudevents/sdk-go 2.16.2).
# Guess: both are read.
# Seen:  the package writes the attribute as "dataSchema". The specification has "dataschema", and the reader refuses
#        the whole event.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund cloudevents-sdk@2.0.4 >/dev/null 2>&1
cat >write.js <<'JS'
const { CloudEvent } = require('cloudevents-sdk');
const fields = { id: '1', type: 'pod.failed', source: '/web', time: '2026-11-30T00:00:00Z' };
for (const more of [{ subject: 'web-1' }, { dataSchema: 'https://schema.example/pod' }]) {
  console.log(JSON.stringify(new CloudEvent({ ...fields, ...more }).format()));
}
JS
cat >main.go <<'GO'
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"

	"github.com/cloudevents/sdk-go/v2/event"
)

func main() {
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		read := event.Event{}
		if err := json.Unmarshal(lines.Bytes(), &read); err != nil {
			fmt.Println("refused:", err)
			continue
		}
		fmt.Println("read:", read.ID(), read.Type())
	}
}
GO
go mod init finding >/dev/null 2>&1
go get github.com/cloudevents/sdk-go/v2@v2.16.2 >/dev/null 2>&1
node write.js >written
go run -mod=mod . <written >read
cat read | tee seen
diff seen - <<'OUT'
read: 1 pod.failed
refused: bad key "dataSchema": CloudEvents spec attribute MUST NOT be overwritten by extension
OUT
