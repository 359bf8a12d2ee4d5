import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { GitConnections } from '#src/edges/git-hosts/connect-hosts.js';
import { connectGitHosts } from '#src/edges/git-hosts/connect-hosts.js';
import {
  createThreadedGitEditor,
  type ThreadedGitEditorOptions,
} from '#src/edges/threads/threaded-git-editor.js';
import { startLocalGitHost } from '../../../demo/git-host/local-git-host.js';
import { startLocalGitLabHost } from '../../../demo/git-host/local-gitlab-host.js';
import { buildApproval } from '../../support/slack-builders.js';

const repository = 'acme/deploy';
const place = { repository, branch: 'main', path: 'prod' } as const;
const { plan } = buildApproval();
const workload = { cluster: 'prod', kind: 'Deployment', namespace: 'shop', name: 'api' } as const;
const subject = {
  plan: { ...plan, changes: [{ path: 'spec.strategy.rollingUpdate.maxSurge', after: 0 }] },
  workload,
} as never;
const manifest =
  'apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: api, namespace: shop}\nspec:\n  replicas: 1\n';
const small = { 'prod/api.yaml': manifest };

type Files = Readonly<Record<string, string>>;
type Answer = (response: ServerResponse) => void;

interface Host {
  readonly connections: GitConnections;
  /** Bytes that were sent in place of the answers whose path matches. */
  readonly sent: () => number;
}

