import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, InMemoryTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { answersFrom } from '#src/edges/cli/mcp-server.js';
import { runCli } from '#src/edges/cli/run-process.js';
import { createToolServer } from '#src/edges/mcp/tool-server.js';
import { scenariosFolder } from '../../support/scenarios/scenario-folders.js';

interface RawObject {
  readonly kind: string;
  readonly items?: readonly RawObject[];
}

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'unread-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** The objects of a recorded workload without a problem, but for some kinds. */
function recordingWithout(kinds: readonly string[]): string {
  const recorded = JSON.parse(
    readFileSync(join(scenariosFolder, 'healthy-slow-start', 'objects.json'), 'utf8'),
  ) as RawObject;
  const items = (recorded.items ?? []).filter(({ kind }) => !kinds.includes(kind));
  const file = join(folder, 'objects.json');
  writeFileSync(file, JSON.stringify({ ...recorded, items }));
  return file;
}

async function commandLine(args: readonly string[]): Promise<unknown> {
  let out = '';
  await runCli([...args, '-o', 'json'], {
    out: (text) => {
      out += text;
    },
    err: () => undefined,
    paint: { colour: false, width: 80 },
    watched: false,
  });
  return JSON.parse(out);
}

async function tools(from: string, calls: readonly { name: string; arguments: Record<string, unknown> }[]) {
  const server = createToolServer(answersFrom({ from }), { isShared: false });
  const [clientSide, serverSide] = InMemoryTransport.createLinkedPair();
  const client = new Client({ name: 'test', version: '1.0.0' });
  await Promise.all([server.connect(serverSide), client.connect(clientSide)]);
  const results = [];
  for (const call of calls) results.push(await client.callTool(call));
  await client.close();
  return results.map(({ structuredContent, content }) => ({
    structuredContent,
    text: content.flatMap((each) => (each.type === 'text' ? [each.text] : [])).join('\n'),
  }));
}

describe('the tools of assistants, of a file that lacks', () => {
  it.each([
    ['the pods', ['Pod']],
    ['the ReplicaSets', ['ReplicaSet']],
    ['the pods, the ReplicaSets and the events', ['Pod', 'ReplicaSet', 'Event']],
  ])('%s, answer as the command line: open, with what is missing', async (_, kinds) => {
    const from = recordingWithout(kinds);
    const [diagnosis, scan, certificate] = await tools(from, [
      { name: 'diagnose_rollout', arguments: { workload: 'shop/pricing' } },
      { name: 'scan_rollouts', arguments: {} },
      { name: 'certify_deadlock', arguments: { workload: 'shop/pricing' } },
    ]);
    expect(diagnosis?.structuredContent).toEqual(
      await commandLine(['diagnose', 'shop/pricing', '--from', from]),
    );
    expect(diagnosis?.structuredContent).toMatchObject({ conclusion: 'unread' });
    expect(diagnosis?.text).toContain('kubectl get');
    expect(scan?.structuredContent).toMatchObject({ items: [{ conclusion: 'unread' }] });
    expect(certificate?.structuredContent).toMatchObject({ kind: 'NoCertificate' });
    for (const each of [diagnosis, scan]) expect(each?.text).not.toContain('No problem found');
  });
});
