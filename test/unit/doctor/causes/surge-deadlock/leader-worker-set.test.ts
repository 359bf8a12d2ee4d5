import { describe, expect, it } from 'vitest';
import { surgeDeadlock as rule } from '#src/doctor/causes/surge-deadlock/rule.js';
import { indexObjects } from '#src/engine/objects/cluster-index.js';
import { type ClusterObjects, clusterObjects } from '#src/engine/objects/cluster-objects.js';
import type { LeaderWorkerSet } from '#src/engine/objects/leader-worker-set.js';
import { controllerOf } from '#src/engine/objects/metadata.js';
import { PodTemplate } from '#src/engine/objects/pod-spec.js';
import type { Snapshot } from '#src/engine/objects/snapshot.js';
import { rolloutStateOf } from '#src/engine/workloads/rollout-state.js';
import { objectsOf } from '../../../../support/scenarios/objects-of.js';
import { expectFindings, foundBy } from '../run-rule.js';

type Spec = LeaderWorkerSet['spec'];
type Edit = (set: LeaderWorkerSet) => LeaderWorkerSet;
interface World {
  readonly id?: string;
  readonly edit?: Edit;
  readonly objects?: (recorded: ClusterObjects) => Partial<ClusterObjects>;
}

/**
 * A recorded deadlock whose LeaderWorkerSet is changed, and was made with this template: its revisions are
 * left out.
 */
function changed({ id = 'two-groups', edit = (set) => set, objects }: World): Snapshot {
  const recorded = objectsOf(`leader-worker-sets/${id}`);
  const [set] = recorded.LeaderWorkerSet;
  if (set === undefined) throw new Error(`${id} has no LeaderWorkerSet`);
  const workload = edit(set);
  const ControllerRevision = recorded.ControllerRevision.filter(
    (revision) => controllerOf(revision)?.kind !== 'LeaderWorkerSet',
  );
  const index = indexObjects(
    clusterObjects({ ...recorded, ControllerRevision, LeaderWorkerSet: [workload], ...objects?.(recorded) }),
  );
  return { takenAt: '2026-11-25T11:30:00Z', cluster: 'prod', workload, index, logs: [], unseen: [] };
}

const withSpec =
  (fields: Partial<Spec>): Edit =>
  (set) => ({ ...set, spec: { ...set.spec, ...fields } });

const withStrategy =
  (fields: Partial<Spec['rolloutStrategy']>): Edit =>
  (set) =>
    withSpec({ rolloutStrategy: { ...set.spec.rolloutStrategy, ...fields } })(set);

const withBounds =
  (bounds: Partial<Spec['rolloutStrategy']['rollingUpdateConfiguration']>): Edit =>
  (set) => {
    const { rollingUpdateConfiguration } = set.spec.rolloutStrategy;
    return withStrategy({ rollingUpdateConfiguration: { ...rollingUpdateConfiguration, ...bounds } })(set);
  };

const withTemplate =
  (fields: Partial<Spec['leaderWorkerTemplate']>): Edit =>
  (set) =>
    withSpec({ leaderWorkerTemplate: { ...set.spec.leaderWorkerTemplate, ...fields } })(set);

const withAnnotation =
  (name: string): Edit =>
  (set) => {
    const annotations = { ...set.metadata.annotations, [name]: 'rack' };
    return { ...set, metadata: { ...set.metadata, annotations } };
  };

/** Two pods that match it may not share a node. */
const apartBy =
  (label: string): Edit =>
  (set) => {
    const { raw } = set.spec.leaderWorkerTemplate.workerTemplate;
    const labelSelector = { matchExpressions: [{ key: label, operator: 'Exists' }] };
    const term = { labelSelector, topologyKey: 'kubernetes.io/hostname' };
    const affinity = { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [term] } };
    const spec = { ...(raw.spec as object), affinity };
    const workerTemplate = PodTemplate.parse({ ...raw, spec });
    const rawTemplate = { ...set.spec.leaderWorkerTemplate.raw, workerTemplate: workerTemplate.raw };
    return withTemplate({ workerTemplate, raw: rawTemplate })(set);
  };

