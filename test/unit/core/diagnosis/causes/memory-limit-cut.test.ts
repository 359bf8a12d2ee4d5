import { describe, expect, it } from 'vitest';
import { indexObjects } from '#src/core/cluster/cluster-index.js';
import type { Pod } from '#src/core/cluster/pod.js';
import type { Snapshot } from '#src/core/cluster/snapshot.js';
import { outOfMemory } from '#src/core/diagnosis/causes/out-of-memory/rule.js';
import { backingOff, crashSnapshot, ended, failingPod, readyFor } from '../crashes/build.js';
import { foundBy } from './run-rule.js';

const limits = (memory: string | undefined): { limits: Record<string, string> } => ({
  limits: memory === undefined ? {} : { memory },
});
const killed = (revision: string, memory: string) =>
  failingPod({
    name: `web-${revision}-killed`,
    revision,
    containers: [
      {
        spec: { resources: limits(memory) },
        state: backingOff,
        lastState: ended({ exitCode: 137, reason: 'OOMKilled' }),
        ready: false,
      },
    ],
  });
const former = (memory: string) =>
  failingPod({
    name: 'web-1-former',
    revision: '1',
    node: 'n-b',
    status: readyFor(86_400),
    containers: [{ spec: { resources: limits(memory) } }],
  });

/** With these limits in the templates of the two revisions. */
function rollout(pods: readonly Pod[], before: string | undefined, now: string): Snapshot {
  const both = [...pods, former(before ?? '1Gi')];
  const snapshot = crashSnapshot({ pods: both });
  const { objects } = snapshot.index;
  const index = indexObjects({
    ...objects,
    Pod: [...pods],
    ReplicaSet: objects.ReplicaSet.map((each) => {
      const resources = {
        requests: {},
        claims: [],
        ...limits(each.metadata.name === 'web-1' ? before : now),
      };
      const { template } = each.spec;
      const containers = template.spec.containers.map((container) => ({ ...container, resources }));
      const replicas = pods.filter(({ metadata }) => metadata.name.startsWith(each.metadata.name)).length;
      return {
        ...each,
        spec: { ...each.spec, replicas, template: { ...template, spec: { ...template.spec, containers } } },
      };
    }),
  });
  const { workload } = snapshot;
  if (workload.kind !== 'Deployment') throw new Error('a Deployment is expected');
  return { ...snapshot, index, workload: { ...workload, spec: { ...workload.spec, replicas: pods.length } } };
}

const cutIn = (snapshot: Snapshot) =>
  foundBy(outOfMemory, snapshot)?.reasoning.find(({ key }) => key === 'limit-cut')?.values;
const offered = (snapshot: Snapshot) => foundBy(outOfMemory, snapshot)?.remediations.map(({ kind }) => kind);

/** Fixes that are offered, and those that are not, each with its reason. */
const answered = (snapshot: Snapshot) =>
  [
    ...(foundBy(outOfMemory, snapshot)?.withheld ?? []),
    ...(foundBy(outOfMemory, snapshot)?.remediations ?? []),
  ].map(({ kind }) => kind);

describe('a memory limit that the current revision lowered', () => {
  it('is shown with both values, and a rollback is recommended', () => {
    const snapshot = rollout([killed('2', '256Mi'), former('1Gi')], '1Gi', '256Mi');

    expect(cutIn(snapshot)).toEqual({ container: 'app', before: '1Gi', limit: '256Mi', revision: 1 });
    expect(offered(snapshot)).toEqual(['undo-rollout']);
  });

  it('is shown after the last pod of the previous revision is gone, with the answer about a rollback', () => {
    const snapshot = rollout([killed('2', '256Mi')], '1Gi', '256Mi');

    expect(cutIn(snapshot)).toMatchObject({ before: '1Gi', limit: '256Mi' });
    expect(answered(snapshot)).toContain('undo-rollout');
  });

  it('is shown where the previous revision had none', () => {
    expect(cutIn(rollout([killed('2', '256Mi')], undefined, '256Mi'))).toMatchObject({ limit: '256Mi' });
  });
});

describe('near misses of a lowered limit', () => {
  it.each<[string, Snapshot]>([
    ['the same limit, written in another way', rollout([killed('2', '1Gi')], '1024Mi', '1Gi')],
    ['a limit that was raised and is still too low', rollout([killed('2', '1Gi')], '512Mi', '1Gi')],
    ['no former revision', crashSnapshot({ pods: [killed('1', '256Mi')] })],
    [
      'a pod of the former revision that is killed',
      rollout([{ ...killed('1', '1Gi') }, failingPod({ name: 'web-2-a', revision: '2' })], '1Gi', '256Mi'),
    ],
  ])('%s is not reported as a lowered limit', (_, snapshot) => {
    expect(foundBy(outOfMemory, snapshot)?.cause).toBe('out-of-memory');
    expect(cutIn(snapshot)).toBeUndefined();
    expect(offered(snapshot)).toEqual([]);
  });
});
