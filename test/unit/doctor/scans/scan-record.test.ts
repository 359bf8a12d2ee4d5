import { describe, expect, it } from 'vitest';
import { ScanRecord, scanReport } from '#src/doctor/scans/scan-record.js';
import { buildDiagnosis } from '../../../support/slack-builders.js';

const requested = {
  v: 1,
  id: 's1',
  cluster: 'prod',
  namespace: '',
  by: 'U0ALICE',
  channel: 'C0SCAN',
  askedAt: '2026-11-20T09:30:00Z',
} as const;

const seen = { takenAt: '2026-11-20T09:30:02Z', skipped: 0, unseen: [] };
const unread = { what: 'Node', namespace: '', because: 'forbidden' };

describe('a stored scan is parsed', () => {
  it.each<readonly [string, object]>([
    ['when it has only been requested', {}],
    ['when it was requested in a thread', { threadTs: '1763630000.000100' }],
    ['with an affected workload', { outcome: scanReport([buildDiagnosis()], seen) }],
    ['without any workload', { outcome: scanReport([], seen) }],
    [
      'when it ran out of time',
      { outcome: scanReport([], { ...seen, skipped: 3, skippedBecause: 'time', unseen: [unread] }) },
    ],
    [
      'when there are too many',
      { outcome: scanReport([], { ...seen, skipped: 9, skippedBecause: 'number' }) },
    ],
    ...(['namespace-unknown', 'cluster-unknown', 'unreadable', 'inside'] as const).map(
      (because) =>
        [`that failed: ${because}`, { outcome: { type: 'failure', because, detail: 'x' } }] as const,
    ),
  ])('%s', (_, fields) => {
    const record = { ...requested, ...fields };

    expect(ScanRecord.parse(JSON.parse(JSON.stringify(record)))).toEqual(record);
  });

  it('also where an older program kept less of it', () => {
    const { unchecked: _, critical: _c, fragile: _f, ...older } = scanReport([], seen);
    const parsed = ScanRecord.parse({ ...requested, outcome: older });

    expect(parsed.outcome).toEqual({ ...older, unchecked: 0 });
  });
});

describe('an invalid scan is refused', () => {
  it.each<readonly [string, object]>([
    ['another version', { v: 2 }],
    ['an outcome of another type', { outcome: { type: '' } }],
    ['a failure for an unknown reason', { outcome: { type: 'failure', because: '', detail: '' } }],
    ['a failure without its detail', { outcome: { type: 'failure', because: 'inside' } }],
    ['no requester', { by: undefined }],
    [
      'a report that omits workloads for an unknown reason',
      { outcome: { ...scanReport([], seen), skippedBecause: '' } },
    ],
    ['a report without the list of unread kinds', { outcome: { ...scanReport([], seen), unseen: [{}] } }],
  ])('%s', (_, fields) => {
    expect(ScanRecord.safeParse({ ...requested, ...fields }).success).toBe(false);
  });
});
