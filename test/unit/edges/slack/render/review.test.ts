import { describe, expect, it } from 'vitest';
import { effect } from '#src/doctor/fixes/effects-text.js';
import type { Plan } from '#src/doctor/fixes/plan.js';
import { ReviewMetadata } from '#src/edges/slack/render/action-ids.js';
import { renderReview } from '#src/edges/slack/render/review.js';
import { notice } from '#src/service/notices/notices.js';
import type { Review } from '#src/service/people/conversation.js';
import { aloud } from '../../../../support/read-aloud.js';
import { buildDryRun } from '../../../../support/records.js';
import { stopFirst } from '../../../../support/shown-words.js';
import { buildApproval, buildIncident, buildReview, tell } from '../../../../support/slack-builders.js';

const place = { channel: 'C0INCIDENTS', threadTs: '1795167004.000100' };

function modal(fields: Partial<Review> = {}, language: 'en' | 'ko' = 'en') {
  return renderReview(buildReview(fields), { language, tell, place });
}

describe('the review', () => {
  it.each(['en', 'ko'] as const)('matches the expected text in %s', async (language) => {
    const view = modal({}, language);
    const frame = `${view.title.text} | ${view.close?.text} | ${view.submit?.text}`;
    await expect(`${frame}\n\n${aloud(view.blocks)}\n`).toMatchFileSnapshot(`golden/review.${language}.txt`);
  });

  it('carries the approval and the message, and asks for the name only where it must be typed', () => {
    const metadata = (view: { private_metadata?: string }) =>
      ReviewMetadata.parse(JSON.parse(view.private_metadata ?? ''));
    expect(metadata(modal())).toEqual({ approvalId: buildApproval().id, ...place });
    const demands = { approvers: 1, notRequester: false, typeName: true, login: false };
    expect(metadata(modal({ demands })).typedName).toBe('ml/inference');
    expect(aloud(modal({ demands }).blocks)).toContain('Type ml/inference to confirm: ____');
  });

  it.each([
    [
      'en',
      [
        '*Does the change last?*',
        '*Argo CD manages this object* (`Application argocd/ml-prod`).',
        '`spec.strategy.rollingUpdate.maxSurge`: Argo CD reverts it at once. Evidence: managed fields of `argocd-controller` (`Apply`).',
        'To keep this change',
      ],
    ],
    [
      'ko',
      [
        '*변경 유지 여부*',
        '`spec.strategy.rollingUpdate.maxSurge`: Argo CD가 즉시 되돌림. 근거: `argocd-controller`의 관리 필드(`Apply`).',
      ],
    ],
  ] as const)(
    'names field by field who reverts the change, and by what evidence: %s',
    (language, expected) => {
      const base = buildApproval();
      const owner = {
        by: 'Argo CD' as const,
        kind: 'Application',
        namespace: 'argocd',
        name: 'ml-prod',
      };
      const survival: Plan['survival'] = [
        {
          path: 'spec.strategy.rollingUpdate.maxSurge',
          verdict: { type: 'reverted-at-once' },
          owner,
          restsOn: [{ type: 'managed-fields', manager: 'argocd-controller', operation: 'Apply' }],
        },
      ];
      const rendered = aloud(
        modal({ approval: { ...base, plan: { ...base.plan, survival } } }, language).blocks,
      );

      for (const words of expected) expect(rendered).toContain(words);
    },
  );

  it('names an owner that leaves the fields alone, without a warning', () => {
    const base = buildApproval();
    const owner = { by: 'Flux', kind: 'Kustomization', namespace: 'flux-system', name: 'apps' } as const;
    const survival: Plan['survival'] = base.plan.changes.map(({ path }) => ({
      path,
      verdict: { type: 'stays' },
      owner,
      restsOn: [{ type: 'managed-fields', manager: 'kustomize-controller', operation: 'Apply' }],
    }));
    const rendered = aloud(modal({ approval: { ...base, plan: { ...base.plan, survival } } }).blocks);

    expect(rendered).toContain('*Flux manages this object* (`Kustomization flux-system/apps`)');
    expect(rendered).toContain(': stays.');
    expect(rendered).not.toContain('To keep this change');
  });

  it('states nothing about lasting where nobody else writes the object', () => {
    const base = buildApproval();
    const survival: Plan['survival'] = base.plan.changes.map(({ path }) => ({
      path,
      verdict: { type: 'stays' },
      restsOn: [{ type: 'marks' }],
    }));

    expect(aloud(modal({ approval: { ...base, plan: { ...base.plan, survival } } }).blocks)).not.toContain(
      'Does the change last?',
    );
  });

  it('warns of what a webhook would write', () => {
    expect(aloud(modal({ dryRun: buildDryRun({ mutated: ['spec.replicas'] }) }).blocks)).toContain(
      'an admission webhook would write different values to `spec.replicas`',
    );
  });

  it('shows the plan and its cost without a button while the dry run is pending', () => {
    const view = modal({ dryRun: { type: 'asked', ask: 1 } });
    const words = aloud(view.blocks);

    expect(words).toContain('maxSurge: 0');
    expect(words).toContain('Impact');
    expect(words).toContain('Running a dry run of this change on the API server');
    expect(words).not.toContain('accepted this change in a dry run');
    expect(view.submit).toBeUndefined();
    expect(view.blocks.filter(({ type }) => type === 'input')).toEqual([]);
  });

  it.each([
    [
      'refused',
      {
        type: 'refused',
        because: notice('dry-run-refused', {
          workload: 'ml/inference',
          because: 'admission',
          message: 'needs a ticket',
        }),
      },
      'needs a ticket',
    ],
    [
      'did not answer',
      {
        type: 'unknown',
        because: notice('dry-run-unknown', {
          workload: 'ml/inference',
          cluster: 'prod-eu',
          because: 'timeout',
          message: '',
        }),
      },
      'the cluster did not answer in time',
    ],
    ['was not asked in time', { type: 'unanswered', seconds: 30 }, 'no result arrived within 30 seconds'],
  ] as const)(
    'has no button where the API server %s, and states the reason after the heading',
    (_, how, expectedText) => {
      const answer = { ask: 1, at: '2026-11-20T09:30:30Z', digest: 'd' };
      const view = modal({ dryRun: how.type === 'unanswered' ? how : { ...how, ...answer } });

      expect(aloud(view.blocks.slice(1, 2))).toContain(expectedText);
      expect(aloud(view.blocks)).toContain('maxSurge: 0');
      expect(aloud(view.blocks)).not.toContain('dry run at');
      expect(view.submit).toBeUndefined();
      expect(view.blocks.filter(({ type }) => type === 'input')).toEqual([]);
    },
  );

  it('states its number among several approvals', () => {
    const approval = buildApproval({ needs: 3 });
    expect(modal({ approval }).submit?.text).toBe('Approve (1 of 3)');
    expect(aloud(modal({ approval }).blocks)).toContain(
      'This change needs 3 approvals. After yours, 2 more are',
    );
    const decisions = ['U1', 'U2'].map((by) => ({ by, at: '', decision: 'approve' as const, reason: 'go' }));
    const last = buildApproval({ needs: 3, decisions });
    expect(modal({ approval: last }).submit?.text).toBe('Apply to prod-eu');
    expect(aloud(modal({ approval: last }).blocks)).toContain('Yours is the last one missing');
  });

  it('shows a long cluster name only in the heading', () => {
    const incident = buildIncident({ workload: { ...buildIncident().workload, cluster: 'c'.repeat(60) } });
    expect(modal({ incident }).submit?.text).toBe('Apply');
    expect(aloud(modal({ incident }).blocks)).toContain('c'.repeat(60));
  });

  it('names the object that is deleted', () => {
    const base = buildApproval();
    const plan = {
      ...base.plan,
      changes: [],
      request: { verb: 'delete' as const },
      target: { ...base.plan.target, kind: 'Pod', name: 'web-1' },
    };
    expect(aloud(modal({ approval: { ...base, plan } }).blocks)).toContain('`Pod ml/web-1` is deleted.');
  });

  it('names the object that is changed where it is not the workload, and no owner where no declared field changes', () => {
    const base = buildApproval();
    const target = { ...base.plan.target, kind: 'ReplicaSet', name: 'web-1' };
    const changes = [{ path: 'spec.replicas', before: 1, after: 0 }];
    const remediation = { ...base.remediation, price: { ...base.remediation.price, drift: 'none' as const } };
    const approval = { ...base, remediation, plan: { ...base.plan, target, changes } };
    const rendered = aloud(modal({ approval }).blocks);

    expect(rendered).toContain('*Change* to `ReplicaSet ml/web-1`');
    expect(rendered).toContain('replicas: 0');
    expect(rendered).not.toContain('Does the change last?');
  });

  it('shows the effect and the cost of an undo, without drift', () => {
    const base = buildApproval();
    const effects = [effect('undo-moves-no-pod')];
    const price = {
      ...base.remediation.price,
      downtime: { kind: 'none' },
      blastRadius: { pods: 0, others: [] },
    } as const;
    const remediation = { ...base.remediation, effects, price };
    const rendered = aloud(modal({ approval: { ...base, undoes: true, remediation } }).blocks);
    expect(rendered).toContain(`Undo “${stopFirst}”`);
    expect(rendered).toContain('*What happens*\n1. No pod stops or starts.');
    expect(rendered).toContain('*Impact*\n- no downtime\n- stops no pod');
    expect(rendered).not.toMatch(/manifest|Git|rollout then/u);
  });

  it('states that an undo could not be simulated, and omits its cost', () => {
    const base = buildApproval();
    const remediation = { ...base.remediation, effects: [] };
    const rendered = aloud(modal({ approval: { ...base, undoes: true, remediation } }).blocks);
    expect(rendered).toContain('It is unknown whether pods stop.');
    expect(rendered).not.toContain('Impact');
  });

  it('states that a change is too long to show', () => {
    const base = buildApproval();
    const changes = [{ path: 'spec.template', before: {}, after: { text: 'x\n'.repeat(20_000) } }];
    expect(aloud(modal({ approval: { ...base, plan: { ...base.plan, changes } } }).blocks)).toContain(
      'The change is too long for Slack. Only the beginning is shown.',
    );
  });
});
