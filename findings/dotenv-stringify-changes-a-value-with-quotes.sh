#!/usr/bin/env bash
# The tag of an answer of HTTP, which is a text in quotes, written by dotenv-stringify 3.0.1 "per the motdotla/dotenv
# parser" and read by that parser (dotenv 16.6.1), beside a text with one quote.
# Guess: the same values.
# Seen:  neither. One quote gets a backslash that the reader keeps, and the reader takes the quotes of the text in
#        quotes for its own and removes them.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"module"}' >package.json
npm install --silent --no-audit --no-fund dotenv-stringify@3.0.1 dotenv@16.6.1 >/dev/null 2>&1
cat >round.mjs <<'JS'
import { parse } from 'dotenv';
import stringify from 'dotenv-stringify';
for (const ETAG of ['5"', '"5"']) console.log(`${ETAG}: ${parse(stringify({ ETAG })).ETAG}`);
JS
node round.mjs | tee seen
diff seen - <<'OUT'
5": 5\"
"5": 5
OUT
