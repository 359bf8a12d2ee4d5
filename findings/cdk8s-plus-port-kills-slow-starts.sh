#!/usr/bin/env bash
# A container with a port and a patient liveness probe of its own (a start may take ten minutes), in cdk8s-plus-33 2.5.57
# (cdk8s 2.70.106).
# Guess: the container has the probe that was asked for.
# Seen:  it also has a startup probe on the port that nobody asked for, of three attempts. Kubernetes tries every ten seconds by
#        default, so a program that opens its port later than that is killed after 30 seconds, again and again, and the liveness
#        probe never counts. Without the port there is no startup probe.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"module"}' >package.json
npm install --silent --no-audit --no-fund cdk8s@2.70.106 cdk8s-plus-33@2.5.57 constructs@10.4.2 >/dev/null 2>&1
cat >read.mjs <<'EOF'
import { Chart, Duration, Testing } from 'cdk8s';
import { Deployment, Probe } from 'cdk8s-plus-33';
const liveness = Probe.fromHttpGet('/live', { port: 8080, initialDelaySeconds: Duration.minutes(10) });
for (const port of [{ portNumber: 8080 }, {}]) {
  const chart = new Chart(Testing.app(), 'shop');
  new Deployment(chart, 'model', { containers: [{ image: 'model:1', liveness, ...port }] });
  const [{ spec }] = Testing.synth(chart);
  const [{ livenessProbe, startupProbe }] = spec.template.spec.containers;
  console.log(livenessProbe.initialDelaySeconds, JSON.stringify(startupProbe));
}
EOF
node read.mjs | tee seen
diff seen - <<'EOF'
600 {"failureThreshold":3,"tcpSocket":{"port":8080}}
600 undefined
EOF
