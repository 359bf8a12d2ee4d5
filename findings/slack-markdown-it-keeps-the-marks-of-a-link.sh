#!/usr/bin/env bash
# A bold word in the text of a link and one beside it, rendered by slack-markdown-it 1.0.5 in markdown-it 8.4.2 and in 14.1.0. The plugin names
# no version of markdown-it. It is written for browsers, so the script gives it a `window`.
# Guess: both words are bold in both versions.
# Seen:  in 14.1.0 the stars of the word in the link stay as text. Newer versions keep the marks of a link in a list of their own, which
#        the plugin does not read. The word beside the link is bold in both, so the plugin seems to work.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund slack-markdown-it@1.0.5 markdown-it@14.1.0 markdown-it-8@npm:markdown-it@8.4.2 >/dev/null 2>&1
cat >render.js <<'JS'
globalThis.window = globalThis;
const { default: slack } = require('slack-markdown-it');
for (const name of ['markdown-it-8', 'markdown-it']) {
  const html = require(name)().use(slack).renderInline('[*logs* of web](https://logs.example) for *web*');
  console.log(`${require(`${name}/package.json`).version}: ${html}`);
}
JS
node render.js | tee seen
diff seen - <<'OUT'
8.4.2: <a href="https://logs.example"><strong>logs</strong> of web</a> for <strong>web</strong>
14.1.0: <a href="https://logs.example">*logs* of web</a> for <strong>web</strong>
OUT
