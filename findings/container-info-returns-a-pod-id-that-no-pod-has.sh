#!/usr/bin/env bash
# The id of a pod, read by container-info 1.1.0 from the cgroup file of a container. The systemd driver of the
# kubelet writes the UID of a pod with underscores, since a dash separates slices. The other driver keeps
# dashes.
# Guess: the same UID for both drivers, as the API server stores it.
# Seen:  the systemd driver yields a UID with underscores. A search for the pod by this UID finds nothing.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund container-info@1.1.0 >/dev/null 2>&1
cat >parse.js <<'JS'
const { parse } = require('container-info');
const container = '2227daf62df6694645fee5df53c1f91271546a9560e8600a525690ae252b7f63';
const uid = '90d81341-92de-11e7-8cf2-507b9d4141fa';
const slice = `kubepods-burstable-pod${uid.replaceAll('-', '_')}.slice`;
const systemd = `0::/kubepods.slice/kubepods-burstable.slice/${slice}/cri-containerd-${container}.scope`;
const cgroupfs = `0::/kubepods/burstable/pod${uid}/${container}`;
for (const [driver, contents] of Object.entries({ systemd, cgroupfs })) {
  console.log(`${driver}: ${parse(contents).podId}`);
}
JS
node parse.js | tee seen
diff seen - <<'OUT'
systemd: 90d81341_92de_11e7_8cf2_507b9d4141fa
cgroupfs: 90d81341-92de-11e7-8cf2-507b9d4141fa
OUT
