import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fullSight } from '#src/doctor/policy/view.js';
import type { ApiAnswer, ApiRequest } from '#src/edges/kubernetes/api-call.js';
import type { ClusterConnection } from '#src/edges/kubernetes/cluster-connection.js';
import { createClusterNames } from '#src/edges/kubernetes/cluster-names.js';
import { createClusterReader } from '#src/edges/kubernetes/cluster-reader.js';
import { createPodWatcher } from '#src/edges/kubernetes/crash-watch/pod-cache.js';
import { createWorkloadLocator } from '#src/edges/kubernetes/locate-workloads.js';
import { createNodeCache } from '#src/edges/kubernetes/node-watch/node-cache.js';
import { resourcePaths } from '#src/edges/kubernetes/resource-paths.js';
import {
  createCandidateReader,
  createCandidateWatcher,
} from '#src/edges/kubernetes/sentinel/candidate-watcher.js';
import { resourceKinds } from '#src/engine/objects/cluster-objects.js';

const namespace = 'shop';
const selector = { matchLabels: { app: 'web' } };
const template = { metadata: { labels: { app: 'web' } }, spec: { containers: [] } };
const ownedBy = (kind: string, name: string) => [
  { apiVersion: 'apps/v1', kind, name, uid: `${name}-uid`, controller: true },
];
const named = (name: string, owners: readonly object[] = []) => ({
  metadata: {
    name,
    namespace,
    uid: `${name}-uid`,
    resourceVersion: '70',
    labels: { app: 'web' },
    ownerReferences: owners,
  },
});
const pod = (name: string, owner: string, nodeName: string | undefined) => ({
  ...named(name, ownedBy('ReplicaSet', owner)),
  spec: {
    containers: [{ name: 'a', image: 'a', resources: { requests: { 'example.com/gpu': '1' } } }],
    volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'data' } }],
    ...(nodeName === undefined ? {} : { nodeName }),
  },
  status: { phase: nodeName === undefined ? 'Pending' : 'Running' },
});
const refusal = 'pods "web-2-a" is forbidden: exceeded quota: team, requested: pods=1';

/** A rollout that waits, beside another one that waits, in a namespace whose quota refuses pods. */
const items: Readonly<Record<string, readonly object[]>> = {
  deployments: ['web', 'api'].map((name) => ({ ...named(name), spec: { replicas: 1, selector, template } })),
  replicasets: [
    { ...named('web-1', ownedBy('Deployment', 'web')), spec: { replicas: 1, selector, template } },
    {
      ...named('web-2', ownedBy('Deployment', 'web')),
      spec: { replicas: 1, selector, template },
      status: { conditions: [{ type: 'ReplicaFailure', status: 'True', message: refusal }] },
    },
    { ...named('api-1', ownedBy('Deployment', 'api')), spec: { replicas: 1, selector, template } },
  ],
  pods: [
    pod('web-1-a', 'web-1', 'node-a'),
    pod('web-2-a', 'web-2', undefined),
    pod('api-1-a', 'api-1', undefined),
  ],
  nodes: [{ metadata: { name: 'node-a', uid: 'node-a-uid', resourceVersion: '5' }, status: {} }],
  resourcequotas: [{ ...named('team'), spec: { hard: { pods: '1' } } }],
  persistentvolumeclaims: [{ ...named('data'), spec: {} }],
};

function answerTo({ path }: ApiRequest): ApiAnswer {
  const parts = path.split('/');
  const last = parts.at(-1) ?? '';
  const collection = parts.at(-2) ?? '';
  const one = (items[collection] ?? []).find(
    (item) => (item as { metadata: { name: string } }).metadata.name === last,
  );
  if (one !== undefined) return { status: 200, body: one, retryAfterMs: undefined };
  const body = { metadata: { resourceVersion: '90' }, items: items[last] ?? [] };
  return { status: 200, body, retryAfterMs: undefined };
}

function recordingConnection() {
  const sent: ApiRequest[] = [];
  const stopping = new AbortController();
  const connection: ClusterConnection = {
    name: 'prod',
    async call(request) {
      sent.push(request);
      return answerTo(request);
    },
    async stream() {
      stopping.abort();
      return { status: 500, body: '', retryAfterMs: undefined };
    },
  };
  return { asked: sent, connection, stopping };
}

const collections = new Set(Object.values(resourcePaths).map(({ plural }) => plural));

function isList({ method = 'GET', path }: ApiRequest): boolean {
  return method === 'GET' && collections.has(path.split('/').at(-1) ?? '');
}

/**
 * As `kube-apiserver` decides it: one name in one namespace is one key, and a next page is of a decided list.
 */
function isDecided({ path, query = {} }: ApiRequest): boolean {
  const isOneKey = /^metadata\.name=/.test(String(query.fieldSelector)) && path.includes('/namespaces/');
  return query.resourceVersion !== undefined || query.continue !== undefined || isOneKey;
}

function undecided(sent: readonly ApiRequest[]): readonly string[] {
  const all = sent.filter(isList).filter((request) => !isDecided(request));
  return all.map(({ path, query }) => `${path} ${JSON.stringify(query)}`);
}

