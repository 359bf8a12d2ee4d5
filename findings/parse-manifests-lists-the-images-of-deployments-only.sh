#!/usr/bin/env bash
# The summary of a release by @socialgouv/parse-manifests 1.16.4, whose part "Docker images" lists what to pull: a Deployment, a StatefulSet and
# a CronJob, each with an image of its own.
# Guess: three images.
# Seen:  one, that of the Deployment. The list of objects names all three kinds, so the list of images looks complete. A mirror or a scan that
#        is filled from it has neither the image of the database nor that of the backup.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"module"}' >package.json
npm install --silent --no-audit --no-fund @socialgouv/parse-manifests@1.16.4 >/dev/null 2>&1
cat >release.yaml <<'YAML'
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec: {template: {spec: {containers: [{name: web, image: 'web:1'}]}}}
---
apiVersion: apps/v1
kind: StatefulSet
metadata: {name: database}
spec: {template: {spec: {containers: [{name: database, image: 'database:1'}]}}}
---
apiVersion: batch/v1
kind: CronJob
metadata: {name: backup}
spec: {jobTemplate: {spec: {template: {spec: {containers: [{name: backup, image: 'backup:1'}]}}}}}
YAML
npx parse-manifests --json <release.yaml >summary.json
node -p "const { manifests, images } = JSON.parse(fs.readFileSync('summary.json')); [manifests.map(({ kind }) => kind), images].join('\n')" | tee seen
diff seen - <<'OUT'
Deployment,StatefulSet,CronJob
web:1
OUT
