#!/usr/bin/env bash
# Three values of `appVersion` in a Chart.yaml, changed by @davidspekorg/semantic-release-helm 1.1.1 for a minor release with the policy
# "desync", "version will be increased according to `nextRelease.type`".
# Guess: `v2.4.0` for `v2.3.1`, `2.4.0` for `2.3.1`, and an error for `2.3`, which has no third number.
# Seen:  the `v` is dropped, and the field with two numbers is removed without an error. A chart that takes the tag of its image from
#        `appVersion` then names an image that does not exist, or none.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"module"}' >package.json
npm install --silent --no-audit --no-fund @davidspekorg/semantic-release-helm@1.1.1 >/dev/null 2>&1
cat >prepare.mjs <<'JS'
import { readFileSync, writeFileSync } from 'node:fs';
import { prepare } from '@davidspekorg/semantic-release-helm';

const config = { ociRegistry: 'registry.example/shop', appVersionUpdatePolicy: 'desync' };
const context = { cwd: process.cwd(), env: {}, logger: { log() {} }, nextRelease: { version: '1.3.0', type: 'minor' } };
for (const appVersion of ['v2.3.1', '2.3.1', '2.3']) {
  writeFileSync('Chart.yaml', `apiVersion: v2\nname: shop\nversion: 1.2.3\nappVersion: "${appVersion}"\n`);
  await prepare(config, context);
  console.log(`${appVersion}: ${/appVersion: .*/.exec(readFileSync('Chart.yaml', 'utf8'))?.[0] ?? 'no appVersion'}`);
}
JS
node prepare.mjs | tee seen
diff seen - <<'OUT'
v2.3.1: appVersion: 2.4.0
2.3.1: appVersion: 2.4.0
2.3: no appVersion
OUT
