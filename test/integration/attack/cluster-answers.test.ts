import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { brotliCompressSync, createGzip, deflateSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type ApiCall, maxAnswerBytes, unanswered } from '#src/edges/kubernetes/api-call.js';
import { createApiCall } from '#src/edges/kubernetes/cluster-connection.js';
import { createGathering } from '#src/edges/kubernetes/gathering.js';
import { cachedList, diagnosisBudget, withReadBudget } from '#src/edges/kubernetes/list-reading.js';
import { readLogs } from '#src/edges/kubernetes/read-dependencies.js';
import { listObjects, readObject } from '#src/edges/kubernetes/read-objects.js';
import { jsonLines } from '#src/edges/kubernetes/watch/watch-collection.js';
import { Pod } from '#src/engine/objects/pod.js';

let server: Server;
let elsewhere: Server;
let call: ApiCall;
let answer: (request: IncomingMessage, response: ServerResponse) => void = () => undefined;
const seenElsewhere: IncomingMessage[] = [];
/** Bytes that the API server could send before the connection ended. */
let sent = 0;

const portOf = (of: Server) => (of.address() as AddressInfo).port;

beforeAll(async () => {
  server = createServer((request, response) => {
    response.on('error', () => undefined);
    answer(request, response);
  }).listen(0, '127.0.0.1');
  elsewhere = createServer((request, response) => {
    seenElsewhere.push(request);
    response.end('{}');
  }).listen(0, '127.0.0.1');
  await Promise.all([once(server, 'listening'), once(elsewhere, 'listening')]);
  call = createApiCall({
    getCurrentCluster: () => ({
      name: 'prod',
      server: `http://127.0.0.1:${portOf(server)}`,
      skipTLSVerify: true,
    }),
    getCurrentUser: () => ({ name: 'me', token: 'a-token-of-ours' }),
  });
});

beforeEach(() => {
  sent = 0;
});

afterAll(() => {
  for (const each of [server, elsewhere]) {
    each.closeAllConnections();
    each.close();
  }
});

/** Sends the piece without end, as fast as it is read. */
function endless(
  response: { write(piece: Buffer): boolean; once: ServerResponse['once']; readonly destroyed: boolean },
  piece: Buffer,
): void {
  const send = (): void => {
    while (!response.destroyed) {
      sent += piece.length;
      if (!response.write(piece)) return void response.once('drain', send);
    }
  };
  send();
}

const json = { 'content-type': 'application/json' };
const mebibyte = Buffer.alloc(1_048_576, 32);
const at = { namespace: 'shop', name: 'web' };
const signal = () => AbortSignal.timeout(60_000);

