import { afterEach, beforeEach, expect, it } from 'vitest';
import { proposeUndoRollout } from '#src/doctor/fixes/kinds/undo-rollout/propose.js';
import { textAt } from '../../../demo/cluster/json.js';
import { withRedis } from '../../support/open-redis.js';
import { idOf, type Rig, startRig } from '../../support/remediation-rig.js';
import {
  addNodes,
  offering,
  somePodIsNotReady,
  workloadObject,
} from '../../support/remediation-workloads.js';

let rig: Rig;

const db = withRedis();

const api = { kind: 'StatefulSet', namespace: 'shop', name: 'api' } as const;
const rule = offering('crash-loop-after-rollout', somePodIsNotReady, proposeUndoRollout);

async function patchAs(manager: string, body: object): Promise<void> {
  const path = `/apis/apps/v1/namespaces/shop/statefulsets/api?fieldManager=${manager}`;
  const answer = await fetch(`${rig.local.url}${path}`, {
    method: 'PATCH',
    headers: { 'content-type': 'application/strategic-merge-patch+json' },
    body: JSON.stringify(body),
  });
  expect(answer.ok).toBe(true);
}

const release = (value: string) => ({ spec: { template: { metadata: { labels: { release: value } } } } });

/** The highest ordinal crashes with the revision that Argo CD applied last. */
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
  await patchAs('argocd-controller', {
    metadata: { annotations: { 'argocd.argoproj.io/tracking-id': 'shop:apps/StatefulSet:shop/api' } },
    ...release('bad'),
  });
  rig.pass(60);
});

afterEach(() => rig.stop());

it('a roll back that Argo CD reverts before the first reading ends with a verdict that names its Application', async () => {
  const incident = await rig.diagnosed(api);
  const review = await rig.reviewed(incident, idOf(incident, 'undo-rollout'));
  const { id: approvalId } = review.approval;
  const decided = await rig.usecases.decide({ approvalId, by: 'U0DANA', decision: 'approve', reason: '' });
  expect(decided.type).toBe('approved');
  const job = { v: 1, incidentId: incident.id, approvalId } as const;
  const once = { lastAttempt: false };
  for (let tries = 0; tries < 30 && (await rig.current(incident.id)).phase === 'applying'; tries += 1) {
    const later = await rig.usecases.remediation(job, once);
    if (later !== undefined) rig.pass(later.afterMs / 1_000);
  }
  expect((await rig.current(incident.id)).phase).toBe('verifying');
  await patchAs('argocd-controller', release('bad'));
  rig.pass(30);
  await rig.work();

  const { phase, change } = await rig.current(incident.id);
  expect(phase).toBe('settled');
  expect(change).toMatchObject({
    verdict: 'unchanged',
    reversal: {
      isFormer: true,
      by: { manager: 'argocd-controller', owner: { by: 'Argo CD', kind: 'Application', name: 'shop' } },
    },
  });
  expect(Date.parse(change?.verdictAt ?? '')).toBeLessThan(Date.parse(change?.verifyUntil ?? ''));
});
