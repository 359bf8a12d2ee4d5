#!/usr/bin/env bash
# Lines of the log of a Deployment, judged by the detector of errors of kfctl 0.2.1, which collects the errors while it follows the log.
# Guess: a line of the level ERROR or FATAL is an error, and so is a panic of Go.
# Seen:  a line with one of the words path, method, protocol, scheme or duration before a colon is taken for the log of a request and is no error,
#        whatever its level. A panic counts only if its text contains "error". "finished without error" is one.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"module"}' >package.json
npm pack --silent kfctl@0.2.1 >/dev/null 2>&1
tar xzf kfctl-0.2.1.tgz
cat >judge.mjs <<'JS'
import { defaultErrorDetector as isError } from './package/dist/utils/errorDetector.js';
const lines = [
  'ERROR cannot read the configuration',
  'ERROR cannot read the configuration, path: /etc/web.yaml',
  'FATAL cannot listen, protocol: tcp',
  'panic: assignment to entry in nil map',
  'INFO finished without error',
];
for (const line of lines) console.log(isError(line) ? 'error   ' : 'no error', line);
JS
node judge.mjs | tee seen
diff seen - <<'OUT'
error    ERROR cannot read the configuration
no error ERROR cannot read the configuration, path: /etc/web.yaml
no error FATAL cannot listen, protocol: tcp
no error panic: assignment to entry in nil map
error    INFO finished without error
OUT
