#!/usr/bin/env bash
# Events of Slack in slack-payload 1.0.11, whose `user_id` and `channel_id` are documented as the ID of the user and of the channel.
# Guess: the ID, whichever event it is.
# Seen:  where Slack sends the whole user or channel, as in `team_join`, `user_change`, `channel_created` and `channel_rename`, the object is
#        returned. As the key of a map or of a record in Redis, every such user becomes `[object Object]`, one and the same.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund slack-payload@1.0.11 >/dev/null 2>&1
cat >read.js <<'JS'
const Payload = require('slack-payload');
const events = [
  { type: 'message', user: 'U1', channel: 'C1' },
  { type: 'team_join', user: { id: 'U1', name: 'kim' } },
  { type: 'channel_rename', channel: { id: 'C1', name: 'incidents' } },
];
for (const event of events) {
  const { user_id, channel_id } = new Payload({ type: 'event_callback', event });
  console.log(`${event.type}: user ${user_id}, channel ${channel_id}`);
}
JS
node read.js | tee seen
diff seen - <<'OUT'
message: user U1, channel C1
team_join: user [object Object], channel undefined
channel_rename: user undefined, channel [object Object]
OUT
