#!/usr/bin/env bash
# Text with a mark of mrkdwn inside a formatted element of jsx-slack 6.1.2, such as a label selector in bold.
# Guess: the asterisk or backtick is left out, replaced by a similar character, or ends the format.
# Seen:  each mark becomes a date token without a date whose fallback is the mark. What a program reads back from the message
#        (search, message shortcut, export) is no longer the command that was sent.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"module"}' >package.json
npm install --silent --no-audit --no-fund jsx-slack@6.1.2 >/dev/null 2>&1
cat >run.mjs <<'EOF'
import { JSXSlack, jsxslack } from 'jsx-slack';
const textOf = (blocks) => JSXSlack(blocks)[0].text.text;
console.log(textOf(jsxslack`<Blocks><Section><b>${'-l app=*web*'}</b></Section></Blocks>`));
console.log(textOf(jsxslack`<Blocks><Section><code>${'echo `date`'}</code></Section></Blocks>`));
console.log(textOf(jsxslack`<Blocks><Section>${'-l app=*web*'}</Section></Blocks>`));
EOF
TZ=UTC node run.mjs | tee seen
diff seen - <<'EOF'
*-l app=<!date^00000000^{_}|*>web<!date^00000000^{_}|*>*
`echo <!date^00000000^{_}|`>date<!date^00000000^{_}|`>`
-l app=*web*
EOF
