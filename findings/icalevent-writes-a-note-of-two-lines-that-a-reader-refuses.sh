#!/usr/bin/env bash
# A shift with a note, written by icalevent 0.3.2 and read by github.com/arran4/golang-ical 0.3.4.
# Guess: the note, also where it has two lines.
# Seen:  the second line of the note stands in the file as a line of its own, and the reader refuses the file.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund icalevent@0.3.2 >/dev/null 2>&1
cat >write.js <<'JS'
const CalendarEvent = require('icalevent');
const event = new CalendarEvent({
  uid: '1',
  offset: 0,
  timezone: 'UTC',
  start: '2026-11-30T09:00:00Z',
  end: '2026-11-30T17:00:00Z',
  summary: 'On call',
  description: process.argv[2],
});
process.stdout.write(event.toFile());
JS
cat >main.go <<'GO'
package main

import (
	"fmt"
	"os"

	ics "github.com/arran4/golang-ical"
)

func main() {
	calendar, err := ics.ParseCalendar(os.Stdin)
	if err != nil {
		fmt.Printf("error: %v\n", err)
		return
	}
	fmt.Printf("note: %q\n", calendar.Events()[0].GetProperty(ics.ComponentPropertyDescription).Value)
}
GO
go mod init finding >/dev/null 2>&1
go get github.com/arran4/golang-ical@v0.3.4 >/dev/null 2>&1
for note in 'Handover at nine' $'Handover at nine\nSee the runbook'; do
  node write.js "$note" | go run -mod=mod .
done | tee seen
diff seen - <<'OUT'
note: "Handover at nine"
error: failed to parse event: parsing component line
OUT
