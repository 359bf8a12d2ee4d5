#!/usr/bin/env bash
# A card of the Chat SDK (chat 4.41.1) whose approval has expired, with a button `disabled: true`, turned into Block Kit by
# @chat-adapter/slack 4.41.1.
# Guess: Slack has no disabled buttons, so the adapter leaves the button out, shows its label as text, or refuses it. The type
#        promises an inactive button.
# Seen:  the same blocks as without `disabled`, without a warning. The button looks alive and its action arrives, so an expired
#        approval can be clicked until the handler itself refuses it.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"module"}' >package.json
npm install --silent --no-audit --no-fund chat@4.41.1 @chat-adapter/slack@4.41.1 >/dev/null 2>&1
cat >read.mjs <<'EOF'
import { cardToBlockKit } from '@chat-adapter/slack';
import { Actions, Button, Card } from 'chat';
for (const disabled of [false, true]) {
  const button = Button({ id: 'approve', label: 'Approve', value: 'plan-7', disabled });
  console.log(disabled, JSON.stringify(cardToBlockKit(Card({ children: [Actions([button])] }))));
}
EOF
node read.mjs | tee seen
blocks='[{"type":"actions","elements":[{"type":"button","text":{"type":"plain_text","text":"Approve","emoji":true},"action_id":"approve","value":"plan-7"}]}]'
diff seen - <<EOF
false $blocks
true $blocks
EOF
