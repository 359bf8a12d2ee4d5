#!/usr/bin/env bash
# A service with two components of one name and different ids, checked by @hathor/healthcheck-lib 0.1.0. Its types describe the name as
# "human-readable" and the id as the "unique identifier of the component". The first component fails.
# Guess: status fail and HTTP status 503, as with two different names.
# Seen:  the result of the later component takes the place of the earlier one with its name. The service reports pass and 200, and
#        the failed component is not in the answer. The order of the components decides.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"module"}' >package.json
npm install --silent --no-audit --no-fund @hathor/healthcheck-lib@0.1.0 >/dev/null 2>&1
cat >check.js <<'JS'
import library from '@hathor/healthcheck-lib';
const { Healthcheck, HealthcheckCallbackResponse, HealthcheckDatastoreComponent } = library;

async function check(...states) {
  const service = new Healthcheck({ name: 'shop' });
  for (const [name, id, status] of states) {
    const component = new HealthcheckDatastoreComponent({ name, id });
    service.add_component(component.add_healthcheck(async () => new HealthcheckCallbackResponse({ status, output: id })));
  }
  const { status, checks, httpStatusCode } = await service.run();
  return `${status}, ${httpStatusCode}, reported: ${Object.values(checks).flat().map(({ componentId }) => componentId)}`;
}
console.log(`two names: ${await check(['Redis of jobs', 'redis-0', 'fail'], ['Redis of locks', 'redis-1', 'pass'])}`);
console.log(`one name, the first fails: ${await check(['Redis', 'redis-0', 'fail'], ['Redis', 'redis-1', 'pass'])}`);
console.log(`one name, the second fails: ${await check(['Redis', 'redis-0', 'pass'], ['Redis', 'redis-1', 'fail'])}`);
JS
node check.js | tee seen
diff seen - <<'OUT'
two names: fail, 503, reported: redis-0,redis-1
one name, the first fails: pass, 200, reported: redis-1
one name, the second fails: fail, 503, reported: redis-1
OUT
