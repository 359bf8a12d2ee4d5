#!/usr/bin/env bash
# Paths with an encoded value, replaced by url-value-parser 2.2.0, which keeps the labels of request metrics few. It replaces "long base64 encoded
# strings". Its option `minBase64Length` has the default 66, and the values here have 80 characters.
# Guess: both values are replaced, with the default and with 64.
# Seen:  with the default, the value with `+` and `=` stays in the path, so each request gets a series of its own. The default is
#        divided by four, and a pattern of 16.5 groups is a text that matches nothing. A length that four divides works.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund url-value-parser@2.2.0 >/dev/null 2>&1
cat >replace.js <<'JS'
const Parser = require('url-value-parser');
const values = { 'URL-safe': `${'aZ-_'.repeat(20)}`, classic: `${'aZ+9'.repeat(19)}aZ==` };
for (const options of [{}, { minBase64Length: 64 }]) {
  for (const [name, value] of Object.entries(values)) {
    const path = new Parser(options).replacePathValues(`/objects/${value}`, ':value');
    console.log(`${JSON.stringify(options)}: ${name} value of ${value.length} characters ${path === '/objects/:value' ? 'replaced' : 'kept'}`);
  }
}
JS
node replace.js | tee seen
diff seen - <<'OUT'
{}: URL-safe value of 80 characters replaced
{}: classic value of 80 characters kept
{"minBase64Length":64}: URL-safe value of 80 characters replaced
{"minBase64Length":64}: classic value of 80 characters replaced
OUT
