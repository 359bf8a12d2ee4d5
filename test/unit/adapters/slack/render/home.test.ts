import { describe, expect, it } from 'vitest';
import { linkToMessages } from '#src/adapters/slack/card-link.js';
import { renderHome } from '#src/adapters/slack/render/home.js';
import { languages } from '#src/core/language/language.js';
import { aloud } from '#support/read-aloud.js';
import { buildApproval, buildDiagnosis, buildIncident, tell } from '#support/slack-builders.js';
import { buildSilence } from '#support/slack-records.js';
import { checkView } from '../../../../../demo/slack/view-limits.js';
import { expectHarmless, hostileTexts } from '../harmless.js';

const linkTo = linkToMessages(() => 'https://team.slack.com/');
const card = { channel: 'C0MLONCALL', ts: '1763631001.000200' };
const incident = buildIncident({ phase: 'awaiting' });
const approval = buildApproval({
  needs: 2,
  decisions: [{ by: 'U0DANA', at: '2026-11-20T09:31:12Z', decision: 'approve', reason: 'go' }],
});
const pending = { incident, card, approval, missing: 1, mine: true };
const page = {
  type: 'home',
  pending: [pending],
  morePending: 0,
  open: [],
  moreOpen: 0,
  silences: [],
  at: '2026-11-20T09:35:00Z',
} as const;

it('the Home tab shows an approval that waits for the reader with its deadline and a link to the card', () => {
  const { blocks } = renderHome(page, { tell, language: 'en', linkTo });
  expect(aloud(blocks)).toMatch(
    /^\*1 change is waiting for approval\*\nStop the old pod first for `ml\/inference` · `prod-eu` · you can approve this\napproved by <@U0DANA> · 1 more person must approve by <!date[^>]*> \[View incident\]/,
  );
  expect(blocks[1]).toMatchObject({
    accessory: { url: 'https://team.slack.com/archives/C0MLONCALL/p1763631001000200' },
  });
});

it('the Home tab lists silences last', () => {
  const { blocks } = renderHome({ ...page, silences: [buildSilence()] }, { tell, language: 'en', linkTo });
  expect(aloud(blocks)).toContain('*1 silenced workload*');
});

describe.each(languages)('with any name in %s', (language) => {
  it.each(hostileTexts.filter(([, text]) => text.length < 1_000))('%s', (_, text) => {
    const ref = { cluster: text, kind: 'Deployment', namespace: text, name: text } as const;
    const one = buildIncident({
      workload: ref,
      createdAt: text,
      diagnosis: buildDiagnosis({ takenAt: text }),
    });
    const shown = { incident: one, card: { channel: text, ts: text } };
    const message = renderHome(
      {
        ...page,
        pending: Array.from({ length: 8 }, () => ({ ...pending, ...shown })),
        morePending: 9,
        open: Array.from({ length: 10 }, () => shown),
        moreOpen: 90,
        silences: Array.from({ length: 60 }, () => buildSilence({ workload: ref, by: text, reason: text })),
      },
      { tell, language, linkTo },
    );
    expectHarmless(message);
    expect(checkView({ type: 'home', blocks: message.blocks }, 'home')).toEqual([]);
  });
});
