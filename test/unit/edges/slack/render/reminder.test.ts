import { describe, expect, it } from 'vitest';
import type { Change } from '#src/doctor/incidents/incident.js';
import { UndoValue } from '#src/edges/slack/render/action-ids.js';
import { renderEntry } from '#src/edges/slack/render/entry.js';
import { aloud } from '../../../../support/read-aloud.js';
import { buildApproval, buildIncident, tell } from '../../../../support/slack-builders.js';

const decisions = [{ by: 'U0DANA', at: '2026-11-20T09:31:00Z', decision: 'approve' as const, reason: 'go' }];
const approval = buildApproval({ state: 'done', decisions });

const excluding = {
  ...approval,
  remediation: {
    ...approval.remediation,
    kind: 'exclude-nodes' as const,
    nodes: [{ name: 'node-1', hostname: 'node-1' }],
    remindAfterHours: 24,
  },
};

function blocksOf(
  change: Partial<Change>,
  language: 'en' | 'ko' = 'en',
  made: typeof approval = approval,
  record: 'stored' | 'lost' = 'stored',
) {
  const incident = buildIncident({
    language,
    change: {
      approvalId: approval.id,
      cause: 'crash-loop-on-node',
      remediation: made.remediation,
      undoes: false,
      approvedBy: ['U0DANA'],
      approvedAt: '2026-11-20T09:31:00Z',
      undo: { request: { verb: 'patch', patchType: 'merge', body: {} }, expects: [] },
      ...change,
    },
  });
  const stored = record === 'stored' ? made : undefined;
  return renderEntry(incident, stored, { kind: 'reminder', of: approval.id }, { tell }).blocks;
}

const readReminder = (...of: Parameters<typeof blocksOf>) => aloud(blocksOf(...of));

describe('the reminder to lift a temporary change', () => {
  it('mentions the approvers, and has a button that lifts the change', () => {
    expect(readReminder({})).toContain('U0DANA');
    expect(readReminder({})).toContain('still in effect for `ml/inference`');
    expect(readReminder({})).toContain('After the repair, remove the exclusion');
    expect(readReminder({}, 'ko')).toContain('제외를 해제하세요');
  });

  it('names the change in its button, since the reminder stays when the card shows a later change', () => {
    const [{ value = '' } = {}] = blocksOf({}).flatMap((block) =>
      block.type === 'actions'
        ? block.elements.flatMap((element) => (element.type === 'button' ? element : []))
        : [],
    );
    expect(UndoValue.parse(value)).toMatchObject({ change: approval.id });
    expect(JSON.stringify(blocksOf({ approvalId: 'b'.repeat(32) }))).not.toContain('"button"');
  });

  it('explains how to lift the change by hand once the card shows a later change', () => {
    expect(readReminder({ approvalId: 'b'.repeat(32) })).toContain(
      'Delete the `NotIn` on `kubernetes.io/hostname`',
    );
  });

  it('states the same where the record of the approval is lost', () => {
    const change = { appliedAt: '2026-11-20T09:31:05Z' };
    const kept = blocksOf(change, 'en', excluding);
    expect(aloud(kept)).toContain('U0DANA');
    expect(blocksOf(change, 'en', excluding, 'lost')).toEqual(kept);
  });

  it.each(['en', 'ko'] as const)(
    'names the pull request that made the change, and its removal in Git, in %s',
    (language) => {
      const url = 'https://github.example/acme/deploy/pull/12';
      const target = { repository: 'acme/deploy', branch: 'main', path: 'prod' } as const;
      const { remediation, plan } = approval;
      const incident = buildIncident({
        language,
        pullRequest: {
          ...{
            approvalId: approval.id,
            cause: 'crash-loop-on-node',
            remediationId: remediation.id,
            target,
            url,
          },
          ...{ title: remediation.title, changes: plan.changes, state: 'recovered', approvedBy: ['U0DANA'] },
          approvedAt: '2026-11-20T09:31:00Z',
        },
      });
      const made = { ...approval, gitTarget: target };
      const { blocks } = renderEntry(incident, made, { kind: 'reminder', of: approval.id }, { tell });
      expect(aloud(blocks)).toContain(url);
      expect(aloud(blocks)).toContain('revert');
      expect(JSON.stringify(blocks)).not.toContain('"button"');
      const pullRequest = incident.pullRequest && { ...incident.pullRequest, hasUndo: true };
      const undoable = renderEntry(
        { ...incident, pullRequest },
        made,
        { kind: 'reminder', of: approval.id },
        { tell },
      ).blocks;
      expect(JSON.stringify(undoable)).toContain('remediation.undo-in-git');
      expect(aloud(undoable)).toContain(language === 'en' ? 'another pull request' : '하나 더');
    },
  );
});
