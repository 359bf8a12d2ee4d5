import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { proposeUndoRollout } from '#src/doctor/fixes/kinds/undo-rollout/propose.js';
import type { VerifiedApproval } from '#src/doctor/incidents/approval.js';
import { textAt } from '../../../demo/cluster/json.js';
import { withRedis } from '../../support/open-redis.js';
import { idOf, type Rig, startRig } from '../../support/remediation-rig.js';
import {
  addNodes,
  offering,
  podsOf,
  somePodIsNotReady,
  workloadObject,
} from '../../support/remediation-workloads.js';
import { createAttacker } from '../../support/stuck-rollout.js';

let rig: Rig;

const db = withRedis();

const api = { kind: 'StatefulSet', namespace: 'shop', name: 'api' } as const;
const rule = offering('crash-loop-after-rollout', somePodIsNotReady, proposeUndoRollout);

/** The highest ordinal crashes with the second revision, and the controller waits for it. */
beforeEach(async () => {
  const kubelet = {
    behaviourOf: (pod: Parameters<typeof textAt>[0]) =>
      textAt(pod, 'metadata', 'labels', 'release') === 'bad'
        ? { readyMs: undefined, crash: { afterMs: 5_000, exitCode: 1, reason: 'Error' } }
        : undefined,
  };
  rig = await startRig({ redis: db.redis, rule, cluster: { namespaces: ['shop'], kubelet } });
  addNodes(rig, ['n-1']);
  rig.local.create([workloadObject('StatefulSet', { replicas: 3 })]);
  rig.pass(60);
  const answer = await fetch(`${rig.local.url}/apis/apps/v1/namespaces/shop/statefulsets/api`, {
    method: 'PATCH',
    headers: { 'content-type': 'application/strategic-merge-patch+json' },
    body: JSON.stringify({ spec: { template: { metadata: { labels: { release: 'bad' } } } } }),
  });
  expect(answer.ok).toBe(true);
  rig.pass(60);
  expect(podsOf(rig).map(({ ready }) => ready)).toEqual([true, true, false]);
});

afterEach(() => rig.stop());

const template = () => textAt(setNow(), 'spec', 'template', 'metadata', 'labels', 'release');

function setNow() {
  const found = rig.local.find('apps/v1', 'StatefulSet', 'shop', 'api');
  if (found === undefined) throw new Error('must be there');
  return found;
}

/** The job of an approved change of which nothing is sent. */
async function approved() {
  const incident = await rig.diagnosed(api);
  const review = await rig.reviewed(incident, idOf(incident, 'undo-rollout'));
  expect(review.dryRun.type).toBe('accepted');
  const { id: approvalId } = review.approval;
  const decided = await rig.usecases.decide({ approvalId, by: 'U0DANA', decision: 'approve', reason: '' });
  if (decided.type !== 'approved') throw new Error(JSON.stringify(decided));
  return { v: 1, incidentId: incident.id, approvalId } as const;
}

type Job = Awaited<ReturnType<typeof approved>>;

const run = (job: Job) => rig.usecases.remediation(job, { lastAttempt: false });

async function storedOf({ approvalId }: Job) {
  const stored = await rig.approvals.get(approvalId);
  if (stored === undefined) throw new Error('must be there');
  return stored;
}

async function expectRolledBack(job: Job, before: readonly string[]): Promise<void> {
  expect(rig.writes().slice(before.length)).toEqual(['patch statefulsets', 'delete pods']);
  expect(podsOf(rig).map(({ ready }) => ready)).toEqual([true, true, true]);
  expect(template()).toBeUndefined();
  expect((await rig.current(job.incidentId)).change).toMatchObject({ verdict: 'recovered' });
}

describe('a roll back in two steps', () => {
  it('needs one approval, and Undo restores its template', async () => {
    const before = rig.writes();
    const job = await approved();
    await rig.work();
    await expectRolledBack(job, before);
    const { actions } = await trail();
    expect(actions).toEqual([
      'approved',
      'started',
      'applied',
      'second-step-started',
      'second-step-ended',
      'verdict',
    ]);

    await rig.approved(await rig.reviewed(await rig.current(job.incidentId), 'undo'));
    expect(rig.writes().slice(before.length)).toEqual([
      'patch statefulsets',
      'delete pods',
      'patch statefulsets',
    ]);
    expect(template()).toBe('bad');
  });

  it('continues with the second step after a worker died between the steps', async () => {
    const before = rig.writes();
    const job = await approved();
    expect(await run(job)).toEqual({ afterMs: 1_000 });
    expect(rig.writes().slice(before.length)).toEqual(['patch statefulsets']);
    expect(await rig.approvals.underway()).toContain(job.approvalId);
    rig.pass(5);
    expect(podsOf(rig).map(({ ready }) => ready)).toEqual([true, true, false]);
    await rig.work();

    await expectRolledBack(job, before);
  });

  it.each([
    ['before the start was recorded', false],
    ['after the start was recorded', true],
  ])('deletes no pod twice when a worker died after it deleted the pod, %s', async (_, isStarted) => {
    const before = rig.writes();
    const job = await approved();
    await run(job);
    rig.pass(2);
    const stored = await storedOf(job);
    if (isStarted) {
      const secondStep = { type: 'started', at: rig.clock.now().toISOString() } as const;
      await rig.approvals.replace(rig.authority.seal({ ...stored, version: stored.version + 1, secondStep }));
    }
    const sent = await rig.patcher.applySecondStep(stored as VerifiedApproval);
    expect(sent).toEqual({ deleted: ['api-2'], skipped: [] });
    rig.pass(3);
    await rig.work();

    await expectRolledBack(job, before);
  });

  it('deletes nothing more when its former records are restored', async () => {
    const before = rig.writes();
    const job = await approved();
    await run(job);
    const between = { approval: await storedOf(job), incident: await rig.current(job.incidentId) };
    await rig.work();
    const attacker = createAttacker(rig);
    await attacker.putApproval(between.approval);
    await attacker.putIncident(between.incident);
    rig.pass(2);
    await run(job);

    expect(rig.writes().slice(before.length)).toEqual(['patch statefulsets', 'delete pods']);
  });

  it('is refused before the first step if the API server would refuse the second one', async () => {
    const incident = await rig.diagnosed(api);
    const before = rig.writes();
    const url = `${rig.local.url}/api/v1/namespaces/shop/pods/api-2`;
    const open = await rig.usecases.open({
      incidentId: incident.id,
      remediationId: idOf(incident, 'undo-rollout'),
      by: 'U0DANA',
    });
    if (open.type !== 'review' || open.dryRun.type !== 'asked') throw new Error('must be asked');
    await fetch(url, { method: 'DELETE' });
    const { id, incidentId } = open.approval;
    await rig.usecases.tryPlan({ v: 1, incidentId, approvalId: id, ask: open.dryRun.ask });
    const answered = await rig.usecases.awaitDryRun(open, 'U0DANA');

    expect(answered).toMatchObject({ dryRun: { type: 'refused' } });
    expect(rig.writes().slice(before.length)).toEqual(['delete pods']);
  });

  async function trail() {
    const { entries } = await rig.audit.decisions(20);
    return { actions: entries.map(({ action }) => action).reverse() };
  }
});
