#!/usr/bin/env bash
# A line with an object in its text and in its fields, sent by @logtape/syslog 1.3.10 over UDP to the loopback
# address.
# Guess: the object as JSON in both places.
# Seen:  the text has the JSON, the field has "[object Object]", so what a rule can search for is lost.
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
const received = once(server, 'message');
const pod = { name: 'web-1', node: 'a' };
const line = { category: [], level: 'info', message: ['started ', pod, ''], rawMessage: '', timestamp: 0 };
send({ ...line, properties: { pod } });
console.log(String((await received)[0]));
server.close();
JS
node send.mjs | tee seen
diff seen - <<'OUT'
<134>1 1970-01-01T00:00:00.000Z web-1 web 1 - [logtape@32473 pod="[object Object\]"] started {"name":"web-1","node":"a"}
OUT
