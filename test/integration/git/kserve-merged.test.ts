import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { planRemediation } from '#src/doctor/fixes/remediation.js';
import { forecastRequested } from '#src/doctor/requested/with-requested.js';
import { InferenceService } from '#src/engine/objects/inference-service.js';
import type { Snapshot } from '#src/engine/objects/snapshot.js';
import { Deployment } from '#src/engine/objects/workload.js';
import { createEngine } from '#src/service/create-engine.js';
import { followPullRequest } from '#src/service/git/run-pull-request.js';
import { withRedis } from '../../support/open-redis.js';
import { buildApproval, buildIncident } from '../../support/records.js';
import { openRecords } from '../../support/redis-records.js';
import { scenarios } from '../../support/scenarios/expectation.js';
import { snapshotOf } from '../../support/scenarios/snapshot-of.js';

const db = withRedis();

const at = '2026-11-20T09:30:00Z';

/** A merged pull request that excludes a node for a predictor, and what the cluster has of it. */
async function followed(has: {
  readonly service: boolean;
  readonly deployment: boolean;
  readonly read?: boolean;
}) {
  const scenario = scenarios().find(({ folder }) => folder.endsWith('/kserve/healthy'));
  if (scenario === undefined) throw new Error('not recorded');
  const snapshot = await snapshotOf(scenario);
  const asked = forecastRequested({ kind: 'exclude-nodes', nodes: ['gpu-1'] }, snapshot);
  if (asked.type === 'impossible') throw new Error(JSON.stringify(asked.because));
  const { remediation } = asked;
  const plan = planRemediation(remediation, snapshot);
  if (plan.type === 'refusal') throw new Error(JSON.stringify(plan.because));
  const required = { requiredDuringSchedulingIgnoredDuringExecution: plan.changes[0]?.after };
  const affinity = { nodeAffinity: required };
  const { objects } = snapshot.index;
  const [service] = objects.InferenceService;
  const merged = InferenceService.parse({
    metadata: service?.metadata,
    spec: { predictor: has.service ? { affinity } : {} },
  });
  const { workload } = snapshot;
  const { raw } = workload.spec.template;
  const template = { ...raw, spec: { ...(raw.spec as object), ...(has.deployment ? { affinity } : {}) } };
  const child = Deployment.parse({ ...workload, spec: { ...workload.spec, template } });
  const InferenceServices = has.read === false ? [] : [merged];
  const seen = {
    ...snapshot,
    workload: child,
    index: { ...snapshot.index, objects: { ...objects, InferenceService: InferenceServices } },
  } as Snapshot;

  const { incidents } = openRecords(db.redis, `test-${randomUUID()}`);
  const { namespace, name } = workload.metadata;
  const of = { cluster: 'prod', kind: 'Deployment', namespace, name } as const;
  const { incident } = await incidents.open(
    buildIncident({
      workload: of,
      pullRequest: {
        ...{ approvalId: 'a1', remediationId: remediation.id, title: remediation.title },
        requested: { by: 'U0DANA', at },
        changes: plan.changes,
        target: { repository: 'acme/deploy', branch: 'main', path: 'prod' },
        state: 'merged',
        ...{ approvedBy: ['U0DANA'], approvedAt: at, openedAt: at, mergedAt: at },
      },
    }),
  );
  const engine = createEngine();
  await followPullRequest(
    {
      incidents,
      jobs: { enqueue: async () => undefined } as never,
      clock: { now: () => new Date(at) },
      cluster: { snapshot: async () => ({ type: 'snapshot', snapshot: seen }) },
      engine,
      gitHost: undefined,
    },
    incident,
    { ...buildApproval({ plan, workload: of }), remediation, undoes: false } as never,
  );
  return (await incidents.get(incident.id))?.pullRequest?.state;
}

describe('a merged change of an InferenceService', () => {
  it.each([
    ['the object does not have the values', { service: false, deployment: false }, 'merged'],
    [
      'its controller has not written them into the Deployment',
      { service: true, deployment: false },
      'merged',
    ],
    ['the object could not be read', { service: true, deployment: true, read: false }, 'merged'],
    ['the complete Deployment has them', { service: true, deployment: true }, 'recovered'],
  ])('where %s', async (_, has, state) => {
    expect(await followed(has)).toBe(state);
  });
});
