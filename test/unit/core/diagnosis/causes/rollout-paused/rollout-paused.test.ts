import { describe, expect, it } from 'vitest';
import { schemas } from '#src/core/cluster/cluster-objects.js';
import type { Snapshot } from '#src/core/cluster/snapshot.js';
import type { Deployment } from '#src/core/cluster/workload.js';
import { rolloutPaused } from '#src/core/diagnosis/causes/rollout-paused/rule.js';
import { text } from '#src/core/diagnosis/causes/rollout-paused/text.js';
import { node } from '#support/placement-builders.js';
import {
  ago,
  buildDeployment,
  buildPod,
  buildReplicaSet,
  type DeploymentFields,
  type PodFields,
} from '#support/rollout-builders.js';
import { foundBy, keysOf, mustFind, renderFinding, snapshotOf } from '../run-rule.js';

interface Fields extends DeploymentFields {
  /** Replicas of revisions 1 and 2; `undefined`: the ReplicaSet does not exist. */
  readonly first?: number | undefined;
  readonly second?: number | undefined;
  readonly newPod?: Partial<PodFields>;
  readonly unseen?: Snapshot['unseen'];
}

/** `shop/web` of two replicas, paused 20 minutes ago on revision 1 with the template of revision 2. */
function paused(fields: Fields = {}): Snapshot & { readonly workload: Deployment } {
  const { first = 2, second, newPod = {}, unseen = [], ...rest } = fields;
  const status = {
    readyReplicas: 2,
    conditions: [
      { type: 'Progressing', status: 'Unknown', reason: 'DeploymentPaused', lastUpdateTime: ago(1200) },
    ],
  };
  const workload = buildDeployment({ replicas: 2, paused: true, status, ...rest });
  const annotations = {
    'deployment.kubernetes.io/desired-replicas': String(workload.spec.replicas),
    'deployment.kubernetes.io/max-replicas': String(workload.spec.replicas + 1),
  };
  const sets = [
    ...('first' in fields && fields.first === undefined
      ? []
      : [buildReplicaSet({ revision: 1, replicas: first, available: first, annotations })]),
    ...(second === undefined ? [] : [buildReplicaSet({ revision: 2, replicas: second, annotations })]),
  ];
  const pods = sets.flatMap(({ metadata, spec }) =>
    Array.from({ length: spec.replicas }, (_, position) =>
      buildPod({
        name: `${metadata.name}-${position}`,
        owner: { name: metadata.name, uid: metadata.uid },
        labels: spec.template.metadata.labels,
        ...(metadata.name === 'web-2' ? newPod : {}),
      }),
    ),
  );
  const snapshot = snapshotOf(workload, { ReplicaSet: sets, Pod: pods, Node: [node('n-a')] }, { unseen });
  return { ...snapshot, workload };
}

const find = (fields: Fields = {}) => mustFind(rolloutPaused, paused(fields));

