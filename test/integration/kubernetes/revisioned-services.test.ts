import { readFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { createClusterReader } from '#src/adapters/kubernetes/cluster-reader.js';
import { createCandidateReader } from '#src/adapters/kubernetes/sentinel/candidate-reader.js';
import { fullSight } from '#src/core/authorization/view.js';
import type { NamedWorkload } from '#src/core/command/command.js';
import { createDoctor } from '#src/doctor.js';
import type { ApiObject } from '../../../bench/generated-cluster/api-object.js';
import { type ServedCluster, serveCluster } from './served-cluster.js';

const scenarios = join(import.meta.dirname, '../../scenarios');

function recorded(id: string): readonly ApiObject[] {
  return JSON.parse(readFileSync(join(scenarios, id, 'objects.json'), 'utf8')).items;
}

function takenAt(id: string): Date {
  return new Date(JSON.parse(readFileSync(join(scenarios, id, 'expect.json'), 'utf8')).takenAt);
}

const families = {
  KnativeService: { folder: 'knative', path: '/serving.knative.dev/', incident: 'deadlock-of-two-revisions' },
  RayService: { folder: 'ray-services', path: '/rayservices', incident: 'deadlock-of-two-heads' },
} as const;
type Kind = keyof typeof families;

describe('a cluster with services of several revisions', () => {
  let served: ServedCluster | undefined;
  afterEach(async () => {
    await served?.close();
  });

  async function open(kind: Kind, id: string, refused?: 403 | 404) {
    const { folder, path } = families[kind];
    const objects = recorded(`${folder}/${id}`);
    const refuse = ({ pathname }: URL, response: ServerResponse): boolean => {
      if (refused === undefined || !pathname.includes(path)) return false;
      const reason = refused === 403 ? 'Forbidden' : 'NotFound';
      response.writeHead(refused, { 'content-type': 'application/json' });
      response.end(
        JSON.stringify({ kind: 'Status', status: 'Failure', reason, code: refused, message: reason }),
      );
      return true;
    };
    served = await serveCluster(objects, refuse);
    // No watch is opened.
    const connection = {
      ...served.connection,
      stream: async () => ({ status: 500, body: '', retryAfterMs: undefined }),
    };
    const reader = createClusterReader({
      connections: [connection],
      clock: { now: () => takenAt(`${folder}/${id}`) },
      timeoutMs: 20_000,
      findTimeoutMs: 20_000,
    });
    const signal = AbortSignal.timeout(20_000);
    return {
      objects,
      find: (query: NamedWorkload) => reader.find(query, fullSight, signal),
      behind: (owner: {
        readonly kind: 'Pod' | 'ReplicaSet';
        readonly namespace: string;
        readonly name: string;
      }) => createCandidateReader({ connections: [connection], timeoutMs: 20_000 }).behind('served', owner),
      snapshot: async () => {
        const ref = { cluster: 'served', kind, namespace: 'shop', name: 'llm' };
        const read = await reader.snapshot(ref, createDoctor().needs, signal);
        if (read.type !== 'snapshot') throw new Error(JSON.stringify(read));
        return read.snapshot;
      },
      scope: async () => {
        const read = await reader.scope(
          { cluster: 'served', namespace: 'shop' },
          createDoctor().needs,
          signal,
        );
        if (read.type !== 'scope') throw new Error(JSON.stringify(read));
        return read;
      },
    };
  }

  const podOf = (objects: readonly ApiObject[], isMeant: (name: string) => boolean): string =>
    objects.find(({ kind, metadata }) => kind === 'Pod' && isMeant(metadata.name))?.metadata.name ?? '';

  it.each(['KnativeService', 'RayService'] as const)(
    'proves the deadlock of a %s by what it reads of the cluster',
    async (kind) => {
      const { snapshot } = await open(kind, families[kind].incident);
      const [first] = createDoctor().diagnose(await snapshot()).findings;

      expect(first).toMatchObject({ cause: 'surge-deadlock', confidence: 'proven' });
    },
  );

  it.each(['KnativeService', 'RayService'] as const)(
    'finds a %s by its name and by its pods, lists it in place of its parts, and watches it',
    async (kind) => {
      const { objects, find, scope, behind } = await open(kind, families[kind].incident);
      const workloads = [{ cluster: 'served', kind, namespace: 'shop', name: 'llm' }];
      const pod = podOf(objects, (name) => name.startsWith('llm-'));

      expect(await find({ name: 'llm' })).toEqual({ type: 'found', workloads });
      expect(await find({ member: 'Pod', name: pod })).toEqual({ type: 'found', workloads });
      expect((await scope()).snapshots.map(({ workload }) => workload.kind)).toEqual([kind]);
      expect(await behind({ kind: 'Pod', namespace: 'shop', name: pod })).toMatchObject({
        type: 'workload',
        workload: workloads[0],
        oldPods: 'some',
      });
    },
  );

  it.each([403, 404] as const)(
    'leaves the Deployments of a Knative Service as workloads where it answers %d',
    async (status) => {
      const { objects, find, scope } = await open('KnativeService', 'deadlock-of-two-revisions', status);
      const pod = podOf(objects, (name) => name.startsWith('llm-00002'));

      expect(await find({ member: 'Pod', name: pod })).toMatchObject({
        workloads: [{ kind: 'Deployment', name: 'llm-00002-deployment' }],
      });
      const { snapshots, unseen } = await scope();
      expect(new Set(snapshots.map(({ workload }) => workload.kind))).toEqual(new Set(['Deployment']));
      const reasons = unseen.filter(({ what }) => what === 'KnativeService').map(({ because }) => because);
      expect(reasons).toEqual(status === 403 ? ['forbidden'] : []);
    },
  );

  it.each([403, 404] as const)(
    'finds no RayService where it answers %d, and states a refusal',
    async (status) => {
      const { find, scope } = await open('RayService', 'deadlock-of-two-heads', status);

      expect(await find({ member: 'Pod', name: 'llm-x7k2p-head' })).toMatchObject({ type: 'not-found' });
      const { snapshots, unseen } = await scope();
      expect(snapshots).toEqual([]);
      const reasons = unseen.filter(({ what }) => what === 'RayService').map(({ because }) => because);
      expect(reasons).toEqual(status === 403 ? ['forbidden'] : []);
    },
  );
});
