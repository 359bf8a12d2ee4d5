#!/usr/bin/env bash
# Two lines with a field, sent by @logtape/syslog 1.3.10 over UDP to the loopback address, and read by a parser in
# Go (github.com/leodido/go-syslog 4.6.0). The names of the fields are labels of Kubernetes.
# Guess: both lines are read. A name longer than the 32 characters of RFC 5424 is cut, or its field is left out.
# Seen:  the name of 37 characters is written as it is, and the reader refuses the whole line. No error is raised.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"module"}' >package.json
npm install --silent --no-audit --no-fund @logtape/syslog@1.3.10 >/dev/null 2>&1
cat >send.mjs <<'JS'
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { getSyslogSink } from '@logtape/syslog';
const server = createSocket('udp4');
server.bind(0, '127.0.0.1');
await once(server, 'listening');
const { port } = server.address();
const format = { appName: 'web', processId: '1', syslogHostname: 'web-1', includeStructuredData: true };
const send = getSyslogSink({ hostname: '127.0.0.1', port, protocol: 'udp', ...format });
for (const name of ['app.kubernetes.io/name', 'app.kubernetes.io/managed-by-operator']) {
  const received = once(server, 'message');
  const line = { category: [], level: 'info', message: ['started'], rawMessage: '', timestamp: 0 };
  send({ ...line, properties: { [name]: 'web' } });
  console.log(String((await received)[0]));
}
server.close();
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
node send.mjs >written
go run -mod=mod . <written >read
cat written read | cut -c1-110 | tee seen
diff seen - <<'OUT'
<134>1 1970-01-01T00:00:00.000Z web-1 web 1 - [logtape@32473 app.kubernetes.io/name="web"] started
<134>1 1970-01-01T00:00:00.000Z web-1 web 1 - [logtape@32473 app.kubernetes.io/managed-by-operator="web"] star
read: started
refused: expecting a structured data parameter (`key="value"`, both part from 1 to max 32 US-ASCII characters;
OUT
