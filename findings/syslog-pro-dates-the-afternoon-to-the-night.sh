#!/usr/bin/env bash
# Two lines of RFC 5424 of syslog-pro 1.0.0, written at 03:04:05 and at 15:04:05 UTC (the clock of its moment is set),
# and read by a parser in Go (github.com/leodido/go-syslog 4.6.0).
# Guess: two times, 12 hours apart.
# Seen:  the same time. syslog-pro writes the hour of a clock with 12 hours and no mark of the afternoon, so each line
#        of the afternoon is dated 12 hours back.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund syslog-pro@1.0.0 moment@2.30.1 >/dev/null 2>&1
cat >write.js <<'JS'
const moment = require('moment');
const { RFC5424 } = require('syslog-pro');
const writer = new RFC5424({ hostname: 'web-1', applacationName: 'web', timestampUTC: true, utf8BOM: false });
(async () => {
  for (const hour of [3, 15]) {
    moment.now = () => Date.UTC(2026, 10, 30, hour, 4, 5);
    process.stdout.write(await writer.buildMessage(`hour ${hour}`));
  }
})();
JS
cat >main.go <<'GO'
package main

import (
	"bufio"
	"fmt"
	"os"

	"github.com/leodido/go-syslog/v4/rfc5424"
)

func main() {
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		read, err := rfc5424.NewParser().Parse(lines.Bytes())
		if err != nil {
			fmt.Println("refused:", err)
			continue
		}
		message := read.(*rfc5424.SyslogMessage)
		fmt.Println("read:", message.Timestamp, *message.Message)
	}
}
GO
go mod init finding >/dev/null 2>&1
go get github.com/leodido/go-syslog/v4@v4.6.0 >/dev/null 2>&1
node write.js >written
go run -mod=mod . <written >read
cat written read | tee seen
diff seen - <<'OUT'
<190>1 2026-11-30T03:04:05+00:00 web-1 web - - - hour 3
<190>1 2026-11-30T03:04:05+00:00 web-1 web - - - hour 15
read: 2026-11-30 03:04:05 +0000 UTC hour 3
read: 2026-11-30 03:04:05 +0000 UTC hour 15
OUT
