import { describe, expect, it } from 'vitest';
import { renderConfirmation } from '#src/edges/login/login-page.js';
import { createTell } from '#src/service/create-engine.js';
import { buildApproval, buildIncident } from '../../../support/records.js';

const hostile = `<script>alert(1)</script>'"><img src=x onerror=alert(1)>`;

function pageOf({ diff = '', text = 'stuck' }: { readonly diff?: string; readonly text?: string }): string {
  const workload = { cluster: text, kind: 'Deployment', namespace: text, name: text } as const;
  const { plan, ...approval } = buildApproval({});
  return renderConfirmation(
    {
      ...{ by: 'U0DANA', at: '2026-11-20T09:30:00Z', reason: text },
      approval: { ...approval, plan: { ...plan, target: { ...plan.target, namespace: text, name: text } } },
      incident: buildIncident({ workload }),
    },
    {
      login: { issuer: text, subject: text, at: '2026-11-20T09:30:00Z' },
      ...{ token: 'a-token', action: '/confirm/0123456789abcdef/approve' },
    },
    { language: 'en', tell: createTell(), diffOf: () => diff },
  );
}

describe('the page that confirms a change', () => {
  it('shows text of the cluster, of people and of the issuer as text', () => {
    const page = pageOf({ text: hostile, diff: hostile });
    expect(page).toContain('&lt;script&gt;');
    expect(page).not.toMatch(/<script|<img|onerror=[^&]*>/u);
  });

  it.each([
    ['before', 3_890],
    ['across', 3_980],
  ])('shows no part of a secret that lies %s the end of what is shown of a difference', (_, before) => {
    const secret = `ghp_${'a1B2'.repeat(9)}`;
    const page = pageOf({ diff: `${'x '.repeat(before / 2)}${secret} ${'x '.repeat(100)}` });
    expect(page).toContain('Only the beginning is shown');
    expect(page).not.toContain('ghp_');
  });
});
