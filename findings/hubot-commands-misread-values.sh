#!/usr/bin/env bash
# Commands of a deploy bot in hubot 14.1.0, whose registered commands have arguments with types and a preview to confirm.
# Guess: `--image web:2` sets the image, and `--force false` says no, as `force:false` does.
# Seen:  a value with a colon is no value: the image is "true", and another argument `web` is 2. Quotes do not
#        help, so no image with a tag, URL or time of day can be written so. `--force false` forces. Nothing is refused; a command
#        without confirmation deploys an image named "true".
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"module"}' >package.json
npm install --silent --no-audit --no-fund hubot@14.1.0 >/dev/null 2>&1
cat >run.mjs <<'EOF'
import { CommandBus } from 'hubot';
const bus = new CommandBus({});
const args = { image: { type: 'string', required: true }, force: { type: 'boolean', default: false } };
bus.register({ id: 'deploy', confirm: 'always', args, handler: () => 'deployed' });
const context = { user: { id: 'U1' }, room: 'C1' };
for (const text of ['--image web:2', '--image "web:2"', 'image:web:2', '--image web --force false', '--image web force:false']) {
  const { proposal } = await bus.invoke(`deploy ${text}`, context);
  console.log(`${text} -> ${proposal.preview}`);
}
bus.clearPendingProposals();
process.exit();
EOF
node run.mjs | tee seen
diff seen - <<'EOF'
--image web:2 -> deploy --image true --web 2 --force false
--image "web:2" -> deploy --image true --web 2 --force false
image:web:2 -> deploy --image web:2 --force false
--image web --force false -> deploy --image web --force true
--image web force:false -> deploy --image web --force false
EOF
