#!/usr/bin/env bash
# The number of ready pods as a condition in a card for Microsoft Teams: `if(ready, ...)` in a text and `$when` of an element
# (adaptivecards-templating 2.3.1 with adaptive-expressions 4.23.3).
# Guess: 2 says yes and 0 says no in both, as in JavaScript.
# Seen:  `if` says yes to every number and `$when` says no to every number, without an error. With no pod ready the text reads
#        "serving"; with two, the line that counts them is hidden. A comparison (`ready > 0`) is right in both places.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"module"}' >package.json
npm install --silent --no-audit --no-fund adaptivecards-templating@2.3.1 adaptive-expressions@4.23.3 >/dev/null 2>&1
cat >card.mjs <<'EOF'
import templating from 'adaptivecards-templating';
const condition = (expression) => [
  { type: 'TextBlock', text: `\${if(${expression}, 'serving', 'down')}` },
  { type: 'TextBlock', $when: `\${${expression}}`, text: '${string(ready)} pods are ready' },
];
for (const ready of [2, 0]) {
  for (const expression of ['ready', 'ready > 0']) {
    const template = new templating.Template({ type: 'AdaptiveCard', body: condition(expression) });
    const { body } = template.expand({ $root: { ready } });
    console.log(`${ready} by ${expression}:`, body.map(({ text }) => text).join(', '));
  }
}
EOF
node card.mjs | tee seen
diff seen - <<'EOF'
2 by ready: serving
2 by ready > 0: serving, 2 pods are ready
0 by ready: serving
0 by ready > 0: down
EOF
