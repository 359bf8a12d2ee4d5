#!/usr/bin/env bash
# Events with a text and with bytes as data, in the JSON of cloudevents-sdk 2.0.4, read by the SDK in Go
# (github.com/cloudevents/sdk-go 2.16.2).
# Guess: both are read. The format has the field "data_base64" for bytes.
# Seen:  the package writes the bytes as an object with a number for each position, and the reader refuses the event.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund cloudevents-sdk@2.0.4 >/dev/null 2>&1
cat >write.js <<'JS'
const { CloudEvent } = require('cloudevents-sdk');
const fields = { id: '1', type: 'pod.failed', source: '/web', time: '2026-11-30T00:00:00Z' };
const events = [['text/plain', 'web'], ['application/octet-stream', Uint8Array.from([119, 101, 98])]];
for (const [dataContentType, data] of events) {
  console.log(JSON.stringify(new CloudEvent({ ...fields, dataContentType, data }).format()));
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
grep -o '"data":[^}]*}\?' written | cut -d, -f1-3 | tee seen
go run -mod=mod . <written | cut -c1-90 >read
tee -a seen <read
diff seen - <<'OUT'
"data":"web","specversion":"1.0","id":"1"
"data":{"0":119,"1":101,"2":98}
read: 1 pod.failed
refused: unexpected data payload for media type "application/octet-stream", expected a str
OUT
