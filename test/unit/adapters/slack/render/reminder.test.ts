import { describe, expect, it } from 'vitest';
import { renderEntry } from '../../../../../src/adapters/slack/render/entry.js';
import type { Change } from '../../../../../src/core/incident/incident.js';
import { aloud } from '../aloud.js';
import { buildApproval, buildIncident, tell } from '../builders.js';

const decisions = [{ by: 'U0DANA', at: '2026-11-20T09:31:00Z', decision: 'approve' as const, reason: 'go' }];
const approval = buildApproval({ state: 'done', decisions });

function said(change: Partial<Change>, language: 'en' | 'ko' = 'en'): string {
  const incident = buildIncident({
    language,
    change: {
      approvalId: approval.id,
      cause: 'crash-loop-on-node',
      remediation: approval.remediation,
      undoes: false,
      approvedBy: ['U0DANA'],
      approvedAt: '2026-11-20T09:31:00Z',
      undo: { request: { verb: 'patch', patchType: 'merge', body: {} }, expects: [] },
      ...change,
    },
  });
  return aloud(renderEntry(incident, approval, { kind: 'reminder', of: approval.id }, { tell }).blocks);
}

describe('the reminder of a change that is meant to be lifted', () => {
  it('calls those who approved it, and points to Undo', () => {
    expect(said({})).toContain('U0DANA');
    expect(said({})).toContain('still in effect for `ml/inference`');
    expect(said({})).toContain('Undo on the card lifts it');
    expect(said({}, 'ko')).toContain('되돌리기로 풀 수 있습니다');
  });

  it('says how to lift it by hand once the card shows a later change', () => {
    expect(said({ approvalId: 'b'.repeat(32) })).toContain(
      'take the `NotIn` on `kubernetes.io/hostname` out',
    );
  });
});
