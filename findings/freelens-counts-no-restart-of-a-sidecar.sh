#!/usr/bin/env bash
# A pod whose native sidecar (an init container that restarts always) crash-loops, and one whose init container does, read by
# @freelensapp/kube-object 1.9.0, the model behind the list of pods of the desktop Freelens.
# Guess: 7 and 3 restarts with the reason CrashLoopBackOff, as `kubectl get pods` shows them.
# Seen:  no restart for either, and as their states the bare phases. What takes the pod down is in no column; only a third pod,
#        whose application crashes, has its restarts counted.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
npm install --silent --no-audit --no-fund --ignore-scripts @freelensapp/kube-object@1.9.0 >/dev/null 2>&1
cat >read.js <<'EOF'
const { Pod } = require('@freelensapp/kube-object');

const crashing = { waiting: { reason: 'CrashLoopBackOff', message: 'back-off 5m0s restarting failed container' } };
const running = { running: { startedAt: '2026-11-20T09:00:00Z' } };
const statusOf = (name, restartCount, state) => ({ name, restartCount, ready: state === running, state });
const podOf = (name, phase, initContainers, initContainerStatuses, containerStatuses) =>
  new Pod({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name,
      namespace: 'shop',
      uid: name,
      resourceVersion: '1',
      creationTimestamp: '2026-11-20T09:00:00Z',
      selfLink: '/filled/by/its/client',
    },
    spec: { initContainers, containers: [{ name: 'app', image: 'app:1' }] },
    status: { phase, conditions: [{ type: 'Ready', status: 'False' }], initContainerStatuses, containerStatuses },
  });
const sidecar = { name: 'proxy', image: 'proxy:1', restartPolicy: 'Always' };
const migration = { name: 'migrate', image: 'app:1' };
const pods = [
  podOf('sidecar', 'Running', [sidecar], [statusOf('proxy', 7, crashing)], [statusOf('app', 0, running)]),
  podOf('init', 'Pending', [migration], [statusOf('migrate', 3, crashing)], [
    statusOf('app', 0, { waiting: { reason: 'PodInitializing' } }),
  ]),
  podOf('application', 'Running', undefined, undefined, [statusOf('app', 9, crashing)]),
];
for (const pod of pods) {
  console.log(`${pod.getName()}: ${pod.getStatusMessage()}, ${pod.getRestartsCount()} restarts`);
}
EOF
node read.js | tee seen
diff seen - <<'EOF'
sidecar: Running, 0 restarts
init: Pending, 0 restarts
application: Running, 9 restarts
EOF
