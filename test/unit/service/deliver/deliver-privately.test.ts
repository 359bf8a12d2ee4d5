import { expect, it } from 'vitest';
import { deliverResult } from '#src/service/deliver/deliver-privately.js';
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
