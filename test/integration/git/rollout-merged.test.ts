import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { fieldOf } from '#src/doctor/fixes/field-at.js';
import { targetOf } from '#src/doctor/fixes/owner-target.js';
import type { Plan } from '#src/doctor/fixes/plan.js';
import { createEngine } from '#src/service/create-engine.js';
import { followPullRequest } from '#src/service/git/run-pull-request.js';
import { withRedis } from '../../support/open-redis.js';
import { buildApproval, buildIncident, buildPatchStrategy } from '../../support/records.js';
import { openRecords } from '../../support/redis-records.js';
import { scenarios } from '../../support/scenarios/expectation.js';
import { snapshotOf } from '../../support/scenarios/snapshot-of.js';

const db = withRedis();

const at = '2026-11-20T09:30:00Z';

const path = 'spec.strategy.canary.maxSurge';

/** A merged pull request that changed the bounds of a Rollout, whose update came this far. */
async function followed(folder: string) {
  const scenario = scenarios().find((each) => each.folder.endsWith(`/argo-rollouts/${folder}`));
  if (scenario === undefined) throw new Error('not recorded');
  const snapshot = await snapshotOf(scenario);
  const changes = [{ path, before: '50%', after: fieldOf(snapshot.workload, path) }];
  const { namespace, name } = snapshot.workload.metadata;
  const workload = { cluster: 'prod', kind: 'Rollout', namespace, name } as const;
  const remediation = buildPatchStrategy();
  const plan: Plan = {
    type: 'plan',
    remediationId: remediation.id,
    target: targetOf(snapshot.workload),
    request: { verb: 'patch', patchType: 'merge', body: {} },
    changes,
  };
  const { incidents } = openRecords(db.redis, `test-${randomUUID()}`);
  const { incident } = await incidents.open(
    buildIncident({
      workload,
      pullRequest: {
        ...{ approvalId: 'a1', remediationId: remediation.id, title: remediation.title, changes },
        requested: { by: 'U0DANA', at },
        target: { repository: 'acme/deploy', branch: 'main', path: 'prod' },
        state: 'merged',
        ...{ approvedBy: ['U0DANA'], approvedAt: at, openedAt: at, mergedAt: at },
      },
    }),
  );
  await followPullRequest(
    {
      incidents,
      jobs: { enqueue: async () => undefined } as never,
      clock: { now: () => new Date(at) },
      cluster: { snapshot: async () => ({ type: 'snapshot', snapshot }) },
      engine: createEngine(),
      gitHost: undefined,
    },
    incident,
    { ...buildApproval({ plan, workload }), remediation, undoes: false } as never,
  );
  return (await incidents.get(incident.id))?.pullRequest?.state;
}

it.each([
  ['at its next pause with all pods', 'pause-step', 'recovered'],
  ['aborted, with all stable pods', 'aborted-by-an-analysis', 'merged'],
])('a merged change of a Rollout whose update is %s', async (_, folder, state) => {
  expect(await followed(folder)).toBe(state);
});
