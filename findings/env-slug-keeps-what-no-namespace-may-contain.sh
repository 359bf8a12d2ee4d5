#!/usr/bin/env bash
# Names of Git branches in @socialgouv/env-slug 1.2.3, which generates the name of a Kubernetes namespace from the name of a branch.
# Guess: a valid name of a namespace for each: lower-case letters, digits and dashes.
# Seen:  an underscore, a dot, a slash and an exclamation mark are replaced, but a plus sign, a bracket and a quotation mark stay, so the API
#        server refuses the namespace. `hotfix+1` is returned unchanged, without the suffix that marks a changed name.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund @socialgouv/env-slug@1.2.3 >/dev/null 2>&1
cat >name.js <<'JS'
const { generate } = require('@socialgouv/env-slug');
for (const branch of ['release/1.2', 'fix_web', 'fix!', 'feature/c++-client', 'fix/(web)', "fix/don't-wait", 'hotfix+1']) {
  const name = generate(branch);
  const valid = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/.test(name);
  console.log(`${branch}: ${name} ${valid ? 'valid' : 'refused'}`);
}
JS
node name.js | tee seen
diff seen - <<'OUT'
release/1.2: release-1-2-4nm0y0 valid
fix_web: fix-web-ouztet valid
fix!: fix-3w92so valid
feature/c++-client: feature-c++-client-1bczp2 refused
fix/(web): fix-(web)-1wfil1 refused
fix/don't-wait: fix-don't-wait-5ucslh refused
hotfix+1: hotfix+1 refused
OUT
