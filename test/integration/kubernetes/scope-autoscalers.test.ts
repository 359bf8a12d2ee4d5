import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { createClusterReader } from '#src/edges/kubernetes/cluster-reader.js';
import { createEngine } from '#src/service/create-engine.js';
import type { ApiObject } from '../../../bench/generated-cluster/api-object.js';
import { type ServedCluster, serveCluster } from './served-cluster.js';

let served: ServedCluster | undefined;
afterEach(async () => {
  await served?.close();
});

it('names the other namespace in a scan of one that may read its own autoscalers only', async () => {
  const file = join(import.meta.dirname, '../../scenarios/gpu-held-by-another-team/objects.json');
  const objects: readonly ApiObject[] = JSON.parse(readFileSync(file, 'utf8')).items;
  served = await serveCluster(objects, ({ pathname }, response) => {
    if (pathname !== '/apis/autoscaling/v2/horizontalpodautoscalers') return false;
    response.writeHead(403, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ kind: 'Status', status: 'Failure', reason: 'Forbidden', code: 403 }));
    return true;
  });
  const reader = createClusterReader({
    connections: [
      { ...served.connection, stream: async () => ({ status: 500, body: '', retryAfterMs: undefined }) },
    ],
    clock: { now: () => new Date('2026-11-25T01:30:00Z') },
    timeoutMs: 20_000,
    findTimeoutMs: 20_000,
  });
  const scope = await reader.scope(
    { cluster: 'served', namespace: 'shop' },
    createEngine().needs,
    AbortSignal.timeout(20_000),
  );

  if (scope.type !== 'scope') throw new Error(JSON.stringify(scope));
  expect(scope.unseen).toMatchObject([
    { what: 'HorizontalPodAutoscaler', namespace: 'ml', because: 'forbidden' },
  ]);
});
