#!/usr/bin/env bash
# An assistant pages through the incidents of Datadog by the tool `get-incidents` of datadog-mcp-server 1.0.9: two incidents a page, then
# the next two, with the archived ones. nock 13.5.6 answers in place of Datadog and prints each address.
# Guess: pageSize, pageOffset and includeArchived, which the tool announces, reach Datadog.
# Seen:  none of them does: the tool hands them to the client of Datadog under other names, and that client drops names that it does not
#        know. Each page is the first one of ten, so a model that pages until it finds an incident reads the same ones again and
#        again, and never an older one.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund datadog-mcp-server@1.0.9 @datadog/datadog-api-client@1.35.0 nock@13.5.6 >/dev/null 2>&1
cat >page.js <<'JS'
const nock = require('nock');
process.env.DD_API_KEY = process.env.DD_APP_KEY = 'key';
const { getIncidents } = require('datadog-mcp-server/dist/tools/getIncidents.js');
nock.disableNetConnect();
nock('https://api.datadoghq.com')
  .persist()
  .get('/api/v2/incidents')
  .query(true)
  .reply(200, (uri) => {
    const query = new URL(uri, 'https://api.datadoghq.com').searchParams;
    const offset = Number(query.get('page[offset]'));
    const size = Number(query.get('page[size]') ?? 10);
    const data = Array.from({ length: 4 }, (_, index) => ({ id: `incident-${index + 1}`, type: 'incidents' }));
    console.log(`Datadog receives ${uri}`);
    return { data: data.slice(offset, offset + size) };
  });
(async () => {
  getIncidents.initialize();
  for (const pageOffset of [0, 2]) {
    const { data } = await getIncidents.execute({ pageSize: 2, pageOffset, includeArchived: true });
    console.log(`page from ${pageOffset}:`, data.map(({ id }) => id).join(', '));
  }
})();
JS
node page.js 2>/dev/null | tee seen
diff seen - <<'OUT'
Datadog receives /api/v2/incidents
page from 0: incident-1, incident-2, incident-3, incident-4
Datadog receives /api/v2/incidents
page from 2: incident-1, incident-2, incident-3, incident-4
OUT
