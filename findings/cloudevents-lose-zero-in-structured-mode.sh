#!/usr/bin/env bash
# An event whose data is a plain value, such as the number of ready pods, written and read again by cloudevents 10.0.0, the SDK for
# JavaScript, in the structured mode of HTTP.
# Guess: the reader gets the data that the body of the request holds.
# Seen:  0, false and "" are gone, although the body holds them: the reader gets an event without data, and no error. Code that
#        warns when no pod is ready (`data === 0`) never does.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"module"}' >package.json
npm install --silent --no-audit --no-fund cloudevents@10.0.0 >/dev/null 2>&1
cat >read.mjs <<'EOF'
import { CloudEvent, HTTP } from 'cloudevents';
for (const data of [3, 0, true, false, '']) {
  const { headers, body } = HTTP.structured(new CloudEvent({ id: '1', source: '/shop/web', type: 'rollout.ready', data }));
  console.log(`written ${JSON.stringify(JSON.parse(body).data)}, read ${JSON.stringify(HTTP.toEvent({ headers, body }).data)}`);
}
EOF
node read.mjs | tee seen
diff seen - <<'EOF'
written 3, read 3
written 0, read undefined
written true, read true
written false, read undefined
written "", read undefined
EOF
