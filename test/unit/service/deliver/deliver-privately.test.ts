import { expect, it } from 'vitest';
import { deliverNotice, deliverResult } from '#src/service/deliver/deliver-privately.js';
import { notShownHere, type Shown } from '#src/service/deliver/incident-thread.js';
import { buildDiagnosis } from '../../../support/diagnosis.js';
import { createMemoryDeliveries } from '../../../support/memory-deliveries.js';
import { buildIncident } from '../../../support/records.js';

const incident = buildIncident({
  phase: 'diagnosed',
  origin: { via: 'command', by: 'U0DANA' },
  askers: ['U0SAM'],
  diagnosis: buildDiagnosis({ findings: [] }),
});

/** Delivers the result to one person; Slack answers `shown`. */
async function deliver(shown: Shown, user: string, stored = incident) {
  const queued: unknown[] = [];
  const seenBy: string[] = [];
  const { deliveries } = createMemoryDeliveries({ wait: 0 });
  const outcome = await deliverResult(
    {
      deliveries,
      clock: { now: () => new Date('2026-11-20T09:30:10Z') },
      incidents: { get: async () => stored },
      jobs: { enqueue: async (_, job) => void queued.push(job) },
      thread: {
        find: async () => undefined,
        post: async (content) => {
          if (content.kind === 'result') seenBy.push(content.user);
          return shown;
        },
        edit: async () => shown,
      },
    },
    { v: 1, kind: 'result', incidentId: incident.id, look: incident.look, user },
  );
  return { outcome, queued, seenBy };
}

it('shows the result and sends no notice', async () => {
  const { seenBy, queued } = await deliver({ type: 'shown', channel: 'D1', ts: '1.0' }, 'U0DANA');

  expect(seenBy).toEqual(['U0DANA']);
  expect(queued).toEqual([]);
});

it.each([
  ['U0DANA', 'user_not_found', 'card-refused'],
  ['U0SAM', 'user_not_found', 'card-refused'],
  ['U0SAM', notShownHere, 'not-shown-here'],
])('tells %s when it is refused with %s', async (user, error, key) => {
  const { outcome, queued } = await deliver({ type: 'refused', error }, user);

  expect(outcome).toEqual({ type: 'refused', error });
  expect(queued).toMatchObject([{ kind: 'notice', user, channel: incident.channel, statement: { key } }]);
});

it('shows nothing of a record that changed meanwhile', async () => {
  const shared = { ...incident, shared: true } as const;
  const { seenBy } = await deliver({ type: 'shown', channel: 'D1', ts: '1.0' }, 'U0DANA', shared);

  expect(seenBy).toEqual([]);
});

const at = '2026-11-20T09:30:00.500Z';

/** Delivers a notice about a new assignee; the record has `assignee`. */
async function notify(assignee: { by: string; at: string } | undefined, now = '2026-11-20T09:30:02Z') {
  const seenBy: string[] = [];
  const { deliveries } = createMemoryDeliveries({ wait: 0 });
  const stored = { ...incident, assignee: assignee && { ...assignee, cause: 'surge-deadlock' as const } };
  const outcome = await deliverNotice(
    {
      deliveries,
      clock: { now: () => new Date(now) },
      incidents: { get: async () => stored },
      thread: {
        find: async () => undefined,
        post: async (content) => {
          if (content.kind === 'notice') seenBy.push(content.user);
          return { type: 'shown', channel: 'D1', ts: '1.0' };
        },
        edit: async () => ({ type: 'shown', channel: 'D1', ts: '1.0' }),
      },
    },
    {
      ...{ v: 1, kind: 'notice', id: 'n', channel: incident.channel, user: 'U0DANA' },
      statement: { catalogue: 'notices', key: 'taken-from-you', values: {} },
      onceAssigned: { incidentId: incident.id, by: 'U0MIN', at },
    },
  );
  return { outcome, seenBy };
}

it('sends a notice about a new assignee once the record has that one', async () => {
  expect((await notify({ by: 'U0MIN', at })).seenBy).toEqual(['U0DANA']);
  for (const other of [undefined, { by: 'U0SAM', at }, { by: 'U0MIN', at: '2026-11-20T09:29:00Z' }]) {
    expect(await notify(other)).toMatchObject({ outcome: { type: 'later' }, seenBy: [] });
  }
});

it('sends no notice about a step that was never recorded', async () => {
  const { outcome, seenBy } = await notify({ by: 'U0SAM', at }, '2026-11-20T09:40:00Z');
  expect(outcome).toEqual({ type: 'delivered', fresh: false });
  expect(seenBy).toEqual([]);
});
