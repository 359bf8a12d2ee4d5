#!/usr/bin/env bash
# Mentions of two users in slack-to-html 2.1.0, whose option `users` is documented as the map from the ID of a user to the name. The IDs of
# Slack's users begin with U or, in an Enterprise organization, with W.
# Guess: both names, since both IDs are in the map.
# Seen:  only an ID with U is looked up. An ID with W is taken for the name itself, and a name that the mention brings along becomes
#        a part of it: the reader sees `@W012AB3CD|lee`, without an error.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"module"}' >package.json
npm install --silent --no-audit --no-fund slack-to-html@2.1.0 >/dev/null 2>&1
cat >render.mjs <<'JS'
import { escapeForSlack } from 'slack-to-html';
const users = { U012AB3CD: 'kim', W012AB3CD: 'lee' };
for (const mention of ['<@U012AB3CD>', '<@W012AB3CD>', '<@U012AB3CD|kim>', '<@W012AB3CD|lee>']) {
  console.log(`${mention}: ${escapeForSlack(mention, { users }).replace(/<[^>]*>/g, '')}`);
}
JS
node render.mjs | tee seen
diff seen - <<'OUT'
<@U012AB3CD>: @kim
<@W012AB3CD>: @W012AB3CD
<@U012AB3CD|kim>: @kim
<@W012AB3CD|lee>: @W012AB3CD|lee
OUT
