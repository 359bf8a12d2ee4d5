#!/usr/bin/env bash
# The option `eagerBackgroundCheck` of medicus 1.3.0, which "controls whether a health check runs immediately" when the check in the background
# starts. Its default is true. The interval of the check is a minute.
# Guess: one check at once by default and with true, and none with false.
# Seen:  one check in all three cases. The option is read only after the check has started, and only when it is true, so false never has
#        an effect. A service that is still starting is reported as unhealthy by the check that should have waited.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"module"}' >package.json
npm install --silent --no-audit --no-fund medicus@1.3.0 >/dev/null 2>&1
cat >check.js <<'JS'
import { Medicus } from 'medicus';
for (const options of [{}, { eagerBackgroundCheck: true }, { eagerBackgroundCheck: false }]) {
  let checks = 0;
  const medicus = new Medicus({ checkers: { queue: () => void (checks += 1) }, backgroundCheckInterval: 60_000, ...options });
  await new Promise(setImmediate);
  console.log(`${JSON.stringify(options)}: ${checks} at once`);
  medicus.stopBackgroundCheck();
}
process.exit();
JS
node check.js | tee seen
diff seen - <<'OUT'
{}: 1 at once
{"eagerBackgroundCheck":true}: 1 at once
{"eagerBackgroundCheck":false}: 1 at once
OUT
