import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ensureNode, ensurePackage } from '../../../scripts/installed-node.mjs';
import { type McpRig, startMcpRig, tokens } from '../../support/mcp-rig.js';

const run = promisify(execFile);
const suite = { name: '@modelcontextprotocol/conformance', version: '0.1.16' } as const;

/**
 * The suite calls tools, prompts and resources of a reference server by their names. This server has none of
 * them.
 */
const notApplicable = {
  'no prompts': [
    ...['prompts-list', 'prompts-get-simple', 'prompts-get-with-args'],
    ...['prompts-get-embedded-resource', 'prompts-get-with-image'],
  ],
  'no resources': [
    ...['resources-list', 'resources-read-text', 'resources-read-binary', 'resources-templates-read'],
    ...['resources-subscribe', 'resources-unsubscribe'],
  ],
  'tools of the reference server': [
    ...['tools-call-simple-text', 'tools-call-image', 'tools-call-audio', 'tools-call-embedded-resource'],
    ...['tools-call-mixed-content', 'tools-call-with-logging', 'tools-call-error'],
    ...['tools-call-with-progress', 'tools-call-sampling', 'tools-call-elicitation'],
    ...['elicitation-sep1034-defaults', 'elicitation-sep1330-enums', 'json-schema-2020-12'],
  ],
  'no sessions: each request is answered by itself': ['server-sse-polling', 'server-sse-multiple-streams'],
  'no logging and no completion': ['logging-set-level', 'completion-complete'],
};

let rig: McpRig;
let proxy: Server;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rollout-doctor-conformance-'));
  rig = await startMcpRig();
  proxy = createServer((incoming, outgoing) => {
    const headers = { ...incoming.headers, authorization: `Bearer ${tokens.oncall}` };
    incoming.pipe(
      request(rig.url, { method: incoming.method, headers }, (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(outgoing);
      }),
    );
  }).listen(0, '127.0.0.1');
});
afterAll(async () => {
  proxy.close();
  await rig.stack.stop();
  await rm(folder, { recursive: true });
});

it('passes the conformance suite of MCP in every scenario that applies, and fails the others', async () => {
  const node =
    Number(process.versions.node.split('.')[0]) >= 22 ? process.execPath : join(ensureNode(24) ?? '', 'node');
  const program = join(ensurePackage(suite.name, suite.version), 'dist/index.js');
  const failing = join(folder, 'not-applicable.yaml');
  await writeFile(failing, JSON.stringify({ server: Object.values(notApplicable).flat() }));
  const url = `http://localhost:${(proxy.address() as AddressInfo).port}/mcp`;
  const args = [program, 'server', '--url', url, '--suite', 'all', '--expected-failures', failing];
  const { stdout } = await run(node, args, { cwd: folder, maxBuffer: 50_000_000 }).catch(
    (error: { readonly stdout: string }) => {
      throw new Error(error.stdout);
    },
  );
  for (const scenario of ['server-initialize', 'ping', 'tools-list', 'dns-rebinding-protection']) {
    expect(stdout).toMatch(new RegExp(`✓ ${scenario}: `));
  }
});
