#!/usr/bin/env bash
# A shift at nine in Seoul, read on a machine in UTC by ical 0.8.0 and by github.com/arran4/golang-ical 0.3.4.
# Guess: the same time.
# Seen:  ical reads it as nine o'clock of the machine, nine hours too late, without an error.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund ical@0.8.0 >/dev/null 2>&1
cat >calendar.ics <<'ICS'
BEGIN:VCALENDAR
VERSION:2.0
PRODID:-//shop//on-call//EN
BEGIN:VEVENT
UID:1
DTSTAMP:20260301T000000Z
DTSTART;TZID=Asia/Seoul:20260310T090000
DTEND;TZID=Asia/Seoul:20260310T170000
SUMMARY:Ann
END:VEVENT
END:VCALENDAR
ICS
sed -i 's/$/\r/' calendar.ics
cat >read.js <<'JS'
const shift = require('ical').parseFile('calendar.ics')['1'];
console.log('ical:       ', shift.start.toISOString(), shift.end.toISOString());
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
	calendar, err := ics.ParseCalendar(os.Stdin)
	if err != nil {
		panic(err)
	}
	event := calendar.Events()[0]
	start, err := event.GetStartAt()
	if err != nil {
		panic(err)
	}
	end, err := event.GetEndAt()
	if err != nil {
		panic(err)
	}
	fmt.Println("golang-ical:", start.UTC().Format(time.RFC3339), end.UTC().Format(time.RFC3339))
}
GO
go mod init finding >/dev/null 2>&1
go get github.com/arran4/golang-ical@v0.3.4 >/dev/null 2>&1
export TZ=UTC
{
  node read.js
  go run -mod=mod . <calendar.ics
} | tee seen
diff seen - <<'OUT'
ical:        2026-03-10T09:00:00.000Z 2026-03-10T17:00:00.000Z
golang-ical: 2026-03-10T00:00:00Z 2026-03-10T08:00:00Z
OUT
