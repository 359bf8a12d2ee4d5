#!/usr/bin/env bash
# Subscriptions to a status page by statuspage.io 3.3.8. Statuspage creates one for a POST and removes one for a DELETE, both at
# `subscribers.json`.
# Guess: a POST and a DELETE at this path.
# Seen:  creating one sends a GET, which reads and creates nothing. Removing one sends a DELETE to the list of incidents. Neither
#        function reports that there is no new subscription, or that the old one stays.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund statuspage.io@3.3.8 >/dev/null 2>&1
cat >subscribe.js <<'JS'
const { Statuspage } = require('statuspage.io');
const page = new Statuspage('shop');
page.apiClient.defaults.adapter = async (config) => ({ data: `${config.method} ${config.url}`, status: 200, headers: {}, config });

async function run() {
  const { subscribers } = page.api;
  console.log(`create: ${await subscribers.createIncidentSubscription({ email: 'on-call@shop.example' })}`);
  console.log(`remove: ${await subscribers.removeSubscription('subscription')}`);
}
run();
JS
node subscribe.js | tee seen
diff seen - <<'OUT'
create: get /api/v2/subscribers.json
remove: delete /api/v2/incidents.json
OUT
