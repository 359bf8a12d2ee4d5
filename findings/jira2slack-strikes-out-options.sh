#!/usr/bin/env bash
# Commands of a ticket about a stuck rollout, copied to Slack by jira2slack 1.3.0: in a block of code, in monospaced text, and a manifest.
# Guess: code stays as it was written; Jira and Slack both show code without formatting.
# Seen:  the text between two dashes is taken for struck-out text, so `exec -it web-0 -- sh` becomes `exec ~it web-0~ - sh`. The comment
#        of a manifest becomes `1.` and its list becomes bullets. Who copies from Slack runs another command, or none.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"module"}' >package.json
npm install --silent --no-audit --no-fund jira2slack@1.3.0 >/dev/null 2>&1
cat >copy.mjs <<'JS'
import jira2slack from 'jira2slack';
const texts = [
  '{noformat}kubectl exec -it web-0 -- sh{noformat}',
  'Run {{kubectl logs web-0 -c app --previous}} first.',
  '{code}\nargs:\n# see the runbook\n- --force\n{code}',
];
for (const text of texts) console.log(jira2slack.toSlack(text));
JS
node copy.mjs | tee seen
diff seen - <<'OUT'
```kubectl exec ~it web-0~ - sh```
Run `kubectl logs web-0 ~c app~ -previous` first.
```
args:
1. see the runbook
• --force
```
OUT
