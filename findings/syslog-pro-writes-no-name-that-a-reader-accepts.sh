#!/usr/bin/env bash
# Two lines of RFC 5424 of syslog-pro 1.0.0, one with the name of the application and one without, read by a parser
# in Go (github.com/leodido/go-syslog 4.6.0). The description states "NodeJSLogger" as the default of the
# name.
# Guess: both are read. The RFC has "-" for what is unknown, as syslog-pro writes for the process.
# Seen:  the name is empty without the setting. The reader finds two spaces and refuses the line.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund syslog-pro@1.0.0 >/dev/null 2>&1
cat >write.js <<'JS'
const { RFC5424 } = require('syslog-pro');
(async () => {
  for (const options of [{ applacationName: 'web' }, {}]) {
    const writer = new RFC5424({ hostname: 'web-1', timestamp: false, utf8BOM: false, ...options });
    process.stdout.write(await writer.buildMessage('started'));
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
		fmt.Println("read:", *message.Message)
	}
}
GO
go mod init finding >/dev/null 2>&1
go get github.com/leodido/go-syslog/v4@v4.6.0 >/dev/null 2>&1
node write.js >written
go run -mod=mod . <written >read
cat written read | tee seen
diff seen - <<'OUT'
<190>1 - web-1 web - - - started
<190>1 - web-1  - - - started
read: started
refused: expecting an app-name (from 1 to max 48 US-ASCII characters) or a nil value [col 15]
OUT
