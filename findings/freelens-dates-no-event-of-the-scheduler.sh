#!/usr/bin/env bash
# An event as kube-scheduler writes it (`eventTime` and `reportingComponent`, no `firstTimestamp`, `lastTimestamp` or
# `source`), and one as the kubelet writes it, read by @freelensapp/kube-object 1.9.0, the model behind the lists of the
# desktop Freelens.
# Guess: age and source of both: `eventTime` stands in for the absent times.
# Seen:  the scheduler's event is `NaNy` old and of an `<unknown>` source. `FailedScheduling`, which explains a stuck rollout, is
#        the event without an age, so a refusal of a week ago looks like one of now.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
npm install --silent --no-audit --no-fund --ignore-scripts @freelensapp/kube-object@1.9.0 >/dev/null 2>&1
cat >read.js <<'EOF'
const { KubeEvent } = require('@freelensapp/kube-object');

const anHourAgo = new Date(Date.now() - 3_630_000);
const eventOf = (reason, more) =>
  new KubeEvent({
    apiVersion: 'v1',
    kind: 'Event',
    metadata: {
      name: 'e',
      namespace: 'shop',
      uid: 'u',
      resourceVersion: '1',
      creationTimestamp: anHourAgo.toISOString(),
      selfLink: '/filled/by/its/client',
    },
    involvedObject: { kind: 'Pod', name: 'web', namespace: 'shop' },
    type: 'Warning',
    reason,
    ...more,
  });
const seconds = `${anHourAgo.toISOString().slice(0, 19)}Z`;
const ofKubelet = {
  eventTime: null,
  firstTimestamp: seconds,
  lastTimestamp: seconds,
  source: { component: 'kubelet', host: 'n' },
};
const ofScheduler = {
  eventTime: anHourAgo.toISOString().replace('Z', '000Z'),
  firstTimestamp: null,
  lastTimestamp: null,
  source: {},
  reportingComponent: 'default-scheduler',
};
for (const event of [eventOf('BackOff', ofKubelet), eventOf('FailedScheduling', ofScheduler)]) {
  console.log(`${event.reason}: ${event.getLastSeenTime()} ago, from ${event.getSource()}`);
}
EOF
node read.js | tee seen
diff seen - <<'EOF'
BackOff: 60m ago, from kubelet n
FailedScheduling: NaNy ago, from <unknown>
EOF
