#!/usr/bin/env bash
# Two releases of the beta branch of semantic-release, written into a Chart.yaml by semantic-release-helm 2.1.0. Both
# contain a breaking change, so the type of both is "major".
# Guess: the version of the chart is a beta as the version of the application is, and stays before 2.0.0.
# Seen:  the first beta is the chart 2.0.0, the second is 3.0.0. A user whose range excludes betas gets both.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund semantic-release-helm@2.1.0 js-yaml@4.3.2 >/dev/null 2>&1
mkdir chart
printf 'apiVersion: v2\nname: web\nversion: 1.4.0\nappVersion: 1.4.0\n' >chart/Chart.yaml
cat >release.js <<'JS'
const { prepare } = require('semantic-release-helm');
const { load } = require('js-yaml');
const fs = require('fs');
(async () => {
  for (const version of ['2.0.0-beta.1', '2.0.0-beta.2']) {
    const context = { env: {}, logger: { log() {} }, nextRelease: { version, type: 'major' } };
    await prepare({ chartPath: 'chart' }, context);
    const chart = load(fs.readFileSync('chart/Chart.yaml', 'utf8'));
    console.log(`application ${chart.appVersion}, chart ${chart.version}`);
  }
})();
JS
node release.js | tee seen
diff seen - <<'OUT'
application 2.0.0-beta.1, chart 2.0.0
application 2.0.0-beta.2, chart 3.0.0
OUT
