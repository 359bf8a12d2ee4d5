#!/usr/bin/env bash
# The three lists of scheduled maintenance in statuspage.io 3.3.8: `getActive`, "in progress or verifying", `getUpcoming`, and `getAll`, "the 50
# most recent". The paths of Statuspage are `scheduled-maintenances/active.json`, `/upcoming.json` and `scheduled-maintenances.json`.
# Guess: each function asks for its own path.
# Seen:  all three ask for the upcoming maintenance. While one is in progress, the list of active ones does not contain it, and there is no
#        error. The unresolved incidents have their own path. The newest version, 3.4.6, contains no code.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund statuspage.io@3.3.8 >/dev/null 2>&1
cat >ask.js <<'JS'
const { Statuspage } = require('statuspage.io');
const page = new Statuspage('shop');
page.apiClient.defaults.adapter = async (config) => ({ data: config.url, status: 200, headers: {}, config });

async function run() {
  const { incidents, scheduledMaintenances } = page.api;
  for (const name of ['getActive', 'getUpcoming', 'getAll']) console.log(`maintenance, ${name}: ${await scheduledMaintenances[name]()}`);
  for (const name of ['getUnresolved', 'getAll']) console.log(`incidents, ${name}: ${await incidents[name]()}`);
}
run();
JS
node ask.js | tee seen
diff seen - <<'OUT'
maintenance, getActive: /api/v2/scheduled-maintenances/upcoming.json
maintenance, getUpcoming: /api/v2/scheduled-maintenances/upcoming.json
maintenance, getAll: /api/v2/scheduled-maintenances/upcoming.json
incidents, getUnresolved: /api/v2/incidents/unresolved.json
incidents, getAll: /api/v2/incidents.json
OUT