const lws = 'leaderworkerset.sigs.k8s.io';
const many = 2_147_483_647;
const unwritten = {
  observedGeneration: 0,
  replicas: 0,
  readyReplicas: 0,
  updatedReplicas: 0,
  conditions: [],
};
const notSimulated: readonly (readonly [string, Edit, string])[] = [
  ['an exclusive topology', withAnnotation(`${lws}/exclusive-topology`), `${lws}/exclusive-topology`],
  [
    'an exclusive topology of subgroups',
    withAnnotation(`${lws}/subgroup-exclusive-topology`),
    `${lws}/subgroup-exclusive-topology`,
  ],
  ['an affinity by a label of the webhook', apartBy(`${lws}/subgroup-key`), `${lws}/subgroup-key`],
  [
    'claims of its workers',
    withTemplate({ volumeClaimTemplates: [{ metadata: { name: 'models' } }] }),
    'spec.leaderWorkerTemplate.volumeClaimTemplates',
  ],
  ['an unknown type of strategy', withStrategy({ type: 'Lockstep' }), 'spec.rolloutStrategy.type: Lockstep'],
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
];

describe('the deadlock of a LeaderWorkerSet', () => {
  expectFindings<World>(rule, changed, [
    ['is proven where every setting is simulated', {}, { confidence: 'proven', doubts: [] }],
    [
      'is proven with bounds in percent',
      { edit: withBounds({ maxSurge: '50%', maxUnavailable: '0%' }) },
      { confidence: 'proven' },
    ],
    ['is proven where only the leader exists', { id: 'leader-first' }, { confidence: 'proven' }],
    [
      'counts the workers that do not exist yet as members of their group',
      { id: 'leader-first', edit: apartBy(`${lws}/name`) },
    ],
    ...notSimulated.map(
      ([what, edit, named]) =>
        [
          `is only likely, and has no fix, with ${what}`,
          { edit },
          {
            confidence: 'likely',
            fixes: [],
            doubts: ['groups-not-simulated'],
            weakenedBy: [{ values: { settings: [named] } }],
          },
        ] as const,
    ),
    ['does not depend on groups that a partition keeps', { edit: withBounds({ partition: 2 }) }],
    ['nor on those behind it', { id: 'one-pod-group', edit: withBounds({ partition: 7 }) }],
    [
      'names only the groups that the partition releases',
      { edit: withBounds({ partition: 1 }) },
      { holders: ['inference-1', 'inference-1-1'] },
    ],
    ['is not reported where the surge is no bound', { edit: withBounds({ maxSurge: '1' }) }],
    ['is not reported where no bound can be read', { edit: withBounds({ maxUnavailable: 'none' }) }],
    ['is not reported for more groups than are simulated', { edit: withSpec({ replicas: many }) }],
    ['is not reported for larger groups than are simulated', { edit: withTemplate({ size: many }) }],
    [
      'is not reported where the leader of an old group is missing',
      { objects: ({ Pod }) => ({ Pod: Pod.filter(({ metadata }) => metadata.name !== 'inference-0') }) },
    ],
    [
      'is not reported before the controller has written a status',
      { edit: (set) => ({ ...set, status: unwritten }) },
    ],
  ]);

  it.each(['has the label', 'has the label in its template'])(
    'does not count the pods of a StatefulSet that only %s',
    (where) => {
      const snapshot = changed({
        objects: ({ Pod, StatefulSet }) => {
          const leader = Pod.find(({ metadata }) => metadata.name === 'inference-0');
          const set = StatefulSet.find(({ metadata }) => metadata.name === 'inference');
          if (leader === undefined || set === undefined) throw new Error('the recording has a leader');
          const labels = where === 'has the label' ? set.metadata.labels : {};
          const stray = { name: 'stray', uid: 'stray' };
          const owner = { apiVersion: 'apps/v1', kind: 'StatefulSet', ...stray, controller: true };
          const own = { name: 'stray-0', uid: 'stray-0', ownerReferences: [owner] };
          const metadata = { ...set.metadata, ...stray, labels, ownerReferences: [] };
          return {
            StatefulSet: [...StatefulSet, { ...set, metadata }],
            Pod: [...Pod, { ...leader, metadata: { ...leader.metadata, ...own } }],
          };
        },
      });
      const namesIn = (all: readonly { readonly metadata: { readonly name: string } }[]) =>
        all.map(({ metadata }) => metadata.name);

      expect(foundBy(rule, snapshot)?.holders.map(({ name }) => name)).not.toContain('stray-0');
      expect(namesIn(snapshot.index.objects.Pod)).toContain('stray-0');
      expect(namesIn(rolloutStateOf(snapshot).pods)).not.toContain('stray-0');
    },
  );
});
