import { readFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { NamedWorkload } from '#src/doctor/commands/command.js';
import { fullSight } from '#src/doctor/policy/view.js';
import { createClusterReader } from '#src/edges/kubernetes/cluster-reader.js';
import { createCandidateReader } from '#src/edges/kubernetes/sentinel/candidate-watcher.js';
import type { WorkloadRef } from '#src/engine/objects/workload.js';
import { createEngine } from '#src/service/create-engine.js';
import type { ApiObject } from '../../../bench/generated-cluster/api-object.js';
import { serveCluster } from './served-cluster.js';

/** How the API server answers where it does not serve a kind, or the account may not read it. */
export type Refusal = 403 | 404;

/** A recorded incident of `test/scenarios`. */
export function recordedIncident(id: string) {
  const read = (name: string) =>
    JSON.parse(readFileSync(join(import.meta.dirname, '../../scenarios', id, name), 'utf8'));
  const objects: readonly ApiObject[] = read('objects.json').items;
  return { objects, takenAt: new Date(read('expect.json').takenAt) };
}

/**
 * Serves recorded objects until the test ends, and reads them.
 *
 * @param refused the status with which each request is answered whose path has `part`
 */
export async function openRecorded(
  { kind, name }: Pick<WorkloadRef, 'kind' | 'name'>,
  { objects, takenAt }: ReturnType<typeof recordedIncident>,
  refused?: { readonly part: string; readonly status: Refusal },
) {
  const refuse = ({ pathname }: URL, response: ServerResponse): boolean => {
    if (refused === undefined || !pathname.includes(refused.part)) return false;
    const code = refused.status;
    const reason = code === 403 ? 'Forbidden' : 'NotFound';
    response.writeHead(code, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ kind: 'Status', status: 'Failure', reason, code, message: reason }));
    return true;
  };
  const served = await serveCluster(objects, refuse);
  onTestFinished(() => served.close());
  // No watch is opened.
  const stream = async () => ({ status: 500, body: '', retryAfterMs: undefined });
  const connections = [{ ...served.connection, stream }];
  const reader = createClusterReader({
    connections,
    clock: { now: () => takenAt },
    timeoutMs: 20_000,
    findTimeoutMs: 20_000,
  });
  const signal = AbortSignal.timeout(20_000);
  const { needs } = createEngine();
  return {
    find: (query: NamedWorkload) => reader.find(query, fullSight, signal),
    behind: (owner: Parameters<ReturnType<typeof createCandidateReader>['behind']>[1]) =>
      createCandidateReader({ connections, timeoutMs: 20_000 }).behind('served', owner),
    async snapshot() {
      const ref = { cluster: 'served', kind, namespace: 'shop', name };
      const read = await reader.snapshot(ref, needs, signal);
      if (read.type !== 'snapshot') throw new Error(JSON.stringify(read));
      return read.snapshot;
    },
    async scope() {
      const read = await reader.scope({ cluster: 'served', namespace: 'shop' }, needs, signal);
      if (read.type !== 'scope') throw new Error(JSON.stringify(read));
      return read;
    },
  };
}
