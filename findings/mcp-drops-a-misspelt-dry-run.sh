#!/usr/bin/env bash
# A tool of the Model Context Protocol that is called with a misspelt optional argument, `dry_run` for `dryRun`
# (@modelcontextprotocol/sdk 1.32.2 with zod 4.6.7 and with zod 3.25.76).
# Guess: an error that names the argument, so that the model corrects its call.
# Seen:  the argument is dropped and the tool runs for real. With zod 3 the server even announces
#        `additionalProperties: false` for the same tool. Only `z.strictObject` makes the call fail.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
cat >call.mjs <<'EOF'
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { z } from 'zod';
const shape = { deployment: z.string(), dryRun: z.boolean().optional() };
for (const inputSchema of [shape, z.strictObject(shape)]) {
  const server = new McpServer({ name: 'rollouts', version: '1.0.0' });
  server.registerTool('rollback', { inputSchema }, ({ dryRun }) => ({
    content: [{ type: 'text', text: dryRun ? 'dry run' : 'rolled back' }],
  }));
  const client = new Client({ name: 'model', version: '1.0.0' });
  const [ofServer, ofClient] = InMemoryTransport.createLinkedPair();
  await Promise.all([server.connect(ofServer), client.connect(ofClient)]);
  const { tools } = await client.listTools();
  const { content } = await client.callTool({ name: 'rollback', arguments: { deployment: 'web', dry_run: true } });
  console.log(`additionalProperties ${tools[0].inputSchema.additionalProperties}: ${content[0].text.replace(/.*(?=Unrecognized)/, '')}`);
}
EOF
for zod in 4.6.7 3.25.76; do
  rm -rf node_modules package-lock.json
  echo '{"private":true,"type":"module"}' >package.json
  npm install --silent --no-audit --no-fund @modelcontextprotocol/sdk@1.32.2 zod@$zod >/dev/null 2>&1
  echo "zod $zod"
  node call.mjs
done | tee seen
diff seen - <<'EOF'
zod 4.6.7
additionalProperties undefined: rolled back
additionalProperties false: Unrecognized key: "dry_run"
zod 3.25.76
additionalProperties false: rolled back
additionalProperties false: Unrecognized key(s) in object: 'dry_run'
EOF
