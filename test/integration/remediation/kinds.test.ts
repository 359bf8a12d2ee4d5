import { afterEach, describe, expect, it } from 'vitest';
import { fieldAt } from '#src/doctor/fixes/field-at.js';
import { proposeDeletePod } from '#src/doctor/fixes/kinds/delete-pod.js';
import { proposeExcludeNodes } from '#src/doctor/fixes/kinds/exclude-nodes/propose.js';
import { proposeRestartRollout } from '#src/doctor/fixes/kinds/restart-rollout/kind.js';
import type { VerifiedApproval } from '#src/doctor/incidents/approval.js';
import { isActive, isReady } from '#src/engine/objects/pod.js';
import { rolloutStateOf } from '#src/engine/workloads/rollout-state.js';
import { withRedis } from '../../support/open-redis.js';
import { startEntry } from '../../support/redis-records.js';
import { idOf, type Rig, type RigOptions, startRig, storedBy } from '../../support/remediation-rig.js';
import {
  addNodes,
  badNode,
  crashesOnBadNode,
  offering,
  podsOf,
  somePodIsNotReady,
  workloadObject,
} from '../../support/remediation-workloads.js';

let rig: Rig;

const db = withRedis();

afterEach(async () => {
  await rig.stop();
});

async function start(options: Omit<RigOptions, 'redis'> = {}): Promise<Rig> {
  rig = await startRig({
    redis: db.redis,
    ...options,
    cluster: { namespaces: ['shop'], ...options.cluster },
  });
  return rig;
}

const api = { kind: 'Deployment', namespace: 'shop', name: 'api' } as const;
const secret = 'canary-swordfish-2026';

/** A node with room for one pod: revision 2 waits for the resources of revision 1. */
async function deadlocked(): Promise<Rig> {
  await start();
  addNodes(rig, ['n-1'], '1500m');
  const env = [{ name: 'DB_PASSWORD', value: secret }];
  const first = workloadObject('Deployment', { replicas: 1 });
  const [container] = first.spec.template.spec.containers;
  const spec = { ...first.spec.template.spec, containers: [{ ...container, env }] };
  const template = { ...first.spec.template, spec };
  rig.local.create([{ ...first, spec: { ...first.spec, template } }]);
  rig.pass(60);
  await updateImage('registry.example/api:2');
  rig.pass(120);
  return rig;
}

/** As `kubectl set image` does, over HTTP. */
async function updateImage(image: string): Promise<void> {
  await patch({ spec: { template: { spec: { containers: [{ name: 'app', image }] } } } });
}

