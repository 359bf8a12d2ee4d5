#!/usr/bin/env bash
# A CronJob from @cubos/kube-templates 1.0.1130932 with `timeoutSeconds: 600`.
# Guess: the Job is ended after ten minutes (`activeDeadlineSeconds` of the Job).
# Seen:  the limit is written into the pod. Kubernetes ends the pod after ten minutes and the Job starts another one, six more times by
#        default, since no `backoffLimit` is written. A nightly backup that hangs runs for more than an hour and is begun seven times.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund @cubos/kube-templates@1.0.1130932 js-yaml@4.1.1 >/dev/null 2>&1
cat >write.js <<'JS'
const { Cron } = require('@cubos/kube-templates');
const { loadAll } = require('js-yaml');
const amounts = { cpu: { request: '1', limit: '1' }, memory: { request: '1Gi', limit: '1Gi' } };
const cron = new Cron({ name: 'backup' }, { image: 'backup:1', schedule: '0 3 * * *', ...amounts, timeoutSeconds: 600 });
const { spec: job } = loadAll(cron.yaml).find((object) => object?.kind === 'CronJob').spec.jobTemplate;
console.log(`Job: deadline ${job.activeDeadlineSeconds}, retries ${job.backoffLimit}`);
console.log(`pod: deadline ${job.template.spec.activeDeadlineSeconds}, restarts ${job.template.spec.restartPolicy}`);
JS
node write.js | tee seen
diff seen - <<'OUT'
Job: deadline undefined, retries undefined
pod: deadline 600, restarts Never
OUT
