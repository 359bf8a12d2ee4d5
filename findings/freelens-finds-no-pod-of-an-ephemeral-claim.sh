#!/usr/bin/env bash
# Two claims that running pods have mounted: one that the pod names, one that Kubernetes made for the pod (`ephemeral`
# volume). Who uses them, by @freelensapp/kube-object 1.9.0, the model behind the page of a claim in the desktop Freelens.
# Guess: each claim has its pod; the second one is owned by it as well.
# Seen:  the second has none. A search for claims that nobody uses, as before a clean-up of a full quota, finds volumes in use.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
npm install --silent --no-audit --no-fund --ignore-scripts @freelensapp/kube-object@1.9.0 >/dev/null 2>&1
cat >read.js <<'EOF'
const { PersistentVolumeClaim, Pod } = require('@freelensapp/kube-object');

const metadataOf = (name, more) => ({
  name,
  namespace: 'shop',
  uid: name,
  resourceVersion: '1',
  creationTimestamp: '2026-11-20T09:00:00Z',
  selfLink: '/filled/by/its/client',
  ...more,
});
const template = { spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '9Gi' } } } };
const podOf = (name, volume) =>
  new Pod({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: metadataOf(name),
    spec: { containers: [{ name: 'app', image: 'app:1' }], volumes: [volume] },
    status: { phase: 'Running' },
  });
const pods = [
  podOf('db', { name: 'data', persistentVolumeClaim: { claimName: 'db-data' } }),
  podOf('web', { name: 'scratch', ephemeral: { volumeClaimTemplate: template } }),
];
const owner = { apiVersion: 'v1', kind: 'Pod', name: 'web', uid: 'web', controller: true };
const claims = [metadataOf('db-data'), metadataOf('web-scratch', { ownerReferences: [owner] })].map(
  (metadata) =>
    new PersistentVolumeClaim({
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      metadata,
      spec: template.spec,
      status: { phase: 'Bound' },
    }),
);
for (const claim of claims) {
  console.log(`${claim.getName()}: ${claim.getPods(pods).map((pod) => pod.getName()).join() || 'no pod'}`);
}
EOF
node read.js | tee seen
diff seen - <<'EOF'
db-data: db
web-scratch: no pod
EOF
