import { describe } from 'vitest';
import { rolloutPaused } from '#src/doctor/causes/rollout-paused/rule.js';
import type { ClusterObjects } from '#src/engine/objects/cluster-objects.js';
import type { Snapshot } from '#src/engine/objects/snapshot.js';
import { quota } from '../../../../support/kubernetes-objects.js';
import { node } from '../../../../support/placement-builders.js';
import {
  ago,
  buildDeployment,
  buildPods,
  buildReplicaSet,
  type DeploymentFields,
} from '../../../../support/rollout-builders.js';
import { expectFindings, has, lacks, snapshotOf, step } from '../run-rule.js';

interface Fields extends DeploymentFields {
  /** Replicas of revisions 1 and 2; `undefined`: the ReplicaSet does not exist. */
  readonly first?: number | undefined;
  readonly second?: number | undefined;
  /** The state of the new pods. */
  readonly broken?: { readonly ready?: boolean; readonly restarts?: number; readonly seconds?: number };
  readonly by?: string;
  readonly objects?: Partial<ClusterObjects>;
  readonly unseen?: Snapshot['unseen'];
}

/** `shop/web` of two replicas, paused 20 minutes ago on revision 1 with the template of revision 2. */
function paused({ second, broken, by, objects = {}, unseen = [], ...fields }: Fields): Snapshot {
  const { first = 'first' in fields ? undefined : 2, ...rest } = fields;
  const condition = {
    type: 'Progressing',
    status: 'Unknown',
    reason: 'DeploymentPaused',
    lastUpdateTime: ago(1200),
  };
  const status = { readyReplicas: 2, conditions: [condition] };
  const workload = buildDeployment({ replicas: 2, paused: true, status, ...rest });
  const { replicas } = workload.spec;
  const annotations = {
    'deployment.kubernetes.io/desired-replicas': String(replicas),
    'deployment.kubernetes.io/max-replicas': String(replicas + 1),
  };
  const old =
    first === undefined
      ? []
      : [buildReplicaSet({ revision: 1, replicas: first, available: first, annotations })];
  const fresh = second === undefined ? [] : [buildReplicaSet({ revision: 2, replicas: second, annotations })];
  const newPods = fresh
    .flatMap((set) => buildPods(set, set.spec.replicas))
    .map((pod) => {
      if (broken === undefined) return pod;
      const { seconds = 3600, restarts = 0 } = broken;
      const status = pod.status.containerStatuses.map((each) => ({
        ...each,
        ready: false,
        restartCount: restarts,
      }));
      return {
        ...pod,
        metadata: { ...pod.metadata, creationTimestamp: ago(seconds) },
        status: {
          ...pod.status,
          containerStatuses: status,
          conditions: pod.status.conditions.map((each) => ({
            ...each,
            status: each.type === 'Ready' ? 'False' : each.status,
            lastTransitionTime: ago(seconds),
          })),
        },
      };
    });
  const writes = {
    operation: 'Update',
    apiVersion: 'apps/v1',
    subresource: '',
    fieldsV1: { 'f:spec': { 'f:paused': {} } },
  };
  const managedFields = by === undefined ? [] : [{ ...writes, manager: by, time: ago(1201) }];
  return snapshotOf(
    { ...workload, metadata: { ...workload.metadata, managedFields } },
    {
      ReplicaSet: [...old, ...fresh],
      Pod: [...old.flatMap((set) => buildPods(set, set.spec.replicas)), ...newPods],
      Node: [node('n-a')],
      ...objects,
    },
    { unseen },
  );
}

const halfWay = { first: 1, second: 1 };
const single = { replicas: 1, first: 1 };
const pods = (hard: string) => ({ ResourceQuota: [quota({ pods: hard }, { pods: '1' })] });
const notResumed = (because: string) => ({
  fixes: lacks('resume-rollout'),
  becauseOf: has(because),
  adviceText: has('advice-mend-first'),
  snippets: '\n',
});

describe('a paused Deployment', () => {
  expectFindings<Fields>(rolloutPaused, paused, [
    [
      'with a changed template and no new pods is reported, with the changes, and may be resumed',
      {},
      {
        confidence: 'proven',
        severity: 'warning',
        standing: { values: { revision: '2', forSeconds: 1200, ready: 2, wanted: 2 } },
        reasoning: ['paused', 'not-begun', 'differs', 'scaling-works'],
        steps: has(
          step('differs', {
            changes: [{ path: 'spec.template.spec.containers[app].image', after: 'web:2' }],
          }),
        ),
        withheld: ['restart-rollout', 'patch-strategy', 'undo-rollout'],
        snippets: 'kubectl -n shop rollout resume deployment/web\n\n',
        fix: {
          kind: 'resume-rollout',
          price: { downtime: { kind: 'none' }, drift: 'none', blastRadius: { pods: 2 } },
          prediction: { ends: 'complete', victims: [{}, {}] },
        },
      },
    ],
    [
      'names the writer of the field, where the API server has recorded it',
      { by: 'kubectl-rollout' },
      { steps: has(step('paused', { by: 'kubectl-rollout', at: ago(1201) })) },
    ],
    [
      'half-way reports its progress',
      halfWay,
      { steps: has(step('half-way', { updated: 1, old: 1, wanted: 2 })) },
    ],
    [
      'before its first rollout has no pods, which is critical',
      { first: undefined, status: {} },
      { severity: 'critical', reasoning: has('never-begun'), fix: { kind: 'resume-rollout' } },
    ],
    [
      'with crashing new pods is not resumed: it may be paused because of them',
      { ...halfWay, broken: { restarts: 5 } },
      { ...notResumed('withheld-broken'), fixes: [] },
    ],
    [
      'with new pods that have not become ready in an hour is not resumed',
      { ...halfWay, broken: { seconds: 3000 } },
      notResumed('withheld-broken'),
    ],
    [
      'with new pods that start is resumed',
      { ...halfWay, broken: { seconds: 5 } },
      { fixes: ['resume-rollout'] },
    ],
    [
      'that would get stuck half-way is not resumed',
      { ...single, objects: { Node: [node('n-0', { allocatable: { pods: '1' } })] } },
      notResumed('withheld-stuck'),
    ],
    [
      'under a quota without room for a pod more is not resumed',
      { ...single, objects: pods('1') },
      notResumed('withheld-stuck'),
    ],
    [
      'under a quota with room for it is resumed',
      { ...single, objects: pods('2') },
      { fix: { kind: 'resume-rollout' } },
    ],
    ['without a change is not reported', { image: 'web:1' }],
    ['is not reported where its rollout was complete', { first: 0, second: 2 }],
    ['scaled to zero is not reported', { replicas: 0, first: 0 }],
    ['is not reported where it is not paused', { paused: false }],
    ['that is being deleted is not reported', { deleted: true }],
    [
      'whose ReplicaSets could not be read is not reported',
      {
        first: undefined,
        unseen: [{ what: 'ReplicaSet', namespace: 'shop', because: 'forbidden', message: '' }],
      },
    ],
  ]);
});
