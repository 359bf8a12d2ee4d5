import { expect, it } from 'vitest';
import { createMetrics } from '#src/edges/metrics/metrics.js';
import type { StateReaders } from '#src/edges/metrics/state-gauges.js';
import { parseMetrics } from '../../../support/metrics-pages.js';

const failing = async (): Promise<never> => {
  throw new Error('redis://user:hunter2@redis:6379 is away');
};
const never = (): Promise<never> => new Promise(() => undefined);

const readers: StateReaders = {
  process: 'worker',
  approvalSeconds: 900,
  policy: { readAt: () => new Date('2026-11-20T09:30:00Z'), faultSince: () => undefined },
  queueDepths: async () => [],
  waitingWork: async () => ({
    incidents: { critical: 1, warning: 0, info: 0 },
    approvals: 0,
    oldestApprovalAt: undefined,
  }),
  redisProblem: async () => undefined,
  reachable: async () => new Map([['prod', true]]),
};

async function shown(changed: Partial<StateReaders>) {
  const metrics = createMetrics();
  metrics.showState({ ...readers, ...changed });
  const { body } = await metrics.page();
  const { samples } = parseMetrics(body);
  const valuesOf = (name: string) =>
    samples.filter((each) => each.name === `rollout_doctor_${name}`).map(({ value }) => value);
  return { body, valuesOf };
}

it('shows what can be read', async () => {
  const { valuesOf } = await shown({});

  expect(valuesOf('redis_writable')).toEqual([1]);
  expect(valuesOf('cluster_reachable')).toEqual([1]);
});

it('shows whether the policy file holds a policy, and when the policy that counts was read', async () => {
  const { valuesOf } = await shown({});
  expect(valuesOf('policy_readable')).toEqual([1]);
  expect(valuesOf('policy_read_timestamp_seconds')).toEqual([Date.parse('2026-11-20T09:30:00Z') / 1_000]);
  const faulty = { ...readers.policy, faultSince: () => new Date('2026-11-20T09:35:00Z') };
  expect((await shown({ policy: faulty })).valuesOf('policy_readable')).toEqual([0]);
});

it.each([
  ['fails', failing],
  ['never ends', never],
])('shows the rest of the page when every read %s, and that Redis accepts no writes', async (_, read) => {
  const { body, valuesOf } = await shown({
    ...{ queueDepths: read, waitingWork: read, reachable: read, redisProblem: read },
  });

  expect(valuesOf('redis_writable')).toEqual([0]);
  expect(valuesOf('approval_lifetime_seconds')).toEqual([900]);
  expect(valuesOf('incidents_open')).toEqual([]);
  expect(valuesOf('cluster_reachable')).toEqual([]);
  expect(body).not.toContain('hunter2');
});
