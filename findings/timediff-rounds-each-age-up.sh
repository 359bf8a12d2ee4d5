#!/usr/bin/env bash
# The age of a rollout in words, by github.com/mergestat/timediff 0.0.4 and by dayjs 1.11.13, whose ranges it follows
# by its description.
# Guess: the same words.
# Seen:  timediff counts each part that has begun. One minute behind two hours it says three hours, one day behind
#        two years it says three years.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund dayjs@1.11.13 >/dev/null 2>&1
cat >main.go <<'GO'
package main

import (
	"fmt"
	"os"
	"time"

	"github.com/mergestat/timediff"
)

func main() {
	age, err := time.ParseDuration(os.Args[1])
	if err != nil {
		panic(err)
	}
	now := time.Date(2026, 3, 10, 12, 0, 0, 0, time.UTC)
	fmt.Println("  timediff:", timediff.TimeDiff(now.Add(-age), timediff.WithStartTime(now)))
}
GO
cat >age.js <<'JS'
const dayjs = require('dayjs');
dayjs.extend(require('dayjs/plugin/relativeTime'));
const now = dayjs('2026-03-10T12:00:00Z');
console.log('  dayjs:   ', now.subtract(Number.parseInt(process.argv[2]), 'minutes').from(now));
JS
go mod init finding >/dev/null 2>&1
go get github.com/mergestat/timediff@v0.0.4 >/dev/null 2>&1
for age in 2m 121m 2941m 87900m 1052640m; do
  echo "$age"
  go run -mod=mod . "$age"
  node age.js "$age"
done | tee seen
diff seen - <<'OUT'
2m
  timediff: 2 minutes ago
  dayjs:    2 minutes ago
121m
  timediff: 3 hours ago
  dayjs:    2 hours ago
2941m
  timediff: 3 days ago
  dayjs:    2 days ago
87900m
  timediff: 3 months ago
  dayjs:    2 months ago
1052640m
  timediff: 3 years ago
  dayjs:    2 years ago
OUT
