import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { stringify } from 'yaml';
import { connectClusters } from '#src/edges/kubernetes/cluster-connection.js';
import { makeCertificate } from '../../support/redis-certificate.js';

let folder: string;
let server: Server;
let connections = 0;

/** A certificate of an authority of its own, and its key. */
async function certificate(name: string): Promise<{ readonly cert: string; readonly key: string }> {
  const place = join(folder, name);
  await mkdir(place);
  const { ca } = makeCertificate(place);
  return { cert: ca, key: readFileSync(join(place, 'key.pem'), 'utf8') };
}

const trusted = (): string => join(folder, 'ca.crt');
/** The connections of before end, as when an API server starts anew with another certificate. */
function serve(next: { readonly cert: string; readonly key: string }): void {
  server.setSecureContext(next);
  server.closeAllConnections();
}
const pass = (ms: number): unknown => vi.setSystemTime(Date.now() + ms);

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rollout-doctor-rotated-'));
  vi.useFakeTimers({ toFake: ['Date'] });
  connections = 0;
});
afterEach(async () => {
  vi.useRealTimers();
  server.closeAllConnections();
  server.close();
  await rm(folder, { recursive: true, force: true });
});

async function connected() {
  const first = await certificate('first');
  await writeFile(trusted(), first.cert);
  server = createServer(first, (_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  }).listen(0, '127.0.0.1');
  server.on('secureConnection', () => {
    connections += 1;
  });
  await once(server, 'listening');
  const kubeconfig = join(folder, 'kubeconfig');
  const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const named = (name: string, kind: string, value: object): object => ({
    [`${kind}s`]: [{ name, [kind]: value }],
  });
  await writeFile(
    kubeconfig,
    stringify({
      'current-context': 'prod',
      ...named('prod', 'context', { cluster: 'prod', user: 'prod' }),
      ...named('prod', 'cluster', { server: url, 'certificate-authority': trusted() }),
      ...named('prod', 'user', { token: 'of-a-test' }),
    }),
  );
  const [connection] = connectClusters({ kubeconfig, contexts: [] });
  if (connection === undefined) throw new Error('the kubeconfig has no context');
  return async (): Promise<number> => (await connection.call({ path: '/version' })).status;
}

it('the certificate of the API server and its authority are replaced while the program runs', async () => {
  const ask = await connected();
  expect(await ask()).toBe(200);
  const second = await certificate('second');
  serve(second);
  await expect(ask()).rejects.toThrow();
  await cp(join(folder, 'second', 'ca.pem'), trusted());
  pass(11_000);
  expect(await ask()).toBe(200);
});

it('a connection goes on while its certificates stay the same', async () => {
  const ask = await connected();
  for (let minute = 0; minute < 30; minute += 1) {
    expect(await ask()).toBe(200);
    pass(60_000);
  }
  // One more where the answer before was not read to its end yet.
  expect(connections).toBeLessThanOrEqual(2);
});
