#!/usr/bin/env bash
# The health check of @appliedblockchain/koa-healthcheck 1.3.0 in koa 2.16.1 with the custom report of its
# description, which has a text and a function: with the token of the health check, and without. The description
# promises the custom information in both cases.
# Guess: `foo: bar` and `bin: baz` in both answers.
# Seen:  the answer without the token has no `bin`. The package calls the functions for an answer with the token
#        only, so a check of a database is missing from the answer to a probe and does not run.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund @appliedblockchain/koa-healthcheck@1.3.0 koa@2.16.1 >/dev/null 2>&1
cat >custom.js <<'JS'
const Koa = require('koa');
const { healthcheck } = require('@appliedblockchain/koa-healthcheck');
const app = new Koa();
const token = 'example';
app.use(healthcheck({ custom: { foo: 'bar', bin: () => 'baz' } }, token));
const server = app.listen(0, '127.0.0.1', async () => {
  for (const [name, headers] of Object.entries({ 'with the token': { 'health-token': token }, without: {} })) {
    const answer = await fetch(`http://127.0.0.1:${server.address().port}/health`, { headers });
    const { foo, bin } = await answer.json();
    console.log(`${name}: foo ${foo}, bin ${bin}`);
  }
  process.exit(0);
});
JS
node custom.js | tee seen
diff seen - <<'OUT'
with the token: foo bar, bin baz
without: foo bar, bin undefined
OUT
