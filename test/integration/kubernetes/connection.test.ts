import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { stringify } from 'yaml';
import { connectClusters } from '#src/edges/kubernetes/cluster-connection.js';

/** An empty NodeList as the API server writes it: `k8s`, its kind, a ListMeta. */
const noNodes = Buffer.concat([
  Buffer.from('k8s\0\n\x0e\n\x02v1\x12\x08NodeList\x12\x04'),
  Buffer.from([0x0a, 0x02, 0x1a, 0x00]),
]);

interface Entry {
  readonly user?: object;
  readonly cluster?: object;
  readonly name?: string;
}

describe('a connection from a kubeconfig', () => {
  let folder: string;
  let server: Server;
  let url: string;
  const seen: IncomingHttpHeaders[] = [];

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'rollout-doctor-kubeconfig-'));
    server = createServer((request, response) => {
      seen.push(request.headers);
      if (request.url === '/api/busy') response.writeHead(429, { 'retry-after': '3' }).end('slow down');
      else if (request.url === '/api/v1/nodes') {
        const asked = request.headers.accept?.startsWith('application/vnd.kubernetes.protobuf');
        const type = asked ? 'application/vnd.kubernetes.protobuf' : 'application/json';
        const body = asked ? noNodes : Buffer.from('{"kind":"NodeList","metadata":{}}');
        response.writeHead(200, { 'content-type': type, 'content-encoding': 'gzip' }).end(gzipSync(body));
      } else response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('{"kind":"APIVersions"}'));
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterEach(() => {
    seen.length = 0;
    vi.unstubAllEnvs();
  });
  afterAll(async () => {
    server.closeAllConnections();
    server.close();
    await rm(folder, { recursive: true, force: true });
  });

  async function kubeconfig(
    file: string,
    { user = {}, cluster = {}, name = 'prod' }: Entry,
  ): Promise<string> {
    const path = join(folder, file);
    const config = {
      'current-context': name,
      contexts: [{ name, context: { cluster: `${name}-cluster`, user: `${name}-user` } }],
      clusters: [
        { name: `${name}-cluster`, cluster: { server: url, 'insecure-skip-tls-verify': true, ...cluster } },
      ],
      users: [{ name: `${name}-user`, user }],
    };
    await writeFile(path, stringify(config));
    return path;
  }

  const callWith = async (entry: Entry) => {
    const [connection] = connectClusters({
      kubeconfig: await kubeconfig('config', entry),
      contexts: [],
    });
    if (connection === undefined) throw new Error('no context');
    return connection.call;
  };

  it.each([
    { says: 'a token', user: { token: 'abc' }, sends: { authorization: 'Bearer abc' } },
    {
      says: 'a user name and a password',
      user: { username: 'eve', password: 'p:w' },
      sends: { authorization: 'Basic ZXZlOnA6dw==' },
    },
    {
      says: 'a token file beside the kubeconfig that ends with a newline',
      user: { tokenFile: 'token' },
      sends: { authorization: 'Bearer from-file' },
    },
    {
      says: 'an impersonated user',
      user: { token: 'abc', as: 'system:reader' },
      sends: { authorization: 'Bearer abc', 'impersonate-user': 'system:reader' },
    },
    {
      says: 'an auth provider of old kubeconfigs',
      user: {
        'auth-provider': {
          name: 'gcp',
          config: { 'access-token': 'of-gcp', expiry: '2999-01-01T00:00:00Z' },
        },
      },
      sends: { authorization: 'Bearer of-gcp' },
    },
  ])('sends the headers for $says', async ({ user, sends }) => {
    await writeFile(join(folder, 'token'), 'from-file\n');
    const call = await callWith({ user });

    const answer = await call({ path: '/api/zipped' });

    expect(answer).toMatchObject({ status: 200, body: { kind: 'APIVersions' } });
    expect(seen[0]).toMatchObject(sends);
  });

  it('runs an exec plug-in once for 16 concurrent requests', async () => {
    const runs = join(folder, 'runs');
    const credential = JSON.stringify({
      apiVersion: 'client.authentication.k8s.io/v1',
      kind: 'ExecCredential',
      status: { token: 'of-plugin' },
    });
    const script = `require('node:fs').appendFileSync(${JSON.stringify(runs)}, 'x'); console.log(${JSON.stringify(credential)})`;
    const exec = {
      apiVersion: 'client.authentication.k8s.io/v1',
      command: process.execPath,
      args: ['-e', script],
    };
    await writeFile(runs, '');
    const call = await callWith({ user: { exec } });

    await Promise.all(Array.from({ length: 16 }, () => call({ path: '/api/zipped' })));

    expect(seen.map(({ authorization }) => authorization)).toEqual(Array(16).fill('Bearer of-plugin'));
    expect(await readFile(runs, 'utf8')).toBe('x');
  });

  it('reads protobuf when it was requested and sent', async () => {
    const call = await callWith({});
    const accept = 'application/vnd.kubernetes.protobuf,application/json';
    expect(await call({ path: '/api/v1/nodes', accept })).toMatchObject({
      status: 200,
      body: { metadata: {} },
    });
    expect((await call({ path: '/api/v1/nodes' })).body).toEqual({ kind: 'NodeList', metadata: {} });
  });

  it('returns the Retry-After of the API server', async () => {
    const call = await callWith({});
    expect(await call({ path: '/api/busy' })).toEqual({
      status: 429,
      body: 'slow down',
      retryAfterMs: 3_000,
    });
  });

  it('reports an expired deadline in the name of the error', async () => {
    const call = await callWith({});
    const signal = AbortSignal.abort(new DOMException('late', 'TimeoutError'));
    await expect(call({ path: '/api/zipped', signal })).rejects.toMatchObject({ name: 'TimeoutError' });
  });

  it('sends nothing over plain HTTP unless the kubeconfig turns verification off', async () => {
    const call = await callWith({ user: { token: 'abc' }, cluster: { 'insecure-skip-tls-verify': false } });
    await expect(call({ path: '/api/zipped' })).rejects.toThrow('plain HTTP');
    expect(seen).toEqual([]);
  });

  it('merges the files of KUBECONFIG, and the first definition of a name wins', async () => {
    const first = await kubeconfig('first', { user: { token: 'of-first' } });
    const again = await kubeconfig('again', { user: { token: 'of-again' } });
    const other = await kubeconfig('other', { name: 'stage', user: { token: 'of-other' } });
    vi.stubEnv('KUBECONFIG', [first, again, other].join(delimiter));

    const connections = connectClusters({ contexts: [] });
    for (const { call } of connections) await call({ path: '/api/zipped' });

    expect(connections.map(({ name }) => name)).toEqual(['prod', 'stage']);
    expect(seen.map(({ authorization }) => authorization)).toEqual(['Bearer of-first', 'Bearer of-other']);
  });

  it('treats empty fields as absent, as kubectl does', async () => {
    const path = await kubeconfig('empty', {});
    await writeFile(
      path,
      `clusters: [{name: c, cluster: {server: "${url}/", insecure-skip-tls-verify: true, proxy-url: null}}]
users: [{name: u, user: {token: null, exec: null, auth-provider: null}}, {name: nobody, user: null}]
contexts: [{name: prod, context: {cluster: c, user: u, namespace: null}}]
current-context: prod
`,
    );
    const [connection] = connectClusters({ kubeconfig: path, contexts: [] });

    expect(await connection?.call({ path: '/api/zipped' })).toMatchObject({ status: 200 });
    expect(seen[0]?.authorization).toBeUndefined();
  });

  it.each([
    {
      fault: 'a context that does not exist',
      contexts: ['dev'],
      text: undefined,
      says: 'the kubeconfig has no context "dev"',
    },
    {
      fault: 'a context of another name than any of a thousand',
      contexts: ['c-7x'],
      text: JSON.stringify({
        contexts: Array.from({ length: 1_000 }, (_, i) => ({
          name: `c-${i}`,
          context: { cluster: 'c', user: 'u' },
        })),
      }),
      says: /has no context "c-7x" \(did you mean "c-7"\?\); its contexts: c-0, .*c-19 and 980 more$/u,
    },
    { fault: 'a file that is not a kubeconfig', contexts: [], text: '[1, 2]', says: 'is not a kubeconfig' },
    {
      fault: 'a cluster without a server',
      contexts: [],
      text: 'clusters: [{name: a, cluster: {}}]',
      says: 'clusters[0].cluster.server is missing',
    },
    {
      fault: 'a password that is a number',
      contexts: [],
      text: 'users: [{name: a, user: {username: a, password: 1}}]',
      says: 'users[0].user.password is missing or of the wrong type',
    },
  ])('rejects $fault', async ({ contexts, text, says }) => {
    const path = await kubeconfig('faulty', {});
    if (text !== undefined) await writeFile(path, text);
    expect(() => connectClusters({ kubeconfig: path, contexts })).toThrow(says);
  });
});
