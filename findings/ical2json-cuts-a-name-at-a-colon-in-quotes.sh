#!/usr/bin/env bash
# A calendar with a person whose name has a colon, and so stands in quotes, read by ical2json 5.0.0 and by
# github.com/arran4/golang-ical 0.3.4.
# Guess: the same name and address.
# Seen:  ical2json ends the name at the colon, without an error. The rest of it becomes a part of the address.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"module"}' >package.json
npm install --silent --no-audit --no-fund ical2json@5.0.0 >/dev/null 2>&1
cat >calendar.ics <<'ICS'
BEGIN:VCALENDAR
VERSION:2.0
PRODID:-//shop//on-call//EN
BEGIN:VEVENT
UID:1
DTSTAMP:20260301T000000Z
DTSTART:20260310T090000Z
DTEND:20260310T170000Z
SUMMARY:On call
ATTENDEE;CN="Shop: Ann";ROLE=REQ-PARTICIPANT:mailto:ann@shop.example
END:VEVENT
END:VCALENDAR
ICS
sed -i 's/$/\r/' calendar.ics
cat >read.mjs <<'JS'
import { readFileSync } from 'node:fs';
import * as ical from 'ical2json';
const { convert } = ical.default ?? ical;
const [calendar] = convert(readFileSync('calendar.ics', 'utf8')).VCALENDAR;
console.log('ical2json:  ', JSON.stringify(calendar.VEVENT[0].ATTENDEE));
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
		panic(err)
	}
	attendee := calendar.Events()[0].Attendees()[0]
	fmt.Printf("golang-ical: %v %v\n", attendee.ICalParameters, attendee.Value)
}
GO
go mod init finding >/dev/null 2>&1
go get github.com/arran4/golang-ical@v0.3.4 >/dev/null 2>&1
{
  node read.mjs
  go run -mod=mod . <calendar.ics
} | tee seen
diff seen - <<'OUT'
ical2json:   {"_":" Ann\";ROLE=REQ-PARTICIPANT:mailto:ann@shop.example","CN":"\"Shop"}
golang-ical: map[CN:[Shop: Ann] ROLE:[REQ-PARTICIPANT]] mailto:ann@shop.example
OUT
