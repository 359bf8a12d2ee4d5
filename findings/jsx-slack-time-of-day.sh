#!/usr/bin/env bash
# The fallback of a date in jsx-slack 6.1.2, which notifications and old clients show: <time> with `{time}`.
# Guess: '10:45 PM', as Slack documents the token ({time}: 12-hour format, or 24-hour by the reader's setting).
# Seen:  '22:45 PM', a 24-hour clock with the mark of a 12-hour one; after midnight '00:05 AM'.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"module"}' >package.json
npm install --silent --no-audit --no-fund jsx-slack@6.1.2 >/dev/null 2>&1
cat >run.mjs <<'EOF'
import { JSXSlack, jsxslack } from 'jsx-slack';
for (const seconds of [1636238751, 1636243551]) {
  const [block] = JSXSlack(jsxslack`<Blocks><Context><time datetime=${seconds}>{time}</time></Context></Blocks>`);
  console.log(block.elements[0].text);
}
EOF
TZ=UTC node run.mjs | tee seen
diff seen - <<'EOF'
<!date^1636238751^{time}|22:45 PM>
<!date^1636243551^{time}|00:05 AM>
EOF
