#!/usr/bin/env bash
# A calendar with two people whose names have a colon, written by ical-toolkit 1.0.9 and read by
# github.com/arran4/golang-ical 0.3.4.
# Guess: the same names and addresses.
# Seen:  ical-toolkit puts quotes around the name of who organizes, and none around the name of who takes part. That
#        name ends at the colon, and the rest of it becomes a part of the address.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund ical-toolkit@1.0.9 >/dev/null 2>&1
cat >write.js <<'JS'
const builder = require('ical-toolkit').createIcsFileBuilder();
builder.method = 'PUBLISH';
builder.calname = 'on-call';
builder.events.push({
  uid: '1',
  stamp: new Date('2026-03-01T00:00:00Z'),
  start: new Date('2026-03-10T09:00:00Z'),
  end: new Date('2026-03-10T17:00:00Z'),
  summary: 'On call',
  organizer: { name: 'Shop: Bob', email: 'bob@shop.example' },
  attendees: [{ name: 'Shop: Ann', email: 'ann@shop.example', role: 'REQ-PARTICIPANT', status: 'ACCEPTED' }],
});
process.stdout.write(builder.toString());
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
	event := calendar.Events()[0]
	organizer := event.GetProperty(ics.ComponentPropertyOrganizer)
	fmt.Printf("read: %q %q\n", organizer.ICalParameters["CN"], organizer.Value)
	attendee := event.Attendees()[0]
	fmt.Printf("read: %q %q\n", attendee.ICalParameters["CN"], attendee.Value)
}
GO
go mod init finding >/dev/null 2>&1
go get github.com/arran4/golang-ical@v0.3.4 >/dev/null 2>&1
node write.js >calendar.ics
go run -mod=mod . <calendar.ics >read
{
  grep -E '^(ORGANIZER|ATTENDEE)' calendar.ics | tr -d '\r'
  cat read
} | tee seen
diff seen - <<'OUT'
ORGANIZER;CN="Shop: Bob":mailto:bob@shop.example
ATTENDEE;ROLE=REQ-PARTICIPANT;PARTSTAT=ACCEPTED;CN=Shop: Ann:MAILTO:ann@shop.example
read: ["Shop: Bob"] "mailto:bob@shop.example"
read: ["Shop"] " Ann:MAILTO:ann@shop.example"
OUT
