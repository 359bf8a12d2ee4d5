#!/usr/bin/env bash
# The schedule `0 9 */2 * 1` of a CronJob: github.com/robfig/cron/v3 3.0.1, which the API server and the controller read it with.
# Guess: Mondays with an odd date, as crontab(5) says: the two fields of the day are joined by "or" unless one starts with `*`.
# Seen:  every odd date and every Monday besides, six runs in the first nine days of November 2026 where cron has one. With a
#        step above 1 the field counts as restricted; `*/1` and `*` do not.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
cat >main.go <<'EOF'
package main

import (
	"fmt"
	"time"

	"github.com/robfig/cron/v3"
)

func main() {
	for _, line := range []string{"0 9 */2 * 1", "0 9 */1 * 1", "0 9 * * 1"} {
		schedule, err := cron.ParseStandard(line)
		if err != nil {
			panic(err)
		}
		fmt.Print(line, ":")
		end := time.Date(2026, 11, 10, 0, 0, 0, 0, time.UTC)
		for at := schedule.Next(end.AddDate(0, 0, -9)); at.Before(end); at = schedule.Next(at) {
			fmt.Print(at.Format(" Mon-2"))
		}
		fmt.Println()
	}
}
EOF
go mod init finding >/dev/null 2>&1
go get github.com/robfig/cron/v3@v3.0.1 >/dev/null 2>&1
go run -mod=mod . | tee seen
diff seen - <<'EOF'
0 9 */2 * 1: Sun-1 Mon-2 Tue-3 Thu-5 Sat-7 Mon-9
0 9 */1 * 1: Mon-2 Mon-9
0 9 * * 1: Mon-2 Mon-9
EOF
