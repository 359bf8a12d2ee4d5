import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { conclusionOf, mainFindingOf, openQuestionOf } from '#src/doctor/findings/main-finding.js';
import { recordedSource } from '#src/edges/cli/sources.js';
import { createEngine } from '#src/service/create-engine.js';

const engine = createEngine();
let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'restarts-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const template = {
  metadata: { labels: { app: 'web' } },
  spec: { containers: [{ name: 'app', image: 'web:1', resources: {} }] },
};
const metadata = (name: string, more: object = {}) => ({
  name,
  namespace: 'shop',
  uid: `uid-of-${name}`,
  generation: 1,
  creationTimestamp: '2026-11-01T10:00:00Z',
  labels: { app: 'web' },
  ...more,
});
const ownedBy = (kind: string, name: string) => ({
  ownerReferences: [{ apiVersion: 'apps/v1', kind, name, uid: `uid-of-${name}`, controller: true }],
});
const counts = { replicas: 1, readyReplicas: 1, availableReplicas: 1, observedGeneration: 1 };
const workload = [
  {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: metadata('web', { annotations: { 'deployment.kubernetes.io/revision': '1' } }),
    spec: {
      replicas: 1,
      selector: { matchLabels: { app: 'web' } },
      strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } },
      template,
    },
    status: { ...counts, updatedReplicas: 1 },
  },
  {
    apiVersion: 'apps/v1',
    kind: 'ReplicaSet',
    metadata: metadata('web-1', {
      ...ownedBy('Deployment', 'web'),
      annotations: { 'deployment.kubernetes.io/revision': '1' },
    }),
    spec: { replicas: 1, selector: { matchLabels: { app: 'web' } }, template },
    status: counts,
  },
  {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: metadata('web-1-a', ownedBy('ReplicaSet', 'web-1')),
    spec: { ...template.spec, nodeName: 'node-a' },
    status: {
      phase: 'Running',
      startTime: '2026-11-01T10:00:00Z',
      conditions: ['Ready', 'ContainersReady', 'PodScheduled'].map((type) => ({
        type,
        status: 'True',
        lastTransitionTime: '2026-11-20T12:00:11Z',
      })),
      containerStatuses: [
        {
          name: 'app',
          image: 'web:1',
          ready: true,
          restartCount: 4,
          state: { running: { startedAt: '2026-11-20T12:00:10Z' } },
          lastState: {
            terminated: {
              exitCode: 1,
              reason: 'Error',
              startedAt: '2026-11-20T11:59:30Z',
              finishedAt: '2026-11-20T12:00:00Z',
            },
          },
        },
      ],
    },
  },
];
const event = (name: string, at: string) => ({
  apiVersion: 'v1',
  kind: 'Event',
  metadata: metadata(`event-of-${name}`),
  involvedObject: {
    kind: 'Pod',
    namespace: 'shop',
    name,
    uid: `uid-of-${name}`,
    fieldPath: 'spec.containers{app}',
  },
  type: 'Warning',
  reason: 'BackOff',
  message: 'Back-off restarting failed container app',
  count: 4,
  firstTimestamp: at,
  lastTimestamp: at,
});

async function answer(objects: readonly object[], at?: string) {
  const file = join(folder, 'objects.json');
  writeFileSync(file, JSON.stringify({ apiVersion: 'v1', kind: 'List', items: objects }));
  const { reader, cluster } = await recordedSource(file, at);
  const ref = { cluster, kind: 'Deployment', namespace: 'shop', name: 'web' } as const;
  const read = await reader.snapshot(ref, new Set());
  if (read.type !== 'snapshot') throw new Error(read.type);
  const diagnosis = engine.diagnose(read.snapshot);
  const open = openQuestionOf(diagnosis);
  const unread = open !== undefined && 'unread' in open ? open.unread.map(({ what }) => what) : [];
  return { conclusion: conclusionOf(diagnosis), cause: mainFindingOf(diagnosis).main?.cause, unread };
}

/** A container that is ready ended its last run ten seconds before the newest time of the recording. */
describe('a restart of a container that is ready', () => {
  it('is a crash where its events show that it was a moment ago', async () => {
    const restart = event('web-1-a', '2026-11-20T12:00:05Z');
    expect(await answer([...workload, restart])).toMatchObject({
      conclusion: 'found',
      cause: 'application-crash',
    });
  });

  it('is past where the events that were read show none of it', async () => {
    const later = event('other', '2026-11-20T12:00:05Z');
    expect(await answer([...workload, later])).toEqual({
      conclusion: 'nothing',
      cause: undefined,
      unread: [],
    });
  });

  it('leaves the answer open where no events were read: it may be a moment ago', async () => {
    expect(await answer(workload)).toEqual({ conclusion: 'unchecked', cause: undefined, unread: ['Event'] });
  });

  it.each([
    ['is a crash', '2026-11-20T12:00:20Z', 'application-crash'],
    ['is past', '2026-11-23T12:00:00Z', undefined],
  ])('%s where the time is stated', async (_, at, cause) => {
    expect((await answer(workload, at)).cause).toBe(cause);
  });
});