async function patch(body: object): Promise<void> {
  const answer = await fetch(`${rig.local.url}/apis/apps/v1/namespaces/shop/deployments/api`, {
    method: 'PATCH',
    headers: { 'content-type': 'application/strategic-merge-patch+json' },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(await answer.text());
}

const deployment = () => rig.local.find('apps/v1', 'Deployment', 'shop', 'api');
const written = (before: readonly string[]) => rig.writes().slice(before.length);
const events = (reason: string) =>
  rig.local.list('v1', 'Event', 'shop').filter((event) => event.reason === reason);

describe('the fix scale-down-old', () => {
  it('frees the node without changing the Deployment, is verified, and has no undo', async () => {
    await deadlocked();
    const incident = await rig.diagnosed(api);
    const { generation } = deployment()?.metadata ?? {};
    const before = rig.writes();
    const review = await rig.reviewed(incident, idOf(incident, 'scale-down-old'));

    expect(review.dryRun).toMatchObject({ type: 'accepted', mutated: [] });
    expect(written(before)).toEqual([]);
    const recovered = await rig.approved(review);

    expect(recovered).toMatchObject({ phase: 'settled', change: { verdict: 'recovered' } });
    expect(written(before)).toEqual(['patch replicasets/scale']);
    expect(deployment()?.metadata.generation).toBe(generation);
    expect(podsOf(rig)).toMatchObject([{ ready: true, image: 'registry.example/api:2' }]);
    expect(events('RemediationApplied')).toMatchObject([{ involvedObject: { kind: 'ReplicaSet' } }]);
    expect(
      await rig.usecases.review({ incidentId: incident.id, remediationId: 'undo', by: 'U0DANA' }),
    ).toMatchObject({ type: 'refused', because: { key: 'nothing-to-undo' } });
  });

  it('is refused after the ReplicaSet was scaled', async () => {
    await deadlocked();
    const incident = await rig.diagnosed(api);
    const id = idOf(incident, 'scale-down-old');
    const review = await rig.reviewed(incident, id);
    await patch({ spec: { strategy: { rollingUpdate: { maxSurge: 0, maxUnavailable: 1 } } } });
    rig.pass(60);
    const decided = await rig.usecases.decide({
      approvalId: review.approval.id,
      by: 'U0DANA',
      decision: 'approve',
      reason: 'late',
    });

    expect(decided).toMatchObject({ type: 'refused', because: { key: 'workload-changed' } });
  });
});

describe('the fix undo-rollout', () => {
  it('restores the template from the cluster, stores no secret, and can be undone', async () => {
    await deadlocked();
    const incident = await rig.diagnosed(api);
    const review = await rig.reviewed(incident, idOf(incident, 'undo-rollout'));

    expect(review.dryRun).toMatchObject({ type: 'accepted', mutated: [] });
    const recovered = await rig.approved(review);
    expect(recovered).toMatchObject({ phase: 'settled', change: { verdict: 'recovered' } });
    const image = 'spec.template.spec.containers[app].image';
    expect(fieldAt(deployment(), image)).toBe('registry.example/api:1');
    expect(fieldAt(deployment(), 'spec.template.spec.containers[app].env[DB_PASSWORD].value')).toBe(secret);
    expect(fieldAt(deployment(), 'spec.template.metadata.labels')).toEqual({ app: 'api' });
    expect(podsOf(rig)).toMatchObject([{ ready: true, image: 'registry.example/api:1' }]);

    const undo = await rig.reviewed(recovered, 'undo');
    expect(undo.approval.plan.changes).toMatchObject([{ path: image, after: 'registry.example/api:2' }]);
    const undone = await rig.approved(undo);
    expect(undone.change).toMatchObject({ undoes: true, verdict: 'undone' });
    expect(fieldAt(deployment(), image)).toBe('registry.example/api:2');
    expect(await storedBy(rig)).not.toContain(secret);
    expect(await storedBy(rig)).toContain('registry.example/api:2');
  });

  it('is not undone over a later change of the template', async () => {
    await deadlocked();
    const incident = await rig.diagnosed(api);
    const recovered = await rig.approved(await rig.reviewed(incident, idOf(incident, 'undo-rollout')));
    await patch({ spec: { template: { metadata: { labels: { tier: 'gold' } } } } });
    rig.pass(30);

    expect(
      await rig.usecases.review({ incidentId: recovered.id, remediationId: 'undo', by: 'U0DANA' }),
    ).toMatchObject({
      type: 'refused',
      because: { key: 'drifted', values: { path: 'spec.template.metadata.labels.tier' } },
    });
  });
});

describe('the fix restart-rollout', () => {
  const path = 'spec.template.metadata.annotations[kubectl.kubernetes.io/restartedAt]';
  const rule = offering(
    'config-missing',
    ({ snapshot }) =>
      rolloutStateOf(snapshot).pods.some(
        ({ metadata }) => metadata.annotations['kubectl.kubernetes.io/restartedAt'] === undefined,
      ),
    proposeRestartRollout,
  );

  it('restarts every pod with the time of the change, although it was reviewed earlier', async () => {
    await start({ rule });
    addNodes(rig, ['n-1', 'n-2']);
    rig.local.create([workloadObject('Deployment', { replicas: 3 })]);
    rig.pass(30);
    const incident = await rig.diagnosed(api);
    const names = podsOf(rig).map(({ name }) => name);
    const review = await rig.reviewed(incident, 'restart-rollout');
    rig.pass(45);
    const at = rig.clock.now();
    const recovered = await rig.approved(review);

    expect(recovered.change).toMatchObject({ verdict: 'recovered' });
    expect(recovered.change?.undo).toBeUndefined();
    expect(fieldAt(deployment(), path)).toBe(at.toISOString().replace('.000Z', 'Z'));
    expect(podsOf(rig).filter(({ name, ready }) => ready && !names.includes(name))).toHaveLength(3);
  });

  it('is refused after the Deployment was paused', async () => {
    await start({ rule });
    addNodes(rig, ['n-1']);
    rig.local.create([workloadObject('Deployment', { replicas: 1 })]);
    rig.pass(30);
    const incident = await rig.diagnosed(api);
    await patch({ spec: { paused: true } });

    expect(
      await rig.usecases.review({ incidentId: incident.id, remediationId: 'restart-rollout', by: 'U0DANA' }),
    ).toMatchObject({ type: 'refused', because: { key: 'workload-changed' } });
  });
});

describe('the fix delete-pod', () => {
  const rule = offering('crash-loop-on-node', somePodIsNotReady, ({ state, ...input }) => {
    const pod = state.pods.find((each) => isActive(each) && !isReady(each));
    if (pod === undefined) throw new Error('must be there');
    return proposeDeletePod({
      ...input,
      state,
      pod,
      purpose: 'experiment',
      awayFrom: [badNode],
      mustStayReadySeconds: 30,
    });
  });

  it('deletes exactly that pod, and the verdict waits until the replacement stayed ready on another node', async () => {
    await start({ rule, cluster: { kubelet: crashesOnBadNode() } });
    addNodes(rig, [badNode]);
    rig.local.create([workloadObject('Deployment', { replicas: 1 })]);
    rig.pass(60);
    const [broken] = podsOf(rig);
    addNodes(rig, ['n-1']);
    await cordon(badNode);
    const incident = await rig.diagnosed(api);
    const before = rig.writes();
    const appliedAt = rig.clock.now().getTime();
    const recovered = await rig.approved(await rig.reviewed(incident, idOf(incident, 'delete-pod')));

    expect(broken).toMatchObject({ node: badNode, ready: false });
    expect(written(before)).toEqual(['delete pods']);
    expect(recovered.change).toMatchObject({
      verdict: 'recovered',
      progress: { key: 'replacement-ready', values: { node: 'n-1' } },
    });
    expect(podsOf(rig)).toMatchObject([{ node: 'n-1', ready: true }]);
    expect(rig.clock.now().getTime() - appliedAt).toBeGreaterThanOrEqual(30_000);
    expect(events('RemediationApplied')).toMatchObject([
      { involvedObject: { kind: 'Pod', name: broken?.name } },
    ]);
  });

  it('has the verdict unchanged when the replacement fails as well', async () => {
    const everywhere = { readyMs: undefined, crash: { afterMs: 5_000, exitCode: 1, reason: 'Error' } };
    await start({ rule, cluster: { kubelet: { behaviourOf: () => everywhere } } });
    addNodes(rig, [badNode]);
    rig.local.create([workloadObject('Deployment', { replicas: 1 })]);
    rig.pass(60);
    addNodes(rig, ['n-1']);
    await cordon(badNode);
    const incident = await rig.diagnosed(api);
    const settled = await rig.approved(await rig.reviewed(incident, idOf(incident, 'delete-pod')));

    expect(settled.change).toMatchObject({
      verdict: 'unchanged',
      progress: { key: 'replacement-failing', values: { node: 'n-1' } },
    });
  });

  it('deletes one pod when the answer was lost, although the replacement has the same name', async () => {
    const unstick = offering('ordered-ready-stuck', somePodIsNotReady, ({ state, ...input }) => {
      const pod = state.pods.find((each) => isActive(each) && !isReady(each));
      if (pod === undefined) throw new Error('must be there');
      return proposeDeletePod({ ...input, state, pod, purpose: 'unstick', awayFrom: [badNode] });
    });
    await start({ rule: unstick, cluster: { kubelet: crashesOnBadNode() } });
    addNodes(rig, [badNode]);
    rig.local.create([workloadObject('StatefulSet', { replicas: 1 })]);
    rig.pass(60);
    addNodes(rig, ['n-1']);
    await cordon(badNode);
    const incident = await rig.diagnosed({ ...api, kind: 'StatefulSet' });
    const { approval } = await rig.reviewed(incident, idOf(incident, 'delete-pod'));
    const before = rig.writes();
    const decided = await rig.usecases.decide({
      approvalId: approval.id,
      by: 'U0DANA',
      decision: 'approve',
      reason: 'stuck',
    });
    const consumed = await rig.approvals.consume(approval.id, startEntry);
    if ('type' in consumed) throw new Error('must be consumed');
    await rig.patcher.apply(consumed as VerifiedApproval);
    rig.pass(20);
    await rig.work();

    expect(decided.type).toBe('approved');
    expect(written(before)).toEqual(['delete pods']);
    expect(podsOf(rig)).toMatchObject([{ name: 'api-0', node: 'n-1', ready: true }]);
    expect(await rig.current(incident.id)).toMatchObject({ change: { verdict: 'recovered' } });
  });
});

describe('the fix exclude-nodes', () => {
  const rule = offering('crash-loop-on-node', somePodIsNotReady, (input) =>
    proposeExcludeNodes({ ...input, nodes: [badNode] }),
  );

  async function excluded(isBroken = () => true) {
    await start({ rule, cluster: { kubelet: crashesOnBadNode(isBroken) } });
    addNodes(rig, [badNode, 'n-1', 'n-2'], '2500m');
    rig.local.create([workloadObject('Deployment', { replicas: 4 })]);
    rig.pass(90);
    const incident = await rig.diagnosed(api);
    expect(podsOf(rig).some(({ node, ready }) => node === badNode && !ready)).toBe(true);
    return rig.approved(await rig.reviewed(incident, idOf(incident, 'exclude-nodes')));
  }

  const reminders = () =>
    rig.said.filter((job) => job.kind === 'thread' && job.entry.kind === 'reminder').length;
  const day = 86_400;
  const affinity = () => fieldAt(deployment(), 'spec.template.spec.affinity');

  it('moves the pods off the node, is verified, has a reminder after a day, and is removed by Undo', async () => {
    const recovered = await excluded();

    expect(recovered.change).toMatchObject({ verdict: 'recovered' });
    expect(podsOf(rig)).toHaveLength(4);
    expect(podsOf(rig).every(({ node, ready }) => ready && node !== badNode)).toBe(true);
    rig.local.advanceTo(rig.clock.now().getTime() + (day - 600) * 1000);
    await rig.work();
    expect(reminders()).toBe(0);
    rig.local.advanceTo(rig.clock.now().getTime() + 601 * 1000);
    await rig.work();
    expect(reminders()).toBe(1);

    expect(
      await rig.usecases.review({
        incidentId: recovered.id,
        remediationId: 'undo',
        by: 'U0DANA',
        change: 'former',
      }),
    ).toMatchObject({ type: 'refused', because: { key: 'change-overtaken' } });
    const undone = await rig.approved(await rig.reviewed(recovered, 'undo'));
    expect(undone.change).toMatchObject({ undoes: true, verdict: 'undone' });
    expect(affinity()).toBeUndefined();
  });

  it('has its reminder also where Redis has lost the record of the approval', async () => {
    const { change } = await excluded();
    await rig.redis.del(`${rig.prefix}:approval:${change?.approvalId}`);
    rig.local.advanceTo(rig.clock.now().getTime() + (day + 60) * 1000);
    await rig.work();

    expect(reminders()).toBe(1);
  });

  it('has no reminder after it is removed', async () => {
    let isBroken = true;
    const recovered = await excluded(() => isBroken);
    isBroken = false;
    await rig.approved(await rig.reviewed(recovered, 'undo'));
    rig.local.advanceTo(rig.clock.now().getTime() + (day + 60) * 1000);
    await rig.work();

    expect(reminders()).toBe(0);
  });

  it('is not removed over node affinity terms that somebody changed', async () => {
    const recovered = await excluded();
    const required = 'requiredDuringSchedulingIgnoredDuringExecution';
    const term = {
      matchExpressions: [{ key: 'kubernetes.io/hostname', operator: 'NotIn', values: ['n-9'] }],
    };
    const nodeAffinity = { [required]: { nodeSelectorTerms: [term] } };
    await patch({ spec: { template: { spec: { affinity: { nodeAffinity } } } } });
    rig.pass(30);

    expect(
      await rig.usecases.review({ incidentId: recovered.id, remediationId: 'undo', by: 'U0DANA' }),
    ).toMatchObject({ type: 'refused', because: { key: 'drifted' } });
  });
});

async function cordon(name: string): Promise<void> {
  const answer = await fetch(`${rig.local.url}/api/v1/nodes/${name}`, {
    method: 'PATCH',
    headers: { 'content-type': 'application/merge-patch+json' },
    body: JSON.stringify({ spec: { unschedulable: true } }),
  });
  if (!answer.ok) throw new Error(await answer.text());
}
