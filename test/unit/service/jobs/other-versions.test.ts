import { describe, expect, it } from 'vitest';
import { FutureJob, hasOnlyUnknownWords, jobSchemas, type QueueName } from '#src/service/jobs/jobs.js';

const sentinel = {
  v: 1,
  candidate: '["ReplicaSet","shop","api-6d4","uid",""]',
  cluster: 'prod',
  owner: { kind: 'ReplicaSet', namespace: 'shop', name: 'api-6d4' },
  reason: 'FailedScheduling',
  dueAt: '2026-11-20T09:31:00Z',
};
const review = {
  v: 1,
  questionId: 'q',
  cluster: 'prod',
  until: '2026-11-20T09:31:00Z',
  request: { kind: 'decide', approvalId: 'a', by: 'U0DANA', decision: 'approve', reason: '' },
  seal: { format: 1, key: 'k', mac: 'm' },
};

/** Jobs as versions before this one queued them: what this version added is absent. */
const earlier: readonly [QueueName, object][] = [
  ['alert', { v: 1, alertId: 'a', signal: 1 }],
  ['diagnosis', { v: 1, incidentId: 'i', look: 1 }],
  ['scan', { v: 1, scanId: 's' }],
  ['sentinel', sentinel],
  ['dry-run', { v: 1, incidentId: 'i', approvalId: 'a', ask: 1 }],
  ['remediation', { v: 1, incidentId: 'i', approvalId: 'a' }],
  ['pull-request', { v: 1, incidentId: 'i', approvalId: 'a' }],
  ['verification', { v: 1, incidentId: 'i', approvalId: 'a' }],
  ['delivery', { v: 1, kind: 'card', incidentId: 'i', version: 1 }],
  ['delivery', { v: 1, kind: 'thread', incidentId: 'i', entry: { kind: 'picture', of: '1' } }],
  ['question', { ...review, question: { kind: 'find', query: { name: 'api' }, sight: { allOf: [] } } }],
  ['review', review],
];

describe('a job of another version', () => {
  it.each(earlier)('is read when an earlier version queued it: %s', (queue, data) => {
    expect(jobSchemas[queue].safeParse(data).error).toBeUndefined();
  });

  it.each(earlier)('is read with fields that this version does not know: %s', (queue, data) => {
    expect(jobSchemas[queue].safeParse({ ...data, addedLater: { any: 'thing' } }).error).toBeUndefined();
  });

  it('of the sentinel is read with a sign that this version does not watch for', () => {
    expect(jobSchemas.sentinel.parse({ ...sentinel, reason: 'AddedLater' }).reason).toBe('AddedLater');
  });

  it.each<[string, QueueName, unknown, boolean]>([
    [
      'a kind of owner that was added',
      'sentinel',
      { ...sentinel, owner: { ...sentinel.owner, kind: 'StatefulSet' } },
      true,
    ],
    ['a kind of message that was added', 'delivery', { v: 1, kind: 'added-later', incidentId: 'i' }, true],
    [
      'a thread entry that was added',
      'delivery',
      { v: 1, kind: 'thread', incidentId: 'i', entry: { kind: 'added', of: '1' } },
      true,
    ],
    ['a request that was added', 'review', { ...review, request: { kind: 'added-later' } }, true],
    ['no kind', 'delivery', { v: 1, incidentId: 'i' }, false],
    ['a number as kind', 'delivery', { v: 1, kind: 3, incidentId: 'i' }, false],
    [
      'a kind that was added, and a field of the wrong type',
      'sentinel',
      { ...sentinel, cluster: 3, owner: { ...sentinel.owner, kind: 'x' } },
      false,
    ],
    ['a text as version', 'delivery', { v: 'one', kind: 'card', incidentId: 'i', version: 1 }, false],
    ['a missing field', 'remediation', { v: 1, incidentId: 'i' }, false],
    ['no object', 'remediation', 'text', false],
  ])('waits for a newer worker only where nothing but a word is unknown: %s', (_, queue, data, waits) => {
    const { error } = jobSchemas[queue].safeParse(data);
    if (error === undefined) throw new Error('must not fit');
    expect(hasOnlyUnknownWords(data, error)).toBe(waits);
  });

  it('waits for a newer worker when its version is higher', () => {
    expect(FutureJob.safeParse({ v: 2, anything: 1 }).success).toBe(true);
  });
});
