#!/usr/bin/env bash
# The page of an incident, translated to blocks of Slack by html-to-slack 0.3.7: a heading with the name of the workload as code, a
# heading in bold, and a paragraph whose source has a line break.
# Guess: the blocks have the text of the page, with or without its formatting; a line break in HTML is a space.
# Seen:  a heading ends where its first formatting begins, so the name and what happened are lost. A heading that begins with formatting is left
#        out, so its paragraph belongs to the heading above. The two words at a line break become one.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"module"}' >package.json
npm install --silent --no-audit --no-fund html-to-slack@0.3.7 >/dev/null 2>&1
cat >translate.mjs <<'JS'
import parseHtml from 'html-to-slack';
const page = `<h2>Rollout of <code>web</code> is stuck</h2><p>Two pods\nare pending.</p><h2><b>Resolved</b></h2><p>All is ready.</p>`;
for (const block of parseHtml(page)) {
  const texts = block.elements?.map(({ elements }) => elements.map(({ text }) => text.trim()).join(''));
  console.log(block.type, JSON.stringify(block.text?.text ?? texts));
}
JS
node translate.mjs | tee seen
diff seen - <<'OUT'
header "Rollout of "
rich_text ["Two podsare pending.","All is ready."]
OUT
