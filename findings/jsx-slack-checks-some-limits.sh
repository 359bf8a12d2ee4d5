#!/usr/bin/env bash
# Limits of Block Kit in jsx-slack 6.1.2.
# Guess: as it refuses an <Actions> of 26 elements by its number, it refuses what else is over a documented limit: 51 blocks
#        (50), a header of 200 characters (150), a section of 3,500 (3,000), a menu of 101 options (100).
# Seen:  only the elements of <Actions> are counted; the other messages are made and fail at Slack.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"module"}' >package.json
npm install --silent --no-audit --no-fund jsx-slack@6.1.2 >/dev/null 2>&1
cat >run.mjs <<'EOF'
import { JSXSlack, jsxslack } from 'jsx-slack';
const many = (count, make) => Array.from({ length: count }, (_, at) => make(at));
const tried = {
  '26 elements': () => JSXSlack(jsxslack`<Blocks><Actions>${many(26, (at) => jsxslack`<Button actionId=${'a' + at}>x</Button>`)}</Actions></Blocks>`),
  '51 blocks': () => JSXSlack(jsxslack`<Blocks>${many(51, () => jsxslack`<Divider />`)}</Blocks>`),
  'a header of 200': () => JSXSlack(jsxslack`<Blocks><Header>${'x'.repeat(200)}</Header></Blocks>`),
  'a section of 3,500': () => JSXSlack(jsxslack`<Blocks><Section>${'x'.repeat(3500)}</Section></Blocks>`),
  '101 options': () => JSXSlack(jsxslack`<Blocks><Actions><Select>${many(101, (at) => jsxslack`<Option value=${'a' + at}>x</Option>`)}</Select></Actions></Blocks>`),
};
for (const [name, make] of Object.entries(tried)) {
  try {
    make();
    console.log(name + ': made');
  } catch (error) {
    console.log(name + ': ' + error.message);
  }
}
EOF
TZ=UTC node run.mjs | tee seen
diff seen - <<'EOF'
26 elements: <Actions> can contain up to 25 elements, but there are 26 elements.
51 blocks: made
a header of 200: made
a section of 3,500: made
101 options: made
EOF
