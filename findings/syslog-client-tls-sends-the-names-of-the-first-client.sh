#!/usr/bin/env bash
# Two clients of syslog-client-tls 1.2.1 with different names send a line each, with one object of options for
# the severity. A third client gets an object of its own.
# Guess: each line has the host name and the application name of its client.
# Seen:  the first client writes its names and its facility into the options of its caller. The second client
#        sends the names of the first one. The third one sends its own.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund syslog-client-tls@1.2.1 >/dev/null 2>&1
cat >send.js <<'JS'
const { createSocket } = require('node:dgram');
const { createClient, Transport, Severity, Facility } = require('syslog-client-tls');
const server = createSocket('udp4');
const received = [];
server.on('message', (packet) => {
  const [priority, , host, application] = packet.toString().split(' ');
  received.push(`${priority} ${host} ${application}`);
  if (received.length < 3) return;
  console.log(received.sort().join('\n'));
  process.exit(0);
});
server.bind(0, '127.0.0.1', () => {
  const { port } = server.address();
  const connect = (name, facility) =>
    createClient('127.0.0.1', { port, transport: Transport.Udp, rfc3164: false, facility, appName: name,
      syslogHostname: `host-of-${name}` });
  const options = { severity: Severity.Error };
  connect('one', Facility.Local1).log('late', options);
  connect('two', Facility.Local2).log('late', options);
  connect('three', Facility.Local3).log('late', { severity: Severity.Error });
});
JS
node send.js | tee seen
diff seen - <<'OUT'
<139>1 host-of-one one
<139>1 host-of-one one
<155>1 host-of-three three
OUT
