import { describe, expect, it } from 'vitest';
import { indexObjects } from '#src/core/cluster/cluster-index.js';
import { clusterObjects } from '#src/core/cluster/cluster-objects.js';
import type { LeaderWorkerSet } from '#src/core/cluster/leader-worker-set.js';
import { controllerOf } from '#src/core/cluster/metadata.js';
import { PodTemplate } from '#src/core/cluster/pod-spec.js';
import type { Snapshot } from '#src/core/cluster/snapshot.js';
import type { StatefulSet } from '#src/core/cluster/workload.js';
import { surgeDeadlock as rule } from '#src/core/diagnosis/causes/surge-deadlock/rule.js';
import { text } from '#src/core/diagnosis/causes/surge-deadlock/text.js';
import { rolloutStateOf } from '#src/core/rollout/rollout-state.js';
import { objectsOf } from '#support/scenarios/objects-of.js';
import { foundBy, keysOf, mustFind, renderFinding } from '../run-rule.js';

type Spec = LeaderWorkerSet['spec'];

/** A recorded deadlock whose LeaderWorkerSet is changed, and was made with this template: its revisions are left out. */
function changed(id: string, change: (set: LeaderWorkerSet) => LeaderWorkerSet): Snapshot {
  const objects = objectsOf(`leader-worker-sets/${id}`);
  const [recorded] = objects.LeaderWorkerSet;
  if (recorded === undefined) throw new Error(`${id} has no LeaderWorkerSet`);
  const workload = change(recorded);
  const ControllerRevision = objects.ControllerRevision.filter(
    (revision) => controllerOf(revision)?.kind !== 'LeaderWorkerSet',
  );
  const index = indexObjects(clusterObjects({ ...objects, ControllerRevision, LeaderWorkerSet: [workload] }));
  return { takenAt: '2026-11-25T11:30:00Z', cluster: 'prod', workload, index, logs: [], unseen: [] };
}

const withSpec =
  (fields: Partial<Spec>) =>
  (set: LeaderWorkerSet): LeaderWorkerSet => ({ ...set, spec: { ...set.spec, ...fields } });

const withAnnotation =
  (name: string) =>
  (set: LeaderWorkerSet): LeaderWorkerSet => ({
    ...set,
    metadata: { ...set.metadata, annotations: { ...set.metadata.annotations, [name]: 'rack' } },
  });

const withBounds =
  (bounds: Partial<Spec['rolloutStrategy']['rollingUpdateConfiguration']>) =>
  (set: LeaderWorkerSet): LeaderWorkerSet => {
    const { rolloutStrategy } = set.spec;
    const rollingUpdateConfiguration = { ...rolloutStrategy.rollingUpdateConfiguration, ...bounds };
    return withSpec({ rolloutStrategy: { ...rolloutStrategy, rollingUpdateConfiguration } })(set);
  };

const withTemplate =
  (fields: Partial<Spec['leaderWorkerTemplate']>) =>
  (set: LeaderWorkerSet): LeaderWorkerSet =>
    withSpec({ leaderWorkerTemplate: { ...set.spec.leaderWorkerTemplate, ...fields } })(set);

const same = (set: LeaderWorkerSet): LeaderWorkerSet => set;

