#!/usr/bin/env bash
# A CronJob for every night at three in cdk8s-plus-33 2.5.57 (cdk8s 2.70.106), everything else left at its default.
# Guess: the defaults of Kubernetes: no starting deadline, so a run that is late starts late, and concurrent runs are allowed.
# Seen:  `startingDeadlineSeconds: 10` and `Forbid`. If no controller leads for ten seconds at three o'clock, as while the control
#        plane is upgraded, the run of this night is skipped without a Job, and so is one whose predecessor still runs.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"module"}' >package.json
npm install --silent --no-audit --no-fund cdk8s@2.70.106 cdk8s-plus-33@2.5.57 constructs@10.4.2 >/dev/null 2>&1
cat >read.mjs <<'EOF'
import { Chart, Cron, Testing } from 'cdk8s';
import { CronJob } from 'cdk8s-plus-33';
const chart = new Chart(Testing.app(), 'shop');
new CronJob(chart, 'backup', { schedule: Cron.schedule({ hour: '3', minute: '0' }), containers: [{ image: 'backup:1' }] });
const [{ spec }] = Testing.synth(chart);
console.log(spec.schedule, spec.startingDeadlineSeconds, spec.concurrencyPolicy);
EOF
node read.mjs | tee seen
diff seen - <<'EOF'
0 3 * * * 10 Forbid
EOF
