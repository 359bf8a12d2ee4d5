#!/usr/bin/env bash
# What keeps a rollout from its end, in detectErrors of @backstage/plugin-kubernetes-common 0.9.15, from which the Kubernetes
# tab of Backstage takes its list of errors.
# Guess: an image that cannot be pulled, a pod that no node takes, an init container that crashes and a quota that forbids the
#        pods are errors. One restart a year ago is none.
# Seen:  of these four, the image alone. The tab reports no error while a rollout waits for a node, crashes in its init container
#        or may create no pod, until the progress deadline has passed. The restart of last year is an error.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"module"}' >package.json
npm install --silent --no-audit --no-fund @backstage/plugin-kubernetes-common@0.9.15 >/dev/null 2>&1
cat >read.mjs <<'EOF'
import { detectErrors } from '@backstage/plugin-kubernetes-common';
const objectOf = (type, status) => {
  const metadata = { name: 'web', namespace: 'shop' };
  return { type, resources: [{ metadata, spec: { containers: [{ name: 'web' }] }, status }] };
};
const podOf = (phase, status) => objectOf('pods', { phase, ...status });
const deploymentOf = (condition) => objectOf('deployments', { conditions: [condition] });
const containerOf = (state, restartCount = 0) => ({ name: 'web', ready: !!state.running, restartCount, state });
const waiting = (reason, message) => ({ waiting: { reason, message } });
const unschedulable = { type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message: '0/3 nodes' };
const cases = {
  image: podOf('Pending', { containerStatuses: [containerOf(waiting('ImagePullBackOff', 'Back-off pulling'))] }),
  'no node': podOf('Pending', { conditions: [unschedulable] }),
  'init container': podOf('Pending', {
    initContainerStatuses: [{ ...containerOf(waiting('CrashLoopBackOff', 'back-off 5m0s'), 9), name: 'migrate' }],
    containerStatuses: [containerOf(waiting('PodInitializing'))],
  }),
  quota: deploymentOf({ type: 'ReplicaFailure', status: 'True', reason: 'FailedCreate', message: 'exceeded quota' }),
  deadline: deploymentOf({ type: 'Progressing', status: 'False', reason: 'ProgressDeadlineExceeded', message: 'timed out' }),
  'last year': podOf('Running', { containerStatuses: [containerOf({ running: { startedAt: '2025-01-01T00:00:00Z' } }, 1)] }),
};
for (const [name, resource] of Object.entries(cases)) {
  const items = [{ cluster: { name: 'c' }, resources: [resource], podMetrics: [], errors: [] }];
  const types = detectErrors({ items }).get('c').map(({ type }) => type);
  console.log(`${name}: ${types.join() || 'no error'}`);
}
EOF
node read.mjs | tee seen
diff seen - <<'EOF'
image: container-waiting
no node: no error
init container: no error
quota: no error
deadline: condition-message-present
last year: containers-restarting
EOF
