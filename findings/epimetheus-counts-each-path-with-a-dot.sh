#!/usr/bin/env bash
# Requests to a server of node:http, counted by epimetheus 1.0.92, where "/users/freddie is labelled /users/ so as not to flood prometheus
# with labels".
# Guess: `/releases/` for each release, and `/releases/` for the list with a query.
# Seen:  a path with a dot is kept whole, so each version of a release and each time in a query is a label of its own. A query without a
#        dot is taken for the last part of the path, so the list of releases is counted under `/`.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund epimetheus@1.0.92 >/dev/null 2>&1
cat >count.js <<'JS'
const { createServer } = require('node:http');
const epimetheus = require('epimetheus');

const server = createServer((request, response) => request.url === '/metrics' || response.end('done'));
epimetheus.instrument(server);
server.listen(0, '127.0.0.1', async () => {
  const read = async (path) => (await fetch(`http://127.0.0.1:${server.address().port}${path}`)).text();
  for (const path of ['/releases/web', '/releases/web-1.4.2', '/releases/web-1.4.3', '/releases?limit=5', '/releases?since=1.5']) {
    const counts = async () => (await read('/metrics')).match(/^http_request_duration_milliseconds_count.*/gm) ?? [];
    const before = await counts();
    await read(path);
    const [series] = (await counts()).filter((line) => !before.includes(line));
    console.log(`${path}: ${/path="([^"]*)"/.exec(series)[1]}`);
  }
  process.exit();
});
JS
node --no-warnings count.js | tee seen
diff seen - <<'OUT'
/releases/web: /releases/
/releases/web-1.4.2: /releases/web-1.4.2
/releases/web-1.4.3: /releases/web-1.4.3
/releases?limit=5: /
/releases?since=1.5: /releases?since=1.5
OUT
