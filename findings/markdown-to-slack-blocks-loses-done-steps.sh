#!/usr/bin/env bash
# The steps of a runbook in Markdown, as markdown-to-slack-blocks 1.5.0 writes them for Slack. Its README names task lists as a
# reason to use it instead of the Markdown of Slack.
# Guess: a done step differs from an open one, the third step has the number 3 (`offset` of `rich_text_list`), and a list in a quote
#        is shown.
# Seen:  done and open steps are equal, the numbers start at 1 again after each block of code, and the list in the quote is gone,
#        all without an error. A reader repeats what is done, and "go on with step 3" names another step.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"module"}' >package.json
npm install --silent --no-audit --no-fund markdown-to-slack-blocks@1.5.0 >/dev/null 2>&1
cat >convert.mjs <<'EOF'
import { markdownToBlocks } from 'markdown-to-slack-blocks';

const textOf = ({ text = '', elements = [] }) => text + elements.map(textOf).join(' ');
const show = (markdown) => {
  for (const { elements } of markdownToBlocks(markdown)) {
    for (const { type, style, offset, elements: items } of elements) {
      console.log(type, style, 'offset', offset, JSON.stringify(items.map(textOf)));
    }
  }
};
show('- [x] drain the node\n- [ ] delete the node');
show('1. Read the log:\n\n```\nkubectl logs web-1\n```\n\n2. Roll back.');
show('> Before you start:\n> - page the owner');
EOF
node convert.mjs | tee seen
diff seen - <<'EOF'
rich_text_list bullet offset undefined ["drain the node","delete the node"]
rich_text_list ordered offset undefined ["Read the log:"]
rich_text_preformatted undefined offset undefined ["kubectl logs web-1"]
rich_text_list ordered offset undefined ["Roll back."]
rich_text_quote undefined offset undefined ["Before you start:"]
EOF
