#!/usr/bin/env bash
# Shifts of each day until a last one, whose start the rule names, read by github.com/apognu/gocal 0.9.1 and by
# github.com/teambition/rrule-go 1.8.2.
# Guess: the same days. In RFC 5545 the end of a rule is a start that still counts.
# Seen:  gocal leaves out the last day, so nobody is on call then.
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

const rule = "FREQ=DAILY;UNTIL=20260304T090000Z"

var calendar = strings.ReplaceAll(`BEGIN:VCALENDAR
VERSION:2.0
PRODID:-//shop//on-call//EN
BEGIN:VEVENT
UID:1
DTSTAMP:20260301T000000Z
SUMMARY:Ann
DTSTART:20260302T090000Z
DTEND:20260302T170000Z
RRULE:`+rule+`
END:VEVENT
END:VCALENDAR
`, "\n", "\r\n")

func main() {
	start, end := time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC), time.Date(2026, 4, 1, 0, 0, 0, 0, time.UTC)
	parser := gocal.NewParser(strings.NewReader(calendar))
	parser.Start, parser.End = &start, &end
	if err := parser.Parse(); err != nil {
		panic(err)
	}
	days := []string{}
	for _, event := range parser.Events {
		days = append(days, event.Start.Format("2 January 15:04"))
	}
	sort.Strings(days)
	fmt.Println("gocal:   ", strings.Join(days, ", "))
	set, err := rrule.StrToRRuleSet("DTSTART:20260302T090000Z\nRRULE:" + rule)
	if err != nil {
		panic(err)
	}
	days = []string{}
	for _, day := range set.Between(start, end, true) {
		days = append(days, day.Format("2 January 15:04"))
	}
	fmt.Println("rrule-go:", strings.Join(days, ", "))
}
GO
go mod init finding >/dev/null 2>&1
go get github.com/apognu/gocal@v0.9.1 github.com/teambition/rrule-go@v1.8.2 >/dev/null 2>&1
go run -mod=mod . | tee seen
diff seen - <<'OUT'
gocal:    2 March 09:00, 3 March 09:00
rrule-go: 2 March 09:00, 3 March 09:00, 4 March 09:00
OUT