describe('the deadlock of a LeaderWorkerSet', () => {
  it('is proven where every setting is simulated', () => {
    const finding = mustFind(rule, changed('two-groups', same));
    expect(finding).toMatchObject({ confidence: 'proven', weakenedBy: [] });
  });

  it('is proven with bounds in percent', () => {
    const bounds = withBounds({ maxSurge: '50%', maxUnavailable: '0%' });
    expect(mustFind(rule, changed('two-groups', bounds))).toMatchObject({ confidence: 'proven' });
  });

  /** Two pods that match it may not share a node. */
  const apartBy = (label: string) => (set: LeaderWorkerSet) => {
    const { raw } = set.spec.leaderWorkerTemplate.workerTemplate;
    const labelSelector = { matchExpressions: [{ key: label, operator: 'Exists' }] };
    const term = { labelSelector, topologyKey: 'kubernetes.io/hostname' };
    const affinity = { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [term] } };
    const spec = { ...(raw.spec as object), affinity };
    const workerTemplate = PodTemplate.parse({ ...raw, spec });
    const rawTemplate = { ...set.spec.leaderWorkerTemplate.raw, workerTemplate: workerTemplate.raw };
    return withTemplate({ workerTemplate, raw: rawTemplate })(set);
  };

  it('counts the workers that do not exist yet as members of their group', () => {
    const apart = apartBy('leaderworkerset.sigs.k8s.io/name');
    expect(mustFind(rule, changed('leader-first', same)).confidence).toBe('proven');
    expect(foundBy(rule, changed('leader-first', apart))).toBeUndefined();
  });

  const claims = [{ metadata: { name: 'models' } }];
  it.each<[string, (set: LeaderWorkerSet) => LeaderWorkerSet, string]>([
    [
      'an exclusive topology',
      withAnnotation('leaderworkerset.sigs.k8s.io/exclusive-topology'),
      'leaderworkerset.sigs.k8s.io/exclusive-topology',
    ],
    [
      'an exclusive topology of subgroups',
      withAnnotation('leaderworkerset.sigs.k8s.io/subgroup-exclusive-topology'),
      'leaderworkerset.sigs.k8s.io/subgroup-exclusive-topology',
    ],
    [
      'an affinity by a label of the webhook',
      apartBy('leaderworkerset.sigs.k8s.io/subgroup-key'),
      'leaderworkerset.sigs.k8s.io/subgroup-key',
    ],
    [
      'claims of its workers',
      (set) => withTemplate({ volumeClaimTemplates: claims })(set),
      'spec.leaderWorkerTemplate.volumeClaimTemplates',
    ],
    [
      'an unknown type of strategy',
      (set) => withSpec({ rolloutStrategy: { ...set.spec.rolloutStrategy, type: 'Lockstep' } })(set),
      'spec.rolloutStrategy.type: Lockstep',
    ],
    [
      'an unknown startup policy',
      withSpec({ startupPolicy: 'WorkersFirst' }),
      'spec.startupPolicy: WorkersFirst',
    ],
    [
      'an unknown restart policy',
      withTemplate({ restartPolicy: 'RecreateSubGroup' }),
      'spec.leaderWorkerTemplate.restartPolicy: RecreateSubGroup',
    ],
  ])('is only likely, and has no fix, with %s', (_, change, named) => {
    const finding = mustFind(rule, changed('two-groups', change));
    expect(finding).toMatchObject({ confidence: 'likely', remediations: [] });
    expect(keysOf(finding.weakenedBy)).toEqual(['groups-not-simulated']);
    for (const sentences of Object.values(renderFinding(finding, text))) {
      expect(sentences.join('\n')).toContain(named);
    }
  });

  it('does not depend on groups that a partition keeps', () => {
    expect(foundBy(rule, changed('two-groups', withBounds({ partition: 2 })))).toBeUndefined();
    expect(foundBy(rule, changed('one-pod-group', withBounds({ partition: 7 })))).toBeUndefined();
  });

  it('names only the groups that the partition releases', () => {
    const finding = mustFind(rule, changed('two-groups', withBounds({ partition: 1 })));
    const holders = finding.holders.map(({ name }) => name);
    expect(holders.filter((name) => name.startsWith('inference-0'))).toEqual([]);
    expect(holders).toContain('inference-1');
  });

  it('is not reported where the controller cannot read a bound', () => {
    expect(foundBy(rule, changed('two-groups', withBounds({ maxSurge: '1' })))).toBeUndefined();
    expect(foundBy(rule, changed('two-groups', withBounds({ maxUnavailable: 'none' })))).toBeUndefined();
  });

  it('is not reported for more groups than are simulated', () => {
    expect(foundBy(rule, changed('two-groups', withSpec({ replicas: 2_147_483_647 })))).toBeUndefined();
    expect(foundBy(rule, changed('two-groups', withTemplate({ size: 2_147_483_647 })))).toBeUndefined();
  });

  it('is not reported where the leader of an old group is missing', () => {
    const snapshot = changed('two-groups', same);
    const { objects } = snapshot.index;
    const pods = objects.Pod.filter(({ metadata }) => metadata.name !== 'inference-0');
    const index = indexObjects(clusterObjects({ ...objects, Pod: pods }));
    expect(foundBy(rule, { ...snapshot, index })).toBeUndefined();
  });

  it.each([
    ['has the label', (set: StatefulSet) => set.metadata.labels],
    ['has the label in its template', () => ({})],
  ])('does not count the pods of a StatefulSet that only %s', (_, labelsOf) => {
    const snapshot = changed('two-groups', same);
    const { objects } = snapshot.index;
    const [leader] = objects.Pod.filter(({ metadata }) => metadata.name === 'inference-0');
    const [set] = objects.StatefulSet.filter(({ metadata }) => metadata.name === 'inference');
    if (leader === undefined || set === undefined) throw new Error('the recording has a leader');
    const owner = {
      apiVersion: 'apps/v1',
      kind: 'StatefulSet',
      name: 'stray',
      uid: 'stray',
      controller: true,
    };
    const stray = {
      ...set,
      metadata: { ...set.metadata, name: 'stray', uid: 'stray', labels: labelsOf(set), ownerReferences: [] },
    };
    const pod = {
      ...leader,
      metadata: { ...leader.metadata, name: 'stray-0', uid: 'stray-0', ownerReferences: [owner] },
    };
    const index = indexObjects(
      clusterObjects({
        ...objects,
        StatefulSet: [...objects.StatefulSet, stray],
        Pod: [...objects.Pod, pod],
      }),
    );
    const finding = foundBy(rule, { ...snapshot, index });
    expect(finding?.holders.map(({ name }) => name) ?? []).not.toContain('stray-0');
    expect(rolloutStateOf({ ...snapshot, index }).pods).not.toContain(pod);
  });

  it('is not reported before the controller has written a status', () => {
    const status = {
      observedGeneration: 0,
      replicas: 0,
      readyReplicas: 0,
      updatedReplicas: 0,
      conditions: [],
    };
    expect(
      foundBy(
        rule,
        changed('two-groups', (set) => ({ ...set, status })),
      ),
    ).toBeUndefined();
  });
});
