#!/usr/bin/env bash
# Two shifts, written by github.com/arran4/golang-ical 0.3.4 and read by ics-to-json 2.0.2.
# Guess: the names of both.
# Seen:  the reader takes a percent sign for the start of an encoded character. One name with "50%" ends the reading of
#        the whole calendar with an error.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund ics-to-json@2.0.2 >/dev/null 2>&1
cat >read.js <<'JS'
const { icsToJson } = require('ics-to-json');
const text = require('node:fs').readFileSync(0, 'utf8');
try {
  console.log(icsToJson(text).map(event => event.summary).join(', '));
} catch (error) {
  console.log(`${error.name}: ${error.message}`);
}
JS
cat >main.go <<'GO'
package main

import (
	"fmt"
	"os"
	"time"

	ics "github.com/arran4/golang-ical"
)

func main() {
	calendar := ics.NewCalendar()
	for index, name := range os.Args[1:] {
		event := calendar.AddEvent(fmt.Sprint(index))
		event.SetStartAt(time.Unix(1796029200, 0))
		event.SetSummary(name)
	}
	fmt.Print(calendar.Serialize())
}
GO
go mod init finding >/dev/null 2>&1
go get github.com/arran4/golang-ical@v0.3.4 >/dev/null 2>&1
for name in 'Half of the pods' '50% of the pods'; do
  go run -mod=mod . 'On call' "$name" | node read.js
done | tee seen
diff seen - <<'OUT'
On call, Half of the pods
URIError: URI malformed
OUT
