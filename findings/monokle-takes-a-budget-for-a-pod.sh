#!/usr/bin/env bash
# The links of a Service and of a Deployment, checked with the plugin `resource-links` of @monokle/validation 0.33.0. The Service selects
# pods that are in no manifest; the Deployment needs a Secret that is in no manifest.
# Guess: both links are missing, whichever other resource has the labels or the name.
# Seen:  a link is missing only until a resource comes whose kind contains the word. With the labels on a PodDisruptionBudget, a PodMonitor or
#        a CronJob, the Service has its pods; a SecretStore of the same name is the Secret. The manifests that go together in
#        practice are the ones for which nothing is reported.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"module"}' >package.json
npm install --silent --no-audit --no-fund @monokle/validation@0.33.0 >/dev/null 2>&1
cat >check.mjs <<'JS'
import { ResourceParser, createDefaultMonokleValidator, processRefs } from '@monokle/validation';

const resource = (apiVersion, kind, spec = {}) => {
  const content = { apiVersion, kind, metadata: { name: 'web', labels: { app: 'web' } }, spec };
  return { id: kind, name: 'web', apiVersion, kind, content, text: JSON.stringify(content), fileId: kind, filePath: `${kind}.yaml`, fileOffset: 0 };
};
const service = resource('v1', 'Service', { selector: { app: 'web' } });
const container = { name: 'web', image: 'web:1', envFrom: [{ secretRef: { name: 'web' } }] };
const template = { metadata: { labels: { app: 'web' } }, spec: { containers: [container] } };
const deployment = resource('apps/v1', 'Deployment', { selector: { matchLabels: { app: 'web' } }, template });
for (const resources of [
  [service],
  [service, resource('policy/v1', 'PodDisruptionBudget')],
  [service, resource('monitoring.coreos.com/v1', 'PodMonitor')],
  [service, resource('batch/v1', 'CronJob')],
  [deployment],
  [deployment, resource('external-secrets.io/v1', 'SecretStore')],
]) {
  const validator = createDefaultMonokleValidator();
  await validator.preload({ plugins: { 'resource-links': true } });
  processRefs(resources, new ResourceParser());
  const { runs } = await validator.validate({ resources });
  const missing = runs.flatMap(({ results }) => results).map(({ ruleId }) => ruleId);
  console.log(`${resources.map(({ kind }) => kind).join(' and ')}: ${missing.join() || 'nothing is missing'}`);
}
JS
node check.mjs | tee seen
diff seen - <<'OUT'
Service: LNK001
Service and PodDisruptionBudget: nothing is missing
Service and PodMonitor: nothing is missing
Service and CronJob: nothing is missing
Deployment: LNK001
Deployment and SecretStore: nothing is missing
OUT
