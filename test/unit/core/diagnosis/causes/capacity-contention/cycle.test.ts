import { describe, expect, it } from 'vitest';
import { Pod } from '#src/core/cluster/pod.js';
import { HorizontalPodAutoscaler } from '#src/core/cluster/policy.js';
import { Deployment } from '#src/core/cluster/workload.js';
import { capacityContention } from '#src/core/diagnosis/causes/capacity-contention/rule.js';
import { text } from '#src/core/diagnosis/causes/capacity-contention/text.js';
import type { Finding } from '#src/core/diagnosis/finding.js';
import { maxCycleMembers } from '#src/core/diagnosis/waiting/rollout-cycle.js';
import { safestFirst } from '#src/core/remediation/safest-first.js';
import { node } from '#support/placement-builders.js';
import { ago } from '#support/rollout-builders.js';
import {
  buildDeployment,
  buildReplicaSet,
  detected,
  type Fields,
  foreignPod,
  ownedPod,
  renderFinding,
  renderStatements,
} from '../../waiting/build.js';

const gpu = { requests: { 'nvidia.com/gpu': '1' } };
const allNames = ['web', 'api', 'cart', 'stock', 'mail', 'feed', 'ads', 'auth'];

interface Ring {
  /** Rollouts in the cycle. */
  readonly length: number;
  readonly deployments?: Partial<Record<string, Parameters<typeof buildDeployment>[0]>>;
  /** Workloads whose Deployment was not read. */
  readonly unread?: readonly string[];
  readonly gpus?: Partial<Record<string, string>>;
  readonly pods?: readonly Pod[];
  readonly without?: readonly string[];
}

/** Each old pod has the only GPU of its own pool, and each new pod is meant for the pool of the next workload. */
function ring({ length, deployments = {}, unread = [], gpus = {}, pods = [], without = [] }: Ring): Fields {
  const names = allNames.slice(0, length);
  const workloads = names.map((name) => deployment(name, deployments[name]));
  const [workload, ...others] = workloads;
  if (workload === undefined) throw new Error('a ring has a first workload');
  return {
    workload,
    Deployment: others.filter(({ metadata }) => !unread.includes(metadata.name)),
    Node: names.map((name) =>
      node(`n-${name}`, { labels: { pool: name }, allocatable: { 'nvidia.com/gpu': gpus[name] ?? '1' } }),
    ),
    ReplicaSet: names.flatMap((name) => {
      const replicas = deployments[name]?.replicas ?? 1;
      return [replicaSet(name, 1, replicas), replicaSet(name, 2, replicas)];
    }),
    Pod: [
      ...names.flatMap((name, at) => [
        ownedPod(`${name}-old`, 1, { on: `n-${name}`, ...gpu }, name),
        ownedPod(`${name}-new`, 2, { ...gpu, spec: inPool(names[(at + 1) % length] ?? '') }, name),
      ]),
      ...pods,
    ].filter(({ metadata }) => !without.includes(metadata.name)),
  };
}

const inPool = (pool: string) => ({ nodeSelector: { pool } });

function deployment(name: string, fields: Parameters<typeof buildDeployment>[0] = {}) {
  const base = buildDeployment({ maxSurge: 1, maxUnavailable: 0, ...fields });
  return Deployment.parse({
    ...structuredClone(base),
    metadata: { ...base.metadata, name, uid: `${name}-uid` },
  });
}

function replicaSet(owner: string, revision: number, replicas: number) {
  return buildReplicaSet({
    revision,
    replicas: revision === 1 ? replicas : 1,
    available: revision === 1 ? replicas : 0,
    name: `${owner}-${revision}`,
    metadata: {
      ownerReferences: [{ kind: 'Deployment', name: owner, uid: `${owner}-uid`, controller: true }],
    },
  });
}

/** A new pod that runs for an hour on a node beside the cycle and is not ready. */
function unready(name: string, owner: string): Pod {
  const pod = ownedPod(name, 2, { on: 'n-side' }, owner);
  const conditions = pod.status.conditions.map((condition) =>
    condition.type === 'Ready' ? { ...condition, status: 'False' } : condition,
  );
  return { ...pod, status: { ...pod.status, conditions } };
}

