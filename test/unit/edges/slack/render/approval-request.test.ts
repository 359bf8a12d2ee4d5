import { expect, it } from 'vitest';
import { renderEntry } from '#src/edges/slack/render/entry.js';
import { renderReadablePlan } from '#src/edges/slack/render/review.js';
import { say } from '#src/engine/language/prose.js';
import { aloud } from '../../../../support/read-aloud.js';
import { buildApproval, buildIncident, buildRemediation, tell } from '../../../../support/slack-builders.js';

const { id, title } = buildRemediation();
const request = {
  ...{ remediationId: id, title, undoes: false, by: 'U0SAM', at: '2026-11-20T09:32:00Z', users: ['U0DANA'] },
  groups: [{ name: 'ml-oncall', id: 'S0MLONCALL' }, { name: 'former' }],
};
const entry = { kind: 'asked', of: '0' } as const;

it.each([
  ['en', 'Press *Review* or *Review fix* on the card'],
  ['ko', '카드에서 *검토* 또는 *조치 검토*를 눌러'],
] as const)(
  'an approval request mentions groups and people by their ids, and names a group without an id (%s)',
  (language, words) => {
    const incident = buildIncident({ language, approvalRequests: [request] });
    const { text, blocks } = renderEntry(incident, undefined, entry, { tell });
    expect(text).toContain('<!subteam^S0MLONCALL>');
    expect(text).toContain('<@U0SAM>');
    expect(JSON.stringify(blocks)).toContain('{"type":"usergroup","usergroup_id":"S0MLONCALL"}');
    expect(JSON.stringify(blocks)).toContain('{"type":"user","user_id":"U0DANA"}');
    expect(aloud(blocks)).toContain('`@former`');
    expect(aloud(blocks)).toContain(words);
  },
);

it.each([
  [{ users: [], groups: ['ml-oncall'] }, 'Ask @ml-oncall to approve'],
  [{ users: [], groups: ['S0MLONCALL'] }, 'Request approval'],
  [{ users: ['U0DANA'], groups: ['ml-oncall'] }, 'Request approval'],
  [{ users: [], groups: [] }, undefined],
])('a review offers to ask the approvers of the policy (%j)', (approvers, label) => {
  const plan = {
    ...{ incident: buildIncident(), proposal: buildApproval(), warnings: [], remediationId: id },
    approvers,
  };
  const { blocks } = renderReadablePlan(plan, say`no`, { language: 'en', tell });
  const found = /"action_id":"approval.ask"/u.test(JSON.stringify(blocks));
  expect(found).toBe(label !== undefined);
  if (label !== undefined) expect(JSON.stringify(blocks)).toContain(label);
});
