#!/usr/bin/env bash
# A calendar that ends with a line end, as RFC 5545 asks, read and written again by ical-js-parser 0.7.4.
# Guess: the same lines.
# Seen:  the last shift has a field `e` with the end of the line PRODID, without an error, and a line for it is written.
#        Without the line end behind the calendar it is not there.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund ical-js-parser@0.7.4 >/dev/null 2>&1
cat >read.js <<'JS'
const { default: parser } = require('ical-js-parser');
const lines = [
  'BEGIN:VCALENDAR',
  'VERSION:2.0',
  'PRODID:-//shop//on-call//EN',
  'BEGIN:VEVENT',
  'UID:1',
  'DTSTAMP:20260301T000000Z',
  'DTSTART:20260310T090000Z',
  'DTEND:20260310T170000Z',
  'SUMMARY:Ann',
  'END:VEVENT',
  'END:VCALENDAR',
];
for (const end of ['', '\r\n']) {
  const read = parser.toJSON(lines.join('\r\n') + end);
  console.log(`end ${JSON.stringify(end)}: errors ${JSON.stringify(read.errors)}`);
  const written = parser.toString(read).split(/\r?\n/);
  console.log('new lines:', written.filter((line) => line !== '' && !lines.includes(line)).join(', ') || 'none');
}
JS
node read.js | tee seen
diff seen - <<'OUT'
end "": errors []
new lines: none
end "\r\n": errors []
new lines: E:EN
OUT
