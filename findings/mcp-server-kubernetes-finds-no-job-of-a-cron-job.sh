#!/usr/bin/env bash
# The logs of a CronJob by the tool `kubectl_logs` of mcp-server-kubernetes 4.1.7. A stand-in for kubectl has the last run, with
# the name and the labels that the controllers gave it.
# Guess: the logs of the runs, found by the owner of their Jobs or by the name that they share.
# Seen:  "No jobs found", as a success. The tool selects Jobs whose label `job-name` is the name of the CronJob; that label holds
#        the name of each Job, which ends in the time of the run. No CronJob has a log, so a failed backup looks like one that
#        was never started.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"module"}' >package.json
npm install --silent --no-audit --no-fund mcp-server-kubernetes@4.1.7 @modelcontextprotocol/sdk@1.26.0 >/dev/null 2>&1
cat >config <<'EOF'
{"apiVersion":"v1","kind":"Config","current-context":"c","clusters":[{"name":"c","cluster":{"server":"http://127.0.0.1:1"}}],"users":[{"name":"c","user":{}}],"contexts":[{"name":"c","context":{"cluster":"c","user":"c"}}]}
EOF
cat >kubectl <<'EOF'
#!/bin/sh
case "$*" in
*' get jobs --selector=job-name=backup-29930580 '*) echo backup-29930580 ;;
*' get pods --selector=job-name=backup-29930580 '*) echo backup-29930580-x7k2p ;;
*' logs backup-29930580-x7k2p'*) echo 'disk full' ;;
esac
EOF
chmod +x kubectl
cat >logs.mjs <<'EOF'
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
const client = new Client({ name: 'assistant', version: '1.0.0' });
const env = { PATH: `${process.cwd()}:${process.env.PATH}`, KUBECONFIG: `${process.cwd()}/config` };
const args = ['node_modules/mcp-server-kubernetes/dist/index.js'];
await client.connect(new StdioClientTransport({ command: 'node', args, env, stderr: 'ignore' }));
for (const [resourceType, name] of [['job', 'backup-29930580'], ['cronjob', 'backup']]) {
  const request = { resourceType, name, namespace: 'shop' };
  const { isError = false, content } = await client.callTool({ name: 'kubectl_logs', arguments: request });
  const { logs, message } = JSON.parse(content[0].text);
  console.log(`${resourceType}, error ${isError}: ${message ?? JSON.stringify(logs)}`);
}
await client.close();
EOF
node logs.mjs | tee seen
diff seen - <<'EOF'
job, error false: {"backup-29930580-x7k2p":"disk full\n"}
cronjob, error false: No jobs found for cronjob backup in namespace shop
EOF