/** A server before a host that answers some paths itself. */
async function startBefore(
  upstream: string,
  matches: (path: string) => boolean,
  answer: Answer | undefined,
): Promise<{ readonly url: string; readonly sent: () => number }> {
  let sent = 0;
  const server = createServer(async (request, response) => {
    if (answer !== undefined && matches(request.url ?? '')) {
      request.socket.on('close', () => {
        sent += request.socket.bytesWritten;
      });
      answer(response);
      return;
    }
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    // `fetch` states the length itself; two of them are refused by some dispatchers.
    const { host: _, connection: _connection, 'content-length': _length, ...headers } = request.headers;
    const real = await fetch(`${upstream}${request.url}`, {
      method: request.method ?? 'GET',
      headers: headers as Record<string, string>,
      ...(chunks.length === 0 ? {} : { body: Buffer.concat(chunks) }),
    });
    response.writeHead(real.status, { ...Object.fromEntries(real.headers), connection: 'close' });
    response.end(Buffer.from(await real.arrayBuffer()));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, sent: () => sent };
}

async function startGitHub(files: Files, matches: (path: string) => boolean, answer?: Answer): Promise<Host> {
  const git = await startLocalGitHost({ repositories: { [repository]: files } });
  onTestFinished(() => git.close());
  const { url, sent } = await startBefore(git.url, matches, answer);
  const github = { ...git.app, apiUrl: url, timeoutMs: 60_000, repositories: [repository] };
  return { connections: { github }, sent };
}

async function startGitLab(files: Files, matches: (path: string) => boolean, answer?: Answer): Promise<Host> {
  const git = await startLocalGitLabHost({ repositories: { [repository]: files } });
  onTestFinished(() => git.close());
  const { url, sent } = await startBefore(git.url, matches, answer);
  const { token } = git.access;
  const gitlab = { token, apiUrl: `${url}/api/v4`, timeoutMs: 60_000, repositories: [repository] };
  return { connections: { gitlab }, sent };
}

const json = { 'content-type': 'application/json' };
const block = Buffer.alloc(256 * 1024, 'x');

/** Sends without an end, as fast as it is read. */
const endless: Answer = (response) => {
  response.writeHead(200, json);
  const send = (): void => {
    while (!response.destroyed && response.write(block));
    if (!response.destroyed) response.once('drain', send);
  };
  send();
};
const bomb = gzipSync(Buffer.alloc(100 * 1024 * 1024, 'x'));
const unpacking: Answer = (response) =>
  response.writeHead(200, { ...json, 'content-encoding': 'gzip' }).end(bomb);
const announced: Answer = (response) => {
  response.writeHead(200, { ...json, 'content-length': '900000000' });
  response.flushHeaders();
};

/** Of a file of so many bytes, in pieces and without a stated length. */
const inPieces =
  (bytes: number): Answer =>
  (response) => {
    const content = Buffer.alloc(bytes, 'x').toString('base64');
    response.writeHead(200, json);
    const text = JSON.stringify({ encoding: 'base64', content, size: bytes });
    for (let at = 0; at < text.length; at += 65_536) response.write(text.slice(at, at + 65_536));
    response.end();
  };
/** States a length and sends another one, on the bare connection. */
const stating =
  (length: number, sent: number): Answer =>
  ({ socket }) => {
    socket?.write(`HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${length}\r\n\r\n`);
    const send = (left: number): void => {
      if (left <= 0 || socket === null || socket.destroyed) return void socket?.end();
      const part = block.subarray(0, left);
      if (socket.write(part)) send(left - part.length);
      else socket.once('drain', () => send(left - part.length));
    };
    send(sent);
  };

const hosts = [
  { name: 'GitHub', start: startGitHub, tree: '/git/trees/', blob: '/git/blobs/' },
  { name: 'GitLab', start: startGitLab, tree: '/repository/tree', blob: '/repository/blobs/' },
] as const;

describe.each(hosts)('an answer of $name', ({ name, start, tree, blob }) => {
  it.each([
    ['never ends', endless],
    ['unpacks to 100 MiB', unpacking],
    ['states 900 MB and sends nothing', announced],
  ])('that %s is cut off at its limit', async (_, answer) => {
    const files = await start(small, (path) => path.includes(blob), answer);
    const host = connectGitHosts(files.connections);
    const [entry] =
      (await host.branch(repository, 'main'))?.entries.filter(({ mode }) => mode === '100644') ?? [];
    expect(await host.text(repository, entry?.sha ?? '')).toBeUndefined();
    const trees = await start(small, (path) => path.includes(tree), answer);
    await expect(connectGitHosts(trees.connections).branch(repository, 'main')).rejects.toMatchObject({
      code: 'git-refused',
      tells: { key: 'host-refused', values: { because: 'answer-too-large', host: name } },
    });
    // The limits are 3 and 16 MiB; the rest waits in the buffers of the system.
    await expect.poll(() => files.sent()).toBeLessThan(32 * 1024 * 1024);
    await expect.poll(() => trees.sent()).toBeLessThan(64 * 1024 * 1024);
  });

  it('in pieces, without a stated length, is read up to the same limit', async () => {
    const readOf = async (bytes: number) => {
      const { connections } = await start(small, (path) => path.includes(blob), inPieces(bytes));
      return connectGitHosts(connections).text(repository, 'a'.repeat(40));
    };
    expect(await readOf(100)).toBe('x'.repeat(100));
    expect((await readOf(2 * 1024 * 1024))?.length).toBe(2 * 1024 * 1024);
    expect(await readOf(3 * 1024 * 1024)).toBeUndefined();
  });

  it.each([
    ['sends 64 MiB and states 10 bytes', stating(10, 64 * 1024 * 1024)],
    ['sends 10 bytes and states 1 MB', stating(1_000_000, 10)],
  ])('that %s is no answer, and is tried again later', async (_, answer) => {
    const { connections, sent } = await start(small, (path) => path.includes(blob), answer);
    await expect(connectGitHosts(connections).text(repository, 'a'.repeat(40))).rejects.toMatchObject({
      code: 'git-unavailable',
      retryable: true,
    });
    await expect.poll(sent).toBeLessThan(32 * 1024 * 1024);
  });

  it('names the file that is larger than is read', async () => {
    const { connections } = await start(small, (path) => path.includes(blob), endless);
    const editor = startEditor(connections);
    expect(await editor.editPlace(place, subject)).toMatchObject({
      reason: 'too-large',
      because: { values: { file: 'prod/api.yaml' } },
    });
  });
});

function startEditor(data: GitConnections, options: Partial<ThreadedGitEditorOptions> = {}) {
  const entry = new URL('../../../workers/git-thread.ts', import.meta.url);
  const editor = createThreadedGitEditor({ entry, data, ...options });
  onTestFinished(() => editor.close());
  return editor;
}

describe('an edit in a thread', () => {
  /** Within every limit of a file, and far too much for the time that is allowed here. */
  const costly: Files = Object.fromEntries(
    Array.from({ length: 12 }, (_, at) => [
      `prod/api${at}.yaml`,
      `${manifest.replace('name: api', `name: api-${at}`)}x:\n${'  - {a: [b, c]}\n'.repeat(60_000)}`,
    ]),
  );
  const never = (): boolean => false;

  it('is made as in the process', async () => {
    const { connections } = await startGitHub(small, never);
    expect(await startEditor(connections).editPlace(place, subject)).toMatchObject({
      type: 'edited',
      edit: { file: 'prod/api.yaml', diff: expect.arrayContaining(['+      maxSurge: 0']) },
    });
  });

  it('that computes too long is refused as too large, and the next one is made', async () => {
    const ended: string[] = [];
    const large = await startGitHub(costly, never);
    const editor = startEditor(large.connections, {
      maxComputingMs: 1_000,
      onEnded: ({ because }) => ended.push(because),
    });
    expect(await editor.editPlace(place, subject)).toMatchObject({
      type: 'refused',
      reason: 'too-large',
      because: { key: 'tree-refused', values: { reason: 'too-large', repository } },
    });
    expect(ended).toEqual(['computing']);
    expect(await editor.fileOn(repository, 'main', 'prod/none.yaml')).toMatchObject({ text: undefined });
  });

  it('that needs too much memory is refused as too large', async () => {
    const { connections } = await startGitHub(costly, never);
    const editor = startEditor(connections, { maxHeapMb: 96, maxComputingMs: 120_000 });
    expect(await editor.editPlace(place, subject)).toMatchObject({ type: 'refused', reason: 'too-large' });
  });

  it('that waits for its host is tried again later, and does not count as work', async () => {
    const hangs: Answer = () => undefined;
    const { connections } = await startGitHub(small, (path) => path.includes('/git/blobs/'), hangs);
    const editor = startEditor(connections, { deadlineMs: 3_000, maxComputingMs: 60_000 });
    await expect(editor.editPlace(place, subject)).rejects.toMatchObject({
      code: 'git-unavailable',
      retryable: true,
    });
  });

  it('keeps the sentence of a host that refuses', async () => {
    const { connections } = await startGitLab(small, never);
    const { gitlab } = connections;
    const editor = startEditor(gitlab === undefined ? {} : { gitlab: { ...gitlab, token: 'glpat-wrong' } });
    await expect(editor.editPlace(place, subject)).rejects.toMatchObject({
      code: 'git-refused',
      tells: { key: 'host-refused', values: { because: 'unauthorized' } },
    });
  });
});
