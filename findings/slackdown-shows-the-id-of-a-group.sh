#!/usr/bin/env bash
# A message of Slack, turned into HTML by slackdown 0.1.1 (the npm package, not @bpinternal/slackdown). It
# mentions a user, a user group and a date, each with a text to show.
# Guess: bob, @oncall and "10:00".
# Seen:  `subteam^S1` for the group, and the format of the date for the date. The package shows what stands
#        before the bar for each command, and it shows the text of users only.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund slackdown@0.1.1 >/dev/null 2>&1
cat >mention.js <<'JS'
const { parse } = require('slackdown');
for (const mention of ['<@U1|bob>', '<!subteam^S1|@oncall>', '<!date^1767261600^{time}|10:00>']) {
  console.log(`${mention}: ${parse(mention).replace(/<[^>]*>/g, '')}`);
}
JS
node mention.js | tee seen
diff seen - <<'OUT'
<@U1|bob>: bob
<!subteam^S1|@oncall>: subteam^S1
<!date^1767261600^{time}|10:00>: date^1767261600^{time}
OUT