describe('an answer of a cluster', () => {
  it.each<[string, (response: ServerResponse) => void]>([
    ['has no end', (response) => endless(response.writeHead(200, json), mebibyte)],
    [
      'has no end and status 500',
      (response) => endless(response.writeHead(500, { 'content-type': 'text/html' }), mebibyte),
    ],
    [
      'unpacks to two gigabytes',
      (response) => {
        response.writeHead(200, { ...json, 'content-encoding': 'gzip' });
        const zip = createGzip({ level: 1 });
        zip.pipe(response);
        endless(zip as never, mebibyte);
      },
    ],
    [
      'is one large string in a small zip',
      (response) =>
        response
          .writeHead(200, { ...json, 'content-encoding': 'GZIP' })
          .end(gzipSync(Buffer.alloc(maxAnswerBytes + 1, 32))),
    ],
    [
      'claims to be protobuf and has no end',
      (response) =>
        endless(response.writeHead(200, { 'content-type': 'application/vnd.kubernetes.protobuf' }), mebibyte),
    ],
  ])('that %s is aborted at its limit', async (_, reply) => {
    answer = (_request, response) => reply(response);

    expect(await readObject(call, 'Deployment', at, signal())).toEqual({
      type: 'unreadable',
      because: 'too-large',
      message: '',
    });
  });

  it.each<[string, Buffer | string, Record<string, string>]>([
    ['brotli that was not requested', brotliCompressSync(mebibyte), { 'content-encoding': 'br' }],
    ['deflate that was not requested', deflateSync(mebibyte), { 'content-encoding': 'deflate' }],
    ['zip within zip', gzipSync(gzipSync(mebibyte)), { 'content-encoding': 'gzip, gzip' }],
    ['an invalid zip', 'not a zip', { 'content-encoding': 'gzip' }],
    ['a zip that ends early', gzipSync(mebibyte).subarray(0, 100), { 'content-encoding': 'gzip' }],
    ['an HTML page', '<html>sign in</html>', { 'content-type': 'text/html' }],
    ['empty', '', {}],
    ['a list', '[]', json],
    ['null', 'null', json],
    ['nested a million levels deep', '['.repeat(1_000_000), json],
    [
      'protobuf with a wrong length',
      'k8s\0\n\xff\xff\xff\xff\x0f',
      { 'content-type': 'application/vnd.kubernetes.protobuf' },
    ],
  ])('that is %s is reported as unreadable', async (_, body, headers) => {
    answer = (_request, response) => {
      response.writeHead(200, headers).end(typeof body === 'string' ? Buffer.from(body, 'latin1') : body);
    };
    const read = await readObject(call, 'Deployment', at, signal());
    const listed = await listObjects(call, 'Pod', { reading: cachedList }, signal());

    expect(read).toMatchObject({ type: 'unreadable' });
    expect(listed).toMatchObject({ type: 'unreadable' });
  });

  it.each([301, 302, 303, 307, 308])('that redirects with %i is not followed', async (status) => {
    answer = (_request, response) => {
      response.writeHead(status, { location: `http://127.0.0.1:${portOf(elsewhere)}/` }).end();
    };

    expect(await readObject(call, 'Deployment', at, signal())).toMatchObject({ type: 'unreadable' });
    expect(seenElsewhere).toEqual([]);
  });

  it('that is too large as a page of 500 is requested in smaller pages', async () => {
    const limits: (string | null)[] = [];
    answer = (request, response) => {
      const { searchParams } = new URL(request.url ?? '/', 'http://x');
      limits.push(searchParams.get('limit'));
      if (searchParams.get('limit') === '500') endless(response.writeHead(200, json), mebibyte);
      else response.writeHead(200, json).end('{"metadata":{},"items":[]}');
    };

    expect(
      await listObjects(call, 'ConfigMap', { namespace: 'shop', reading: cachedList }, signal()),
    ).toMatchObject({
      type: 'read',
    });
    // First from the cache, which sends everything at once.
    expect(limits).toEqual(['500', '500', '25']);
  });

  it('that never ends paging is aborted at the byte limit of the diagnosis, and later reads fail too', async () => {
    const page = JSON.stringify({ metadata: { continue: 'again' }, items: [] }).padEnd(8_000_000, ' ');
    let pages = 0;
    answer = (_request, response) => {
      pages += 1;
      response.writeHead(200, json).end(page);
    };
    const bounded = withReadBudget(call, { ...diagnosisBudget, maxBytes: 40_000_000 });

    expect(await listObjects(bounded, 'Event', { reading: cachedList }, signal())).toMatchObject({
      because: 'too-large',
    });
    expect(pages).toBeLessThanOrEqual(2 * (40_000_000 / 8_000_000) + 2);
    expect(await readObject(bounded, 'Deployment', at, signal())).toMatchObject({ because: 'too-large' });
    expect(diagnosisBudget.maxBytes).toBeGreaterThan(maxAnswerBytes);
  });

  it('with an endless log leaves the log unseen', async () => {
    answer = (_request, response) =>
      endless(response.writeHead(200, { 'content-type': 'text/plain' }), mebibyte);
    const pod = Pod.parse({
      kind: 'Pod',
      metadata: { name: 'web-1', namespace: 'shop', uid: 'u1' },
      spec: { containers: [{ name: 'web', image: 'x' }] },
      status: {
        containerStatuses: [
          {
            name: 'web',
            ready: false,
            restartCount: 1,
            image: 'x',
            imageID: '',
            state: { terminated: { exitCode: 1 } },
          },
        ],
      },
    });
    const gathering = createGathering(call, signal());

    expect(await readLogs(call, gathering, [pod], signal())).toEqual([]);
    expect(gathering.unseen()).toEqual([
      { what: 'PodLog', namespace: 'shop', because: 'too-large', message: '' },
    ]);
    expect(sent).toBeLessThan(20_000_000);
  });

  it('that arrives in pieces of one byte is read', async () => {
    const body = JSON.stringify({ apiVersion: 'v1', kind: 'Status', message: 'x'.repeat(5_000) });
    answer = (_request, response) => {
      response.writeHead(403, json);
      for (const byte of body) response.write(byte);
      response.end();
    };

    expect(await readObject(call, 'Deployment', at, signal())).toMatchObject({ because: 'forbidden' });
  });
});

describe('an exec plug-in', () => {
  const withPlugin = (script: string) =>
    createApiCall({
      getCurrentCluster: () => ({
        name: 'prod',
        server: `http://127.0.0.1:${portOf(server)}`,
        skipTLSVerify: true,
      }),
      getCurrentUser: () => ({
        name: 'me',
        exec: { apiVersion: 'v1', command: 'sh', args: ['-c', script] },
      }),
    });

  it.each([
    ['writes without end', 'yes', 'bytes'],
    ['writes to stderr without end', 'yes >&2', 'bytes'],
    ['fails', 'echo secret-of-plugin >&2; exit 3', 'status 3'],
    ['writes no credential', 'echo secret-of-plugin', 'no ExecCredential'],
    ['writes nothing', 'true', 'no ExecCredential'],
  ])('that %s makes the cluster unreadable', async (_, script, says) => {
    answer = (_request, response) => response.writeHead(200, json).end('{}');
    const read = await readObject(withPlugin(script), 'Deployment', at, signal());

    expect(read).toMatchObject({ type: 'unreadable', because: 'unavailable' });
    expect(JSON.stringify(read)).toContain(says);
    expect(JSON.stringify(read)).toContain('the exec plug-in \\"sh\\" of the kubeconfig');
    expect(JSON.stringify(read)).not.toContain('secret-of-plugin');
  });
});

describe('a watch', () => {
  it.each([
    ['large pieces', 'x'.repeat(1_000_000)],
    ['pieces of ten bytes', 'x'.repeat(10)],
  ])('with a line that never ends is aborted, in %s', async (_, piece) => {
    let pieces = 0;
    async function* stream(): AsyncGenerator<string> {
      for (;;) {
        pieces += 1;
        yield piece;
      }
    }
    const read = async (): Promise<void> => {
      for await (const line of jsonLines(stream())) expect(line).toBeUndefined();
    };

    await expect(read()).rejects.toThrow('a line is too long');
    expect(pieces * piece.length).toBeLessThanOrEqual(9_000_000);
  });
});

it('reports an error of any type as a reason of at most 300 characters', () => {
  for (const error of [undefined, null, 'x', new Error('a'.repeat(1_000_000)), { cause: 1 }]) {
    expect(unanswered(error).message.length).toBeLessThanOrEqual(300);
  }
});