const everything = new Set([...resourceKinds, 'PodLog'] as const);
const clock = { now: () => new Date('2026-01-01T00:00:00Z') };
const timeouts = { timeoutMs: 5_000, findTimeoutMs: 5_000 };
const signal = () => AbortSignal.timeout(5_000);
const workload = { cluster: 'prod', kind: 'Deployment', namespace, name: 'web' } as const;
const watching = { pageTimeoutMs: 5_000, firstWaitMs: 1, random: () => 0 };
const handlers = {
  listBegins: () => undefined,
  listEnds: () => undefined,
  inStep: () => undefined,
  trouble: () => undefined,
  pod: () => undefined,
  candidate: () => undefined,
};

type Reading = (connections: readonly ClusterConnection[], stopping: AbortController) => Promise<unknown>;

const readings: readonly (readonly [string, Reading])[] = [
  [
    'a diagnosis',
    (connections) => createClusterReader({ connections, clock, ...timeouts }).snapshot(workload, everything),
  ],
  [
    'finding a workload by its name',
    async (connections) => {
      const reader = createClusterReader({ connections, clock, ...timeouts });
      await reader.find({ name: 'web' }, fullSight);
      await reader.find({ name: 'wbe' }, fullSight);
      await reader.find({ namespace: 'shpo', name: 'web' }, fullSight);
      await reader.find({ namespace, kind: 'DaemonSet', name: 'web' }, fullSight);
    },
  ],
  [
    'finding the workload of an alert',
    async (connections) => {
      const locator = createWorkloadLocator({
        clusters: () => connections.map(createClusterNames),
        timeoutMs: 5_000,
      });
      await locator.named([{ name: 'web' }, { namespace, name: 'web' }], fullSight);
      await locator.ownerOf({ name: 'web-1-a' }, fullSight);
      await locator.ownerOf({ namespace, name: 'web-1-a' }, fullSight);
      await locator.sufferingOn({ node: 'node-a' }, fullSight);
      await locator.sufferingIn({ namespace }, fullSight);
    },
  ],
  [
    'a scan of a namespace',
    (connections) =>
      createClusterReader({ connections, clock, ...timeouts }).scope(
        { cluster: 'prod', namespace },
        everything,
        signal(),
      ),
  ],
  [
    'a scan of a cluster',
    (connections) =>
      createClusterReader({ connections, clock, ...timeouts }).scope(
        { cluster: 'prod', namespace: '' },
        everything,
        signal(),
      ),
  ],
  [
    'the requests of the sentinel about a candidate',
    (connections) =>
      createCandidateReader({ connections, timeoutMs: 5_000 }).behind('prod', {
        kind: 'Pod',
        namespace,
        name: 'web-2-a',
      }),
  ],
  [
    'the watch of the sentinel',
    (connections, stopping) =>
      createCandidateWatcher({ connections, ...watching }).watch('prod', '', handlers, stopping.signal),
  ],
  [
    'the watch of the crash history',
    (connections, stopping) =>
      createPodWatcher({ connections, ...watching }).watch('prod', '', handlers, stopping.signal),
  ],
  [
    'the watch of the nodes',
    (connections, stopping) =>
      createNodeCache({ connections, ...watching }).watch('prod', handlers.trouble, stopping.signal),
  ],
];

describe('every list request to an API server', () => {
  it.each(readings)('states how old its response may be: %s', async (_, read) => {
    const { asked: sent, connection, stopping } = recordingConnection();
    await read([connection], stopping);

    expect(sent.filter(isList).length).toBeGreaterThan(0);
    expect(undecided(sent)).toEqual([]);
  });

  it('sends no limit together with a resourceVersion, which Kubernetes before 1.31 would read from etcd', async () => {
    const { asked: sent, connection } = recordingConnection();
    await createClusterReader({ connections: [connection], clock, ...timeouts }).snapshot(
      workload,
      everything,
    );
    const versioned = sent.filter(
      ({ query }) => !['0', undefined].includes(query?.resourceVersion as string),
    );

    expect(versioned.length).toBeGreaterThan(2);
    expect(versioned.filter(({ query }) => query?.limit !== undefined)).toEqual([]);
  });

  it('is made in a file that chooses its resourceVersion', () => {
    const folder = join(import.meta.dirname, '../../../../src/edges/kubernetes');
    /** They only pass the path on to the watcher, write, or hold the paths. */
    const others = [
      'resource-paths.ts',
      'candidate-watcher.ts',
      'node-cache.ts',
      'pod-cache.ts',
      'workload-patcher.ts',
      'change-event.ts',
    ];
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
      (file) => file.endsWith('.ts') && !others.some((other) => file.endsWith(other)),
    );
    const listing = files.filter((file) =>
      readFileSync(join(folder, file), 'utf8').includes('collectionPath('),
    );

    expect(listing.length).toBeGreaterThan(2);
    expect(
      listing.filter((file) => !readFileSync(join(folder, file), 'utf8').includes('listQuery(')),
    ).toEqual([]);
  });
});