function find(shape: Ring): Finding {
  const finding = detected(capacityContention, ring(shape));
  if (finding === undefined) throw new Error('capacity-contention should be found');
  return finding;
}

const keysOf = ({ reasoning }: Finding) => reasoning.map(({ key }) => key);
const kindsOf = ({ remediations }: Finding) => remediations.map(({ kind }) => kind);

describe('a wait cycle of rollouts', () => {
  it.each([2, 3, 4, 6])('through %i is proven and broken by a fix of the workload itself', (length) => {
    const finding = find({ length });
    const [patch] = finding.remediations;

    expect(finding.confidence).toBe('proven');
    expect(kindsOf(finding)).toEqual(['patch-strategy', 'scale-down-old', 'undo-rollout']);
    expect(patch?.prediction.ends).toBe('complete');
    expect(patch?.price.downtime).toMatchObject({ kind: 'gap', readyAtLeast: 0, replicas: 1 });
    expect(patch?.price.blastRadius.others.map(({ name }) => name)).toEqual(allNames.slice(1, length));
    const forecasts = patch?.effects.filter(({ key }) => key === 'member-forecast') ?? [];
    expect(forecasts.map(({ values }) => values.forecast)).toEqual([
      expect.objectContaining({ workload: 'shop/web', ends: 'complete', downtime: 'gap', readyMin: 0 }),
      ...allNames.slice(1, length).map((name) =>
        expect.objectContaining({
          workload: `shop/${name}`,
          ends: 'complete',
          downtime: 'none',
          readyMin: 1,
        }),
      ),
    ]);
    expect(finding.waitCycle).toHaveLength(2 * length);
  });

  it('is not reported beyond the limit of members', () => {
    expect(keysOf(find({ length: maxCycleMembers + 1 })).filter((key) => key.startsWith('cycle'))).toEqual(
      [],
    );
  });

  it('names every link and the command of another member, in both languages', () => {
    const finding = find({ length: 3 });

    expect(renderFinding(finding, text)).toContain(
      'The new pod web-new of shop/web fits on n-api without api-old of shop/api. ' +
        'The new pod api-new of shop/api fits on n-cart without cart-old of shop/cart. ' +
        'The new pod cart-new of shop/cart fits on n-web without web-old of shop/web.',
    );
    expect(renderFinding(finding, text)).toContain(
      '/rollout-doctor deployment/api -n shop diagnoses that workload',
    );
    expect(renderFinding(finding, text)).toContain(
      'frees only this workload. shop/api and shop/cart stay stuck',
    );
    for (const { en, ko } of renderStatements(finding, text)) expect([en, ko]).not.toContain('');
  });

  it('has no link to a workload without a pending pod', () => {
    const finding = find({ length: 3, without: ['cart-new'] });

    expect(keysOf(finding)).not.toContain('cycle-through-many');
    expect(kindsOf(finding)).toEqual(['undo-rollout']);
  });

  it.each([
    ['may stop its old pod', { maxUnavailable: 1 }],
    ['is paused', { paused: true }],
  ])('is not reported where a member %s', (_, fields) => {
    const finding = find({ length: 3, deployments: { cart: fields } });

    expect(keysOf(finding)).not.toContain('cycle-through-many');
    expect(kindsOf(finding)).not.toContain('patch-strategy');
  });

  it('is not reported where the pod of a member fits on a free node', () => {
    const fields = ring({ length: 3 });
    const free = node('n-free', { labels: { pool: 'cart' }, allocatable: { 'nvidia.com/gpu': '1' } });
    const finding = detected(capacityContention, { ...fields, Node: [...(fields.Node ?? []), free] });

    expect(finding && keysOf(finding)).not.toContain('cycle-through-many');
  });

  it.each([
    ['a Job, which may end,', 'Job', 'likely', ['shop/report-x']],
    ['a DaemonSet', 'DaemonSet', 'proven', []],
  ])('beside a node where a pod of %s has the card', (_, kind, confidence, cycleLeaving) => {
    const fields = ring({
      length: 3,
      pods: [foreignPod('report-x', kind, 'report', { on: 'n-side', ...gpu })],
    });
    const side = node('n-side', { labels: { pool: 'cart' }, allocatable: { 'nvidia.com/gpu': '1' } });
    const finding = detected(capacityContention, { ...fields, Node: [...(fields.Node ?? []), side] });

    expect(finding).toMatchObject({ confidence, facts: { cycleLeaving } });
    expect(finding && keysOf(finding)).toContain('cycle-through-many');
  });

  it('is likely where a Job may end on a node for a member whose own old pod holds such a node too', () => {
    const fields = ring({
      length: 2,
      without: ['api-new'],
      pods: [
        ownedPod('api-newer', 2, gpu, 'api'),
        foreignPod('report-x', 'Job', 'report', { on: 'n-side', ...gpu }),
      ],
    });
    const side = node('n-side', { labels: { pool: 'side' }, allocatable: { 'nvidia.com/gpu': '1' } });
    const finding = detected(capacityContention, { ...fields, Node: [...(fields.Node ?? []), side] });

    expect(finding && keysOf(finding)).toContain('cycle');
    expect(finding).toMatchObject({ confidence: 'likely', facts: { cycleLeaving: ['shop/report-x'] } });
  });

  it('is likely where a taint evicts the old pod of a member', () => {
    const fields = ring({ length: 3 });
    const taint = { key: 'drain', value: '', effect: 'NoExecute', timeAdded: ago(60) };
    const tolerations = [{ key: 'drain', operator: 'Exists' as const, tolerationSeconds: 600 }];
    const tolerating = (pod: Pod): Pod => Pod.parse({ ...pod, spec: { ...pod.spec, tolerations } });
    const finding = detected(capacityContention, {
      ...fields,
      Node: (fields.Node ?? []).map((each) =>
        each.metadata.name === 'n-cart' ? { ...each, spec: { ...each.spec, taints: [taint] } } : each,
      ),
      Pod: (fields.Pod ?? []).map(tolerating),
    });

    expect(finding && keysOf(finding)).toContain('cycle-through-many');
    expect(finding).toMatchObject({ confidence: 'likely', facts: { cycleLeaving: ['shop/cart-old'] } });
  });

  it('is likely, with a rollback as its only fix, where a member could not be read', () => {
    const finding = find({ length: 3, unread: ['cart'] });

    expect(finding.confidence).toBe('likely');
    expect(kindsOf(finding)).toEqual(['undo-rollout']);
    expect(renderFinding(finding, text)).toContain('The rollout of shop/cart could not be read in full');
    expect(finding.withheld.map(({ kind }) => kind)).toContain('patch-strategy');
  });

  it.each(['web', 'api', 'cart'])(
    'is likely where another new pod of %s has a node and is not ready, and may become ready',
    (member) => {
      const fields = ring({
        length: 3,
        deployments: { [member]: { replicas: 2, maxSurge: 2 } },
        gpus: { [member]: '2' },
        pods: [
          ownedPod(`${member}-old-2`, 1, { on: `n-${member}`, age: 60, ...gpu }, member),
          unready(`${member}-new-2`, member),
        ],
      });
      const finding = detected(capacityContention, {
        ...fields,
        ReplicaSet: (fields.ReplicaSet ?? []).map((each) =>
          each.metadata.name === `${member}-2` ? { ...each, spec: { ...each.spec, replicas: 2 } } : each,
        ),
      });
      if (finding === undefined) throw new Error('capacity-contention should be found');

      expect(keysOf(finding)).toContain('cycle-through-many');
      expect(finding.confidence).toBe('likely');
      expect(finding.weakenedBy).toMatchObject([
        { key: 'cycle-stalled', values: { other: `shop/${member}` } },
      ]);
      renderFinding(finding, text);
    },
  );

  it('stays proven beside a rollout of others that is stuck and frees nothing that a member needs', () => {
    const elsewhere = ownedPod('mail-old', 1, { on: 'n-side', ...gpu }, 'mail');
    const finding = find({ length: 3, pods: [elsewhere, unready('mail-new', 'mail')] });

    expect(finding.confidence).toBe('proven');
  });

  it.each([
    ['may remove a replica', 1, 'likely', ['neighbours-may-shrink']],
    ['is at its minimum', 2, 'proven', []],
  ])('where the autoscaler of a member %s', (_, minReplicas, confidence, doubts) => {
    const fields = ring({
      length: 2,
      deployments: { api: { replicas: 2 } },
      gpus: { api: '2' },
      pods: [ownedPod('api-old-2', 1, { on: 'n-api', age: 60, ...gpu }, 'api')],
    });
    const autoscaler = HorizontalPodAutoscaler.parse({
      metadata: { name: 'api', namespace: 'shop' },
      spec: { minReplicas, maxReplicas: 4, scaleTargetRef: { kind: 'Deployment', name: 'api' } },
    });
    const finding = detected(capacityContention, { ...fields, HorizontalPodAutoscaler: [autoscaler] });

    expect(finding?.confidence).toBe(confidence);
    expect(finding?.weakenedBy.map(({ key }) => key)).toEqual(doubts);
  });

  it('has a rollback as its first fix where a pod of another team could take the freed resource', () => {
    const rival = foreignPod('train-0', 'Job', 'train', { ...gpu, namespace: 'ml', spec: inPool('web') });
    const finding = find({ length: 3, pods: [rival] });
    const [first, ...more] = safestFirst(finding.remediations);

    expect(first?.kind).toBe('undo-rollout');
    for (const { prediction } of more) {
      expect(prediction).toMatchObject({
        ends: 'contested',
        competitors: [{ namespace: 'ml', name: 'train-0' }],
      });
    }
    expect(renderFinding(finding, text)).toContain(
      'completes unless another pod uses the freed capacity first',
    );
  });

  it('is not broken by this workload where its controller would stop the wrong pod first', () => {
    const second = ownedPod('web-old-2', 1, { on: 'n-side', age: 60, ...gpu });
    const fields = ring({
      length: 3,
      deployments: { web: { replicas: 2 } },
      gpus: { api: '2' },
      pods: [second],
    });
    const side = node('n-side', { allocatable: { 'nvidia.com/gpu': '1' } });
    const taken = ownedPod('web-taken', 1, { on: 'n-api', ...gpu }, 'other');
    const finding = detected(capacityContention, {
      ...fields,
      Node: [...(fields.Node ?? []), side],
      Pod: [...(fields.Pod ?? []), taken],
    });
    if (finding === undefined) throw new Error('capacity-contention should be found');

    expect(kindsOf(finding)).not.toContain('patch-strategy');
    expect(keysOf(finding)).toContain('fix-nowhere');
  });

  it('lists the member first whose change leaves a pod ready', () => {
    const fields = ring({
      length: 2,
      deployments: { api: { replicas: 2 } },
      gpus: { web: '2', api: '2' },
      pods: [ownedPod('api-old-2', 1, { on: 'n-api', age: 60, ...gpu }, 'api')],
      without: ['web-old'],
    });
    const large = ownedPod('web-old', 1, { on: 'n-web', requests: { 'nvidia.com/gpu': '2' } });
    const finding = detected(capacityContention, { ...fields, Pod: [...(fields.Pod ?? []), large] });
    if (finding === undefined) throw new Error('capacity-contention should be found');
    const forecasts = finding.reasoning.filter(({ key }) => key.startsWith('fix-'));

    expect(forecasts.map(({ key }) => key)).toEqual(['fix-elsewhere', 'fix-here']);
    expect(forecasts[0]?.values).toMatchObject({
      workload: 'shop/api',
      isSafer: true,
      forecasts: [
        { workload: 'shop/web', downtime: 'none' },
        { workload: 'shop/api', downtime: 'reduced', readyMin: 1, replicas: 2 },
      ],
    });
    expect(finding.remediations[0]?.effects[0]?.key).toBe('fix-safer');
  });
});
