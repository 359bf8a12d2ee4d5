import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectClusters } from '#src/edges/kubernetes/cluster-connection.js';
import { inspectCluster } from '#src/edges/kubernetes/inspect-cluster.js';
import { createLocalCluster, type LocalCluster } from '../../../demo/cluster/local-cluster.js';
import { shippedReaderRules } from './shipped-reader-rules.js';

const rules = shippedReaderRules();
const withoutWatch = rules.map((rule) => ({ ...rule, verbs: rule.verbs.filter((verb) => verb !== 'watch') }));

let folder: string;
let cluster: LocalCluster;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rollout-doctor-inspect-'));
  cluster = await createLocalCluster({
    name: 'prod',
    users: [
      { name: 'reader', token: 'reader', rules },
      { name: 'lister', token: 'lister', rules: withoutWatch },
    ],
  });
});

afterAll(async () => {
  await cluster.close();
  await rm(folder, { recursive: true, force: true });
});

async function inspected(user: string) {
  const path = join(folder, user);
  await writeFile(path, cluster.kubeconfig(user));
  const [connection] = connectClusters({ kubeconfig: path, contexts: [] });
  if (connection === undefined) throw new Error('no connection');
  return inspectCluster(connection, '', AbortSignal.timeout(60_000));
}

const keysOf = (all: Awaited<ReturnType<typeof inspected>>) =>
  all.map(({ state, says }) => `${state} ${says.key}`);

describe('the check of the rights of an account', () => {
  it('finds the shipped rights sufficient to diagnose and to watch', async () => {
    expect(keysOf(await inspected('reader'))).toEqual([
      'works cluster-works',
      'works cluster-readable',
      'note cluster-unchangeable',
    ]);
  });

  it('reports missing watch rights on pods, events and nodes', async () => {
    const all = await inspected('lister');

    expect(keysOf(all)).toContain('note cluster-unwatchable');
    expect(all.find(({ says }) => says.key === 'cluster-unwatchable')?.says.values).toMatchObject({
      what: ['watch pods', 'watch events', 'watch nodes'],
    });
  });
});
