#!/usr/bin/env bash
# A plan of Terraform in JSON for @ahmadnassri/terraform-unidiff 4.0.5: a change of a Deployment gives it more
# replicas and an address that is known after the apply. Terraform leaves such a value out of `after` and names
# it in `after_unknown`.
# Guess: the line of the address is unchanged, or it states that the new address is not known yet.
# Seen:  the line is removed. The package does not read `after_unknown`, so a reviewer sees that the apply
#        deletes the address.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"module"}' >package.json
npm install --silent --no-audit --no-fund @ahmadnassri/terraform-unidiff@4.0.5 >/dev/null 2>&1
cat >plan.mjs <<'JS'
import unidiff from '@ahmadnassri/terraform-unidiff';
const change = {
  actions: ['update'],
  before: { replicas: 1, address: '10.0.0.7' },
  after: { replicas: 3 },
  after_unknown: { address: true },
};
const type = 'kubernetes_deployment';
const resource = { address: `${type}.web`, type, name: 'web', mode: 'managed', change };
const { patches } = unidiff({ format_version: '1.2', terraform_version: '1.9.0', resource_changes: [resource] });
console.log(patches[0].split('\n').filter((line) => /^[-+ ]\w/.test(line)).join('\n'));
JS
node plan.mjs | tee seen
diff seen - <<'OUT'
-replicas: 1
-address: 10.0.0.7
+replicas: 3
OUT