describe('a paused Deployment', () => {
  it('with a changed template and no new pods is reported, with the changes and their time', () => {
    const finding = find();

    expect(finding).toMatchObject({
      confidence: 'proven',
      severity: 'warning',
      standing: { values: { revision: '2', forSeconds: 1200, ready: 2, wanted: 2 } },
    });
    expect(keysOf(finding.reasoning)).toEqual(['paused', 'not-begun', 'differs', 'scaling-works']);
    expect(finding.reasoning[2]?.values.changes).toEqual([
      { path: 'spec.template.spec.containers[app].image', after: 'web:2' },
    ]);
    expect(finding.withheld.map(({ kind }) => kind)).toEqual([
      'restart-rollout',
      'patch-strategy',
      'undo-rollout',
    ]);
  });

  it('is described in both languages', () => {
    const { en, ko } = renderFinding(find(), text);

    expect(en).toContain('The rollout of shop/web is paused with an update pending');
    expect(ko).toHaveLength(en.length);
  });

  it('may be resumed, with the steps that the simulation predicts', () => {
    const [resume] = find().remediations;

    expect(resume).toMatchObject({
      kind: 'resume-rollout',
      price: { downtime: { kind: 'none' }, drift: 'none', blastRadius: { pods: 2 } },
      prediction: { ends: 'complete', victims: [{}, {}] },
    });
  });

  it('names the writer of the field, where the API server has recorded it', () => {
    const snapshot = paused();
    const { workload } = snapshot;
    const managedFields = [
      {
        manager: 'kubectl-rollout',
        operation: 'Update',
        apiVersion: 'apps/v1',
        subresource: '',
        time: ago(1201),
        fieldsV1: { 'f:spec': { 'f:paused': {} } },
      },
    ];
    const finding = mustFind(rolloutPaused, {
      ...snapshot,
      workload: { ...workload, metadata: { ...workload.metadata, managedFields } },
    });

    expect(finding.reasoning[0]?.values).toEqual({ by: 'kubectl-rollout', at: ago(1201) });
  });

  it('half-way reports its progress', () => {
    const finding = find({ first: 1, second: 1 });

    expect(finding.reasoning[1]).toMatchObject({
      key: 'half-way',
      values: { updated: 1, old: 1, wanted: 2 },
    });
  });

  it('before its first rollout has no pods, which is critical', () => {
    const finding = find({ first: undefined, status: {} });

    expect(finding.severity).toBe('critical');
    expect(keysOf(finding.reasoning)).toContain('never-begun');
    expect(finding.remediations[0]?.kind).toBe('resume-rollout');
  });

  it('with unhealthy new pods is not resumed: it may be paused because of them', () => {
    const crashing = find({ first: 1, second: 1, newPod: { ready: false, restarts: 5 } });
    const slow = find({ first: 1, second: 1, newPod: { ready: false, age: 3000 } });
    const young = find({ first: 1, second: 1, newPod: { ready: false, age: 5 } });

    expect(crashing.remediations).toEqual([]);
    expect(crashing.withheld[0]).toMatchObject({
      kind: 'resume-rollout',
      because: { key: 'withheld-broken' },
    });
    expect(slow.withheld[0]?.because.key).toBe('withheld-broken');
    expect(young.remediations).toHaveLength(1);
  });

  it('that would get stuck half-way is not resumed either', () => {
    const snapshot = paused({ replicas: 1, first: 1 });
    const full = { ...snapshot, index: { ...snapshot.index } };
    const tight = snapshotOf(full.workload, {
      ReplicaSet: full.index.objects.ReplicaSet,
      Pod: full.index.objects.Pod,
      Node: [node('n-a', { allocatable: { pods: '1' } })],
    });

    expect(mustFind(rolloutPaused, tight).withheld[0]?.because.key).toBe('withheld-stuck');
  });

  it.each([
    ['has no room for a pod more', '1', 'withheld-stuck'],
    ['has room for it', '2', undefined],
  ])('under a quota that %s is resumed only where the pods are admitted', (_, pods, because) => {
    const { workload, index } = paused({ replicas: 1, first: 1 });
    const quota = schemas.ResourceQuota.parse({
      metadata: { namespace: 'shop', name: 'team' },
      spec: { hard: { pods } },
      status: { hard: { pods }, used: { pods: '1' } },
    });
    const { ReplicaSet, Pod, Node } = index.objects;
    const snapshot = snapshotOf(workload, { ReplicaSet, Pod, Node, ResourceQuota: [quota] });

    const [first] = mustFind(rolloutPaused, snapshot).withheld;

    expect(first?.kind === 'resume-rollout' ? first.because.key : undefined).toBe(because);
  });
});

describe('no paused rollout is reported for', () => {
  it.each<[string, Fields]>([
    ['a paused Deployment without a change', { image: 'web:1' }],
    ['a Deployment paused after its rollout was complete', { first: 0, second: 2 }],
    ['a paused Deployment scaled to zero', { replicas: 0, first: 0 }],
    ['a Deployment that is not paused', { paused: false }],
    ['a Deployment that is being deleted', { deleted: true }],
    [
      'a Deployment whose ReplicaSets could not be read',
      {
        first: undefined,
        unseen: [{ what: 'ReplicaSet', namespace: 'shop', because: 'forbidden', message: '' }],
      },
    ],
  ])('%s', (_, fields) => {
    expect(foundBy(rolloutPaused, paused(fields))).toBeUndefined();
  });
});
