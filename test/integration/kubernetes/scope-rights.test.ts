import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { connectClusters } from '#src/edges/kubernetes/cluster-connection.js';
import { createClusterReader } from '#src/edges/kubernetes/cluster-reader.js';
import { createEngine } from '#src/service/create-engine.js';
import type { AccessRule } from '../../../demo/cluster/api/access.js';
import { createLocalCluster, type LocalCluster } from '../../../demo/cluster/local-cluster.js';

const root = join(import.meta.dirname, '../../..');
let cluster: LocalCluster;
let folder: string;

/** The rules of the shipped role. */
function shippedRules(): readonly AccessRule[] {
  const text = readFileSync(join(root, 'deploy/rbac/cluster-wide/reader.yaml'), 'utf8');
  return parseAllDocuments(text).flatMap((document) => {
    const object = document.toJS() as { readonly rules?: readonly AccessRule[] };
    return object.rules ?? [];
  });
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rollout-doctor-scope-'));
  cluster = await createLocalCluster({
    name: 'local',
    users: [{ name: 'reader', token: 'reader', rules: shippedRules() }],
  });
  await cluster.loadRecording(join(root, 'test/scenarios/rwo-volume-attached-elsewhere'));
  await writeFile(join(folder, 'kubeconfig'), cluster.kubeconfig('reader'));
});

afterAll(async () => {
  await cluster.close();
  await rm(folder, { recursive: true, force: true });
});

it('a scan with the shipped rights reads all objects except ConfigMaps', async () => {
  const connections = connectClusters({ kubeconfig: join(folder, 'kubeconfig'), contexts: [] });
  const reader = createClusterReader({
    connections,
    clock: { now: () => new Date() },
    timeoutMs: 60_000,
    findTimeoutMs: 60_000,
  });
  const claims = cluster.list('v1', 'PersistentVolumeClaim');
  const namespace = claims[0]?.metadata.namespace ?? '';
  const scope = await reader.scope(
    { cluster: 'local', namespace },
    createEngine().needs,
    AbortSignal.timeout(60_000),
  );

  if (scope.type !== 'scope') throw new Error(JSON.stringify(scope));
  expect(scope.unseen.map(({ what, because }) => `${what} ${because}`)).toEqual(
    scope.unseen.filter(({ what }) => what === 'ConfigMap').map(() => 'ConfigMap forbidden'),
  );
  const seen = scope.snapshots[0]?.index.objects.PersistentVolumeClaim ?? [];
  expect(seen.map(({ metadata }) => metadata.name)).toEqual(claims.map(({ metadata }) => metadata.name));
  expect(seen.length).toBeGreaterThan(0);
});
