#!/usr/bin/env bash
# The state and the parent of our own process by procfs-stats 1.0.2, before and after it takes a name with a
# space, as tmux and log shippers have.
# Guess: the same values, with another name.
# Seen:  each field behind the name moves by one: the state is a part of the name, and the parent is the
#        state.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund procfs-stats@1.0.2 >/dev/null 2>&1
cat >run.js <<'JS'
const stats = require('procfs-stats');
const show = (title, next) => {
  process.title = title;
  stats(process.pid).stat((error, { comm, state, ppid }) => {
    const parent = Number(ppid) === process.ppid ? 'its parent' : ppid;
    const shown = /^[RSD]$/.test(state) ? 'one letter' : state;
    console.log(`${title}: name ${comm}, state ${shown}, parent ${parent.replace(/^[RSD]$/, 'one letter')}`);
    next?.();
  });
};
show('shipper', () => show('log shipper'));
JS
node run.js | tee seen
diff seen - <<'OUT'
shipper: name (shipper), state one letter, parent its parent
log shipper: name (log, state shipper), parent one letter
OUT
