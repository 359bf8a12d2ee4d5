#!/usr/bin/env bash
# Two files in KUBECONFIG, each with a current context, in @kubernetes/client-node 2.0.1.
# Guess: the current context of the first file counts, and of two clusters with one name the first: kubectl documents that
#        the first file that sets a value wins.
# Seen:  the current context of the last file counts, so a program acts on production in the shell where kubectl acts on
#        staging. If both files name their cluster `kubernetes`, as kubeadm does, nothing loads at all.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"module","overrides":{"undici":"7.16.0"}}' >package.json
npm install --silent --no-audit --no-fund @kubernetes/client-node@2.0.1 >/dev/null 2>&1
cat >read.mjs <<'EOF'
import { writeFileSync } from 'node:fs';
import { KubeConfig } from '@kubernetes/client-node';
const write = (name, cluster) =>
  writeFileSync(
    `${cluster}-${name}`,
    JSON.stringify({
      apiVersion: 'v1',
      kind: 'Config',
      'current-context': name,
      clusters: [{ name: cluster, cluster: { server: `https://${name}.example.com` } }],
      users: [{ name, user: { token: name } }],
      contexts: [{ name, context: { cluster, user: name } }],
    }),
  );
for (const clusters of [['blue', 'green'], ['kubernetes', 'kubernetes']]) {
  write('staging', clusters[0]);
  write('production', clusters[1]);
  process.env.KUBECONFIG = `${clusters[0]}-staging:${clusters[1]}-production`;
  try {
    const config = new KubeConfig();
    config.loadFromDefault();
    console.log(config.getCurrentCluster().server);
  } catch (error) {
    console.log(error.message);
  }
}
EOF
node read.mjs | tee seen
diff seen - <<'EOF'
https://production.example.com
Duplicate cluster: kubernetes
EOF
