#!/usr/bin/env bash
# A shift that starts at 00:30 UTC, written by immutable-ics 0.4.0 on machines of three time zones and read by
# github.com/arran4/golang-ical 0.3.4 on a machine of UTC.
# Guess: 00:30 UTC from each machine, since the value is a moment.
# Seen:  the writer writes the clock time of its machine without a time zone, so the shift starts when the clock of the
#        reader shows that time.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund immutable-ics@0.4.0 >/dev/null 2>&1
cat >write.js <<'JS'
const { Component, Property } = require('immutable-ics');
const start = new Property({ name: 'DTSTART', value: new Date('2026-11-30T00:30:00Z') });
const uid = new Property({ name: 'UID', value: '1' });
const event = new Component({ name: 'VEVENT', properties: [uid, start] });
const version = new Property({ name: 'VERSION', value: 2 });
const calendar = new Component({ name: 'VCALENDAR', properties: [version], components: [event] });
process.stdout.write(`${calendar.toString()}\r\n`);
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
	start, err := event.GetStartAt()
	if err != nil {
		panic(err)
	}
	fmt.Printf("%s: %s\n", event.GetProperty(ics.ComponentPropertyDtStart).Value, start.UTC())
}
GO
go mod init finding >/dev/null 2>&1
go get github.com/arran4/golang-ical@v0.3.4 >/dev/null 2>&1
for zone in UTC Asia/Seoul America/New_York; do
  TZ=$zone node write.js | TZ=UTC go run -mod=mod .
done | tee seen
diff seen - <<'OUT'
20261130T003000: 2026-11-30 00:30:00 +0000 UTC
20261130T093000: 2026-11-30 09:30:00 +0000 UTC
20261129T193000: 2026-11-29 19:30:00 +0000 UTC
OUT
