#!/usr/bin/env bash
# A manifest with a Job that has `generateName: migrate-`, so that each deployment creates a new one, in the Include of cdk8s 2.70.106.
# Guess: the Job keeps `generateName` and has no name, because Include takes manifests as they are.
# Seen:  cdk8s adds a name, which depends on the place in the chart only, and which Kubernetes prefers. The second deployment finds
#        the finished Job of the first: with the same image it does nothing, so no migration runs, and with a new image the API
#        server refuses it, because the template of a Job is immutable.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"module"}' >package.json
npm install --silent --no-audit --no-fund cdk8s@2.70.106 constructs@10.4.2 >/dev/null 2>&1
cat >include.mjs <<'EOF'
import { writeFileSync } from 'node:fs';
import { Chart, Include, Testing } from 'cdk8s';
for (const image of ['shop:1', 'shop:2']) {
  const container = { name: 'migrate', image };
  const spec = { template: { spec: { restartPolicy: 'Never', containers: [container] } } };
  const job = { apiVersion: 'batch/v1', kind: 'Job', metadata: { generateName: 'migrate-' }, spec };
  writeFileSync('job.yaml', JSON.stringify(job));
  const chart = new Chart(Testing.app(), 'shop');
  new Include(chart, 'jobs', { url: 'job.yaml' });
  console.log(image, JSON.stringify(Testing.synth(chart)[0].metadata));
}
EOF
node include.mjs | tee seen
diff seen - <<'EOF'
shop:1 {"generateName":"migrate-","name":"shop-jobs-object0-job-c8c2cc63"}
shop:2 {"generateName":"migrate-","name":"shop-jobs-object0-job-c8c2cc63"}
EOF
