#!/usr/bin/env bash
# A shift with a long note, written by github.com/arran4/golang-ical 0.3.4 and read by icalts 0.0.2.
# Guess: the note as it was. The writer folds long lines, and a reader removes the end of the line with one space.
# Seen:  the reader removes all spaces at the start of a continued line, so a space of the note is lost where the line
#        is folded in front of it.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund icalts@0.0.2 >/dev/null 2>&1
cat >read.js <<'JS'
const { lines2tree } = require('icalts');
const lines = require('node:fs').readFileSync(0, 'utf8').split(/\r?\n/);
console.log(`read:  ${lines2tree(lines).VCALENDAR[0].VEVENT[0].DESCRIPTION}`);
JS
cat >main.go <<'GO'
package main

import (
	"fmt"
	"os"

	ics "github.com/arran4/golang-ical"
)

func main() {
	calendar := ics.NewCalendar()
	calendar.AddEvent("1").SetDescription(os.Args[1])
	fmt.Print(calendar.Serialize())
}
GO
go mod init finding >/dev/null 2>&1
go get github.com/arran4/golang-ical@v0.3.4 >/dev/null 2>&1
for note in 'The node is drained' 'Undo the rollout of the shop first and drain the node with the old disk afterwards'; do
  echo "wrote: $note"
  go run -mod=mod . "$note" | node read.js
done | tee seen
diff seen - <<'OUT'
wrote: The node is drained
read:  The node is drained
wrote: Undo the rollout of the shop first and drain the node with the old disk afterwards
read:  Undo the rollout of the shop first and drain the node with theold disk afterwards
OUT
