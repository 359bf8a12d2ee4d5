#!/usr/bin/env bash
# The id of the pod, read by container-info 1.1.0 from the cgroup file of a static pod, like kube-apiserver on
# a node of kubeadm. The kubelet gives a static pod a UID of 32 hexadecimal digits without dashes.
# Guess: the UID of the pod, as for each other pod.
# Seen:  the id of the container only. The package knows UIDs with dashes only, so the components of the
#        control plane have no pod.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund container-info@1.1.0 >/dev/null 2>&1
cat >parse.js <<'JS'
const { parse } = require('container-info');
const container = '2227daf62df6694645fee5df53c1f91271546a9560e8600a525690ae252b7f63';
const pods = { created: '90d81341-92de-11e7-8cf2-507b9d4141fa', static: 'f2d9a1c64ad3b9e41a5c0f6d1e8b7c35' };
for (const [kind, uid] of Object.entries(pods)) {
  const { podId, containerId } = parse(`0::/kubepods/burstable/pod${uid}/${container}`);
  console.log(`${kind}: pod ${podId}, container ${containerId.slice(0, 12)}`);
}
JS
node parse.js | tee seen
diff seen - <<'OUT'
created: pod 90d81341-92de-11e7-8cf2-507b9d4141fa, container 2227daf62df6
static: pod undefined, container 2227daf62df6
OUT
