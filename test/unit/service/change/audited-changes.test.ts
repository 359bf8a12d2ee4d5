import { describe, expect, it } from 'vitest';
import type { AuditEntry } from '#src/doctor/audit/audit-entry.js';
import { auditedChanges } from '#src/service/change/audited-changes.js';

const workload = { cluster: 'prod', kind: 'Deployment', namespace: 'ml', name: 'inference' } as const;

function entry(minute: number, action: AuditEntry['action'], fields: Partial<AuditEntry> = {}): AuditEntry {
  const at = `2026-11-20T09:${minute}:00Z`;
  return { at, incidentId: 'i1', approvalId: 'a1', action, workload, details: {}, ...fields };
}

/** As it happened; the audit is read newest first. */
function linesOf(...happened: readonly AuditEntry[]) {
  return auditedChanges([...happened].reverse());
}

const kind = 'patch-strategy';
const approved = entry(31, 'approved', {
  by: 'U0DANA',
  details: { kind, undoes: false, reason: 'deadlock', missing: 0 },
});

describe('a change in the audit list', () => {
  it('is one line from the approval to the verdict', () => {
    const lines = linesOf(
      approved,
      entry(32, 'applied', { details: { kind, undoes: false, approvedBy: ['U0DANA'] } }),
      entry(33, 'verdict', { details: { verdict: 'recovered' } }),
    );
    expect(lines).toEqual([
      {
        type: 'change',
        approvalId: 'a1',
        incidentId: 'i1',
        workload,
        at: '2026-11-20T09:33:00Z',
        kind,
        undoes: false,
        approved: [{ by: 'U0DANA', at: '2026-11-20T09:31:00Z', reason: 'deadlock' }],
        rejected: undefined,
        expired: false,
        cancelledBy: undefined,
        unknownSince: undefined,
        appliedAt: '2026-11-20T09:32:00Z',
        notApplied: undefined,
        verdict: 'recovered',
      },
    ]);
  });

  it('names all approvers in their order', () => {
    const [line] = linesOf(approved, entry(32, 'approved', { by: 'U0MIN', details: { kind, reason: '' } }));
    expect(line).toMatchObject({ approved: [{ by: 'U0DANA' }, { by: 'U0MIN' }] });
  });

  it('that was rejected names who rejected it and why', () => {
    const [line] = linesOf(
      approved,
      entry(32, 'rejected', { by: 'U0SAM', details: { kind, reason: 'not now' } }),
    );
    expect(line).toMatchObject({ rejected: { by: 'U0SAM', reason: 'not now' }, appliedAt: undefined });
  });

  it('that expired is marked as expired', () => {
    expect(linesOf(approved, entry(46, 'expired'))).toMatchObject([{ expired: true }]);
  });

  it('that the API server refused has the reason', () => {
    const [line] = linesOf(approved, entry(32, 'apply-refused', { details: { kind, because: 'stale' } }));
    expect(line).toMatchObject({ notApplied: 'stale', appliedAt: undefined });
  });

  it('names its approvers even where their decisions are older than the entries read', () => {
    const [line] = linesOf(
      entry(32, 'applied', { details: { kind, undoes: true, approvedBy: ['U0DANA', 7] } }),
    );
    expect(line).toMatchObject({ approved: [{ by: 'U0DANA' }], undoes: true });
  });

  it('that undoes another change is listed as undone', () => {
    const [line] = linesOf(
      entry(32, 'applied', { details: { kind, undoes: true } }),
      entry(33, 'verdict', { details: { verdict: 'undone' } }),
    );
    expect(line).toMatchObject({ verdict: 'undone' });
  });

  it('of a kind or verdict that this version does not know is listed without it', () => {
    const [line] = linesOf(
      entry(31, 'approved', { by: 'U0DANA', details: { kind: 'teleport' } }),
      entry(32, 'verdict', { details: { verdict: 'ascended' } }),
    );
    expect(line).toMatchObject({ kind: undefined, verdict: undefined });
  });
});

it.each([
  ['as recorded', { manager: 'argocd-controller', operation: 'Update' }, true],
  ['not at all in a form that is not known', { by: 'somebody' }, false],
])('the client that reverted a change is listed %s', (_, revertedBy, isListed) => {
  const [line] = linesOf(
    entry(33, 'approved', { approvalId: 'a2', by: 'U0MIN', details: { kind } }),
    entry(34, 'verdict', { approvalId: 'a2', details: { verdict: 'reverted', revertedBy } }),
  );

  expect(line).toMatchObject({ verdict: 'reverted', revertedBy: isListed ? revertedBy : undefined });
});

it('each approval and each silence has its own line, newest first', () => {
  const lines = linesOf(
    approved,
    entry(32, 'silenced', {
      approvalId: undefined,
      by: 'U0SAM',
      details: { until: 'x', reason: 'swap' },
    } as never),
    entry(33, 'approved', { approvalId: 'a2', by: 'U0MIN', details: { kind } }),
    entry(34, 'verdict', { details: { verdict: 'unchanged' } }),
  );
  expect(lines.map((line) => (line.type === 'change' ? line.approvalId : line.type))).toEqual([
    'a1',
    'a2',
    'silenced',
  ]);
});

it('requested diagnoses, opened reviews and refusals are not listed as changes', () => {
  const quiet = ['diagnosis-requested', 'review-opened', 'review-refused', 'approval-refused', 'dry-run'];
  expect(linesOf(...quiet.map((action) => entry(31, action as AuditEntry['action'])))).toEqual([]);
});
