#!/usr/bin/env bash
# A shift on the 31st of each month, four times, read by github.com/apognu/gocal 0.9.1 and by
# github.com/teambition/rrule-go 1.8.2.
# Guess: the same days. In RFC 5545 a rule leaves out the months that have no such day.
# Seen:  gocal moves the shift of February to the third of March, and then all later ones to the third.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
cat >main.go <<'GO'
package main

import (
	"fmt"
	"sort"
	"strings"
	"time"

	"github.com/apognu/gocal"
	"github.com/teambition/rrule-go"
)

const rule = "FREQ=MONTHLY;COUNT=4"

var calendar = strings.ReplaceAll(`BEGIN:VCALENDAR
VERSION:2.0
PRODID:-//shop//on-call//EN
BEGIN:VEVENT
UID:1
DTSTAMP:20260101T000000Z
SUMMARY:Ann
DTSTART:20260131T090000Z
DTEND:20260131T170000Z
RRULE:`+rule+`
END:VEVENT
END:VCALENDAR
`, "\n", "\r\n")

func main() {
	start, end := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC), time.Date(2027, 1, 1, 0, 0, 0, 0, time.UTC)
	parser := gocal.NewParser(strings.NewReader(calendar))
	parser.Start, parser.End = &start, &end
	if err := parser.Parse(); err != nil {
		panic(err)
	}
	days := []string{}
	for _, event := range parser.Events {
		days = append(days, event.Start.Format("01-02"))
	}
	sort.Strings(days)
	fmt.Println("gocal:   ", strings.Join(days, ", "))
	set, err := rrule.StrToRRuleSet("DTSTART:20260131T090000Z\nRRULE:" + rule)
	if err != nil {
		panic(err)
	}
	days = []string{}
	for _, day := range set.Between(start, end, true) {
		days = append(days, day.Format("01-02"))
	}
	fmt.Println("rrule-go:", strings.Join(days, ", "))
}
GO
go mod init finding >/dev/null 2>&1
go get github.com/apognu/gocal@v0.9.1 github.com/teambition/rrule-go@v1.8.2 >/dev/null 2>&1
go run -mod=mod . | tee seen
diff seen - <<'OUT'
gocal:    01-31, 03-03, 04-03, 05-03
rrule-go: 01-31, 03-31, 05-31, 07-31
OUT
