#!/usr/bin/env bash
# A window over midnight, every hour from 22 to 6, in cronstrue 3.39.0, which explains schedules to people, and in the readers
# that run them: croner 11.0.1, cron-parser 5.10.6 and github.com/robfig/cron/v3 3.0.1 (Kubernetes, Argo CD).
# Guess: cronstrue refuses it as the readers do; it refuses an hour of 25 and says so.
# Seen:  a perfect sentence for a schedule that all three readers refuse. A form that takes the sentence for a check accepts a
#        freeze that never starts.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"module"}' >package.json
npm install --silent --no-audit --no-fund cronstrue@3.39.0 croner@11.0.1 cron-parser@5.10.6 >/dev/null 2>&1
cat >read.mjs <<'EOF'
import parser from 'cron-parser';
import { Cron } from 'croner';
import cronstrue from 'cronstrue';
const readers = {
  cronstrue: (schedule) => cronstrue.toString(schedule),
  croner: (schedule) => (new Cron(schedule).nextRun() ? 'accepted' : 'never'),
  'cron-parser': (schedule) => (parser.CronExpressionParser ?? parser).parse(schedule) && 'accepted',
};
for (const schedule of ['0 22-23 * * *', '0 22-6 * * *', '0 25 * * *']) {
  for (const [name, read] of Object.entries(readers)) {
    let seen = 'refused';
    try {
      seen = read(schedule);
    } catch {}
    console.log(`${schedule} ${name}: ${seen}`);
  }
}
EOF
node read.mjs | tee seen
cat >main.go <<'EOF'
package main

import (
	"fmt"

	"github.com/robfig/cron/v3"
)

func main() {
	for _, schedule := range []string{"0 22-23 * * *", "0 22-6 * * *"} {
		_, err := cron.ParseStandard(schedule)
		fmt.Printf("%s robfig/cron: refused %t\n", schedule, err != nil)
	}
}
EOF
go mod init finding >/dev/null 2>&1
go get github.com/robfig/cron/v3@v3.0.1 >/dev/null 2>&1
go run -mod=mod . | tee -a seen
diff seen - <<'EOF'
0 22-23 * * * cronstrue: Every hour, between 10:00 PM and 11:00 PM
0 22-23 * * * croner: accepted
0 22-23 * * * cron-parser: accepted
0 22-6 * * * cronstrue: Every hour, between 10:00 PM and 06:00 AM
0 22-6 * * * croner: refused
0 22-6 * * * cron-parser: refused
0 25 * * * cronstrue: refused
0 25 * * * croner: refused
0 25 * * * cron-parser: refused
0 22-23 * * * robfig/cron: refused false
0 22-6 * * * robfig/cron: refused true
EOF
