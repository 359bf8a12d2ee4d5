#!/usr/bin/env bash
# An input for a number of replicas, at least 0, in slack-block-builder 2.8.0.
# Guess: the limit reaches Slack, as one of 1 does, and as `minLength(0)` of a text does.
# Seen:  a limit or an initial value of 0 is left out without an error: the reader can enter -1, or finds no value.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"module"}' >package.json
npm install --silent --no-audit --no-fund slack-block-builder@2.8.0 >/dev/null 2>&1
cat >read.mjs <<'EOF'
import builder from 'slack-block-builder';
const show = (element) => {
  const block = builder.Input({ label: 'Replicas' }).element(element);
  console.log(JSON.stringify(builder.Modal({ title: 'Scale' }).blocks(block).buildToObject().blocks[0].element));
};
show(builder.NumberInput({ actionId: 'n', minValue: 1, initialValue: 1 }));
show(builder.NumberInput({ actionId: 'n', minValue: 0, initialValue: 0 }));
show(builder.TextInput({ actionId: 't', minLength: 0 }));
EOF
node read.mjs | tee seen
diff seen - <<'EOF'
{"action_id":"n","min_value":"1","initial_value":"1","type":"number_input"}
{"action_id":"n","type":"number_input"}
{"action_id":"t","min_length":0,"type":"plain_text_input"}
EOF
