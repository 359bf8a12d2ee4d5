#!/usr/bin/env bash
# The versions that two ranges have in common, by semver-set 0.1.2: a chart for Kubernetes 1.27 to 1.29 with a minimum of 1.25, and a client
# for versions 1.2 and 2 with a minimum of 1.0. The ranges are read by semver 4.3.6, which the library itself uses.
# Guess: the narrower range of each pair as it was.
# Seen:  a range that ends before a `.0` is written with `~` or `^`, although it spans more than one version of that kind. Versions 1.28 and
#        1.29 of Kubernetes, and version 2 of the client, are no longer in the range.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund semver-set@0.1.2 semver@4.3.6 >/dev/null 2>&1
cat >intersect.js <<'JS'
const { satisfies } = require('semver');
const { intersect } = require('semver-set');
const cases = [
  ['>=1.27.0 <1.30.0', '>=1.25.0', ['1.27.3', '1.29.0']],
  ['>=1.2.0 <3.0.0', '>=1.0.0', ['1.9.0', '2.1.0']],
];
for (const [narrow, wide, versions] of cases) {
  const range = intersect(narrow, wide);
  const text = versions.map((version) => `${version} ${satisfies(version, narrow)} and ${satisfies(version, range)}`);
  console.log(`${narrow} with ${wide}: ${range}, in the narrow range and in the result: ${text.join(', ')}`);
}
JS
node intersect.js | tee seen
diff seen - <<'OUT'
>=1.27.0 <1.30.0 with >=1.25.0: ~1.27.0, in the narrow range and in the result: 1.27.3 true and true, 1.29.0 true and false
>=1.2.0 <3.0.0 with >=1.0.0: ^1.2.0, in the narrow range and in the result: 1.9.0 true and true, 2.1.0 true and false
OUT
