import { describe, expect, it } from 'vitest';
import type { Finding } from '#src/doctor/findings/finding.js';
import type { Remediation } from '#src/doctor/fixes/remediation.js';
import { MergeHindrance, type PullRequest } from '#src/doctor/incidents/pull-request.js';
import { renderCard } from '#src/edges/slack/render/card.js';
import { renderReview } from '#src/edges/slack/render/review.js';
import type { FieldDrift } from '#src/engine/owners/field-drift.js';
import { gitStatement } from '#src/service/git/git-text.js';
import { aloud } from '../../../../support/read-aloud.js';
import { buildDryRun } from '../../../../support/records.js';
import { stopFirst } from '../../../../support/shown-words.js';
import {
  buildApproval,
  buildDiagnosis,
  buildFinding,
  buildIncident,
  buildReview,
  tell,
} from '../../../../support/slack-builders.js';

const target = { repository: 'acme/deploy', branch: 'main', path: 'prod' } as const;
const url = 'https://github.example/acme/deploy/pull/12';
const approval = buildApproval();

function card(
  pullRequest: Partial<PullRequest> | undefined,
  language: 'en' | 'ko' = 'en',
  mapped = true,
  survival?: FieldDrift,
  findings?: readonly Finding[],
) {
  const record: PullRequest = {
    approvalId: approval.id,
    cause: 'surge-deadlock',
    remediationId: approval.remediation.id,
    title: approval.remediation.title,
    changes: approval.plan.changes,
    target,
    state: 'open',
    approvedBy: ['U0DANA'],
    approvedAt: '2026-11-20T09:31:12Z',
    ...pullRequest,
  };
  const remediation = { ...approval.remediation, ...(survival === undefined ? {} : { survival }) };
  const finding = buildFinding({ remediations: [remediation] });
  const incident = buildIncident({
    language,
    diagnosis: buildDiagnosis({ findings: findings ?? [finding] }),
    ...(pullRequest === undefined ? {} : { pullRequest: record }),
  });
  return renderCard(incident, undefined, { tell, hasGitSource: () => mapped });
}

const idsOf = (message: ReturnType<typeof card>): readonly string[] =>
  [...JSON.stringify(message.blocks).matchAll(/"action_id":"([^"]+)"/gu)].map(([, id = '']) => id);

describe('the button of a pull request', () => {
  it('stands on a card whose fix has a form in a manifest of a mapped repository', () => {
    expect(idsOf(card(undefined))).toContain('remediation.review-in-git');
    expect(idsOf(card(undefined, 'en', false))).not.toContain('remediation.review-in-git');
  });

  it.each(['opening', 'open', 'merged', 'closed'] as const)('is gone while one is %s', (state) => {
    expect(idsOf(card({ state }))).not.toContain('remediation.review-in-git');
  });

  it.each(['failed', 'recovered'] as const)('is back when one has %s', (state) => {
    expect(idsOf(card({ state }))).toContain('remediation.review-in-git');
  });
});

describe('a pull request that takes a change back', () => {
  it.each([
    ['en', 'merged', 'Waiting until the cluster has applied it and the rollout is complete'],
    ['en', 'recovered', 'has the former values again'],
    ['ko', 'merged', '롤아웃이 끝나기를 기다리는 중입니다'],
    ['ko', 'recovered', '이전 값으로 돌아왔습니다'],
  ] as const)('promises no end of the cause, in %s when %s', (language, state, words) => {
    const shown = JSON.stringify(card({ state, undoes: true }, language).blocks);
    expect(shown).toContain(words);
    expect(shown).not.toMatch(/Recovered|복구됨/u);
  });

  it('does not keep the change itself from being proposed when people close it', () => {
    expect(idsOf(card({ state: 'closed', undoes: true }))).toContain('remediation.review-in-git');
  });
});

describe('a card whose pull request is under way', () => {
  const scaleDown = {
    ...approval.remediation,
    id: 'scale-down',
    kind: 'scale-down-old',
    replicaSet: 'inference-1',
    replicas: 0,
  } as unknown as Remediation;
  const cardIn = (state: PullRequest['state'], language: 'en' | 'ko' = 'en') =>
    card({ state, ...(state === 'opening' ? {} : { number: 12, url }) }, language, true, undefined, [
      buildFinding({ remediations: [scaleDown, approval.remediation] }),
    ]);
  const buttonsOf = ({ blocks }: ReturnType<typeof card>) =>
    blocks.flatMap((block) => {
      if (block.type === 'section' && block.accessory?.type === 'button') return [block.accessory];
      if (block.type !== 'actions') return [];
      return block.elements.filter((element) => element.type === 'button');
    });

  it.each([
    ['opening', 'Opening a pull request'],
    ['open', 'Waiting for merge: acme/deploy#12'],
    ['merged', 'Merged, not applied yet: acme/deploy#12'],
  ] as const)('has the title of one that is %s, and the cause below it', (state, words) => {
    const [title, below] = cardIn(state).blocks;
    expect(JSON.stringify(title)).toContain(words);
    expect(aloud([below])).toContain('🔴* *Critical:* `ml/inference`');
  });

  it.each(['open', 'merged'] as const)(
    'has the pull request as its one primary button while it is %s',
    (state) => {
      const buttons = buttonsOf(cardIn(state));
      expect(buttons[0]).toMatchObject({ url, style: 'primary' });
      expect(buttons.filter(({ style }) => style !== undefined)).toHaveLength(1);
      expect(buttons.filter((each) => 'url' in each && each.url === url)).toHaveLength(1);
    },
  );

  it.each(['opening', 'open', 'merged'] as const)(
    'keeps every other change in its menu while it is %s',
    (state) => {
      const message = cardIn(state);
      expect(buttonsOf(message).map(({ action_id }) => action_id)).not.toContain('remediation.review');
      expect(JSON.stringify(message.blocks)).not.toContain('Recommended fix');
      expect(JSON.stringify(message.blocks)).toContain('scale-down');
    },
  );

  it.each(['closed', 'failed', 'unfollowed'] as const)('puts a fix forward again once it has %s', (state) => {
    const buttons = buttonsOf(cardIn(state));
    expect(buttons.map(({ action_id }) => action_id)).toContain('remediation.review');
  });

  it('states the same in Korean', () => {
    const [title] = cardIn('open', 'ko').blocks;
    expect(JSON.stringify(title)).toContain('병합 대기 중: acme/deploy#12');
  });
});

describe('the first button of a card', () => {
  const primaryOf = (survival: FieldDrift | undefined): readonly string[] => {
    const [row] = card(undefined, 'en', true, survival).blocks.filter(({ type }) => type === 'actions');
    const { elements } = row as { elements: { text?: { text: string }; style?: string }[] };
    return elements
      .slice(0, 2)
      .map(({ text, style }) => `${text?.text}${style === undefined ? '' : ` (${style})`}`);
  };
  const path = 'spec.strategy.rollingUpdate.maxSurge';
  const owner = { by: 'Argo CD', kind: 'Application', namespace: 'argocd', name: 'shop' } as const;

  it.each<[string, FieldDrift['verdict']]>([
    ['at the next sync', { type: 'reverted-at-next', event: 'sync' }],
    ['within minutes', { type: 'reverted-within', seconds: 300 }],
    ['with a conflict', { type: 'next-upgrade-conflicts', event: 'upgrade' }],
    ['perhaps', { type: 'unknown', because: 'owner-unread' }],
  ])('opens a pull request where the owner reverts the change %s', (_, verdict) => {
    const first = primaryOf({ path, verdict, owner, restsOn: [] });
    expect(first).toEqual(['Open a pull request (primary)', 'Apply now…']);
  });

  it.each([
    ['nobody else writes the fields', undefined],
    ['the change stays', { path, verdict: { type: 'stays' }, owner, restsOn: [] } as const],
  ])('reviews the fix where %s', (_, survival) => {
    expect(primaryOf(survival)).toEqual(['Review fix (primary)', 'Open a pull request']);
  });
});

describe('the two buttons of a fix that Git declares', () => {
  const owner = { by: 'Flux', kind: 'Kustomization', namespace: 'flux-system', name: 'apps' } as const;
  const path = 'spec.strategy.rollingUpdate.maxSurge';
  const scaleDown = {
    ...approval.remediation,
    id: 'scale-down',
    kind: 'scale-down-old',
    replicaSet: 'inference-1',
    replicas: 0,
  } as unknown as Remediation;
  const valuesOf = (verdict: FieldDrift['verdict']): readonly string[] => {
    const lasting = { ...approval.remediation, survival: { path, verdict, owner, restsOn: [] } };
    const finding = buildFinding({ remediations: [scaleDown, lasting] });
    const incident = buildIncident({ language: 'en', diagnosis: buildDiagnosis({ findings: [finding] }) });
    const { blocks } = renderCard(incident, undefined, { tell, hasGitSource: () => true });
    const [row] = blocks.filter(({ type }) => type === 'actions');
    return (row as { elements: { value?: string }[] }).elements.slice(0, 2).map(({ value = '' }) => value);
  };

  it('name the same fix, although another fix lasts longer', () => {
    const [inGit = '', now] = valuesOf({ type: 'reverted-within', seconds: 600 });
    expect(inGit).toContain(approval.remediation.id);
    expect(now).toBe(inGit);
  });

  it('differ where the owner reverts the change before it can help', () => {
    const [inGit, now] = valuesOf({ type: 'reverted-at-once' });
    expect(inGit).toContain(approval.remediation.id);
    expect(now).toContain('scale-down');
  });
});

describe('the fixes that a card states', () => {
  const path = 'spec.strategy.rollingUpdate.maxSurge';
  const owner = { by: 'Argo CD', kind: 'Application', namespace: 'argocd', name: 'shop' } as const;
  const reverted: FieldDrift = {
    ...{ path, owner, restsOn: [] },
    verdict: { type: 'reverted-within', seconds: 300 },
  };

  it.each([
    ['en', `*Recommended fix:* ${stopFirst}, in a pull request`, '*Or now, in the cluster:* '],
    ['ko', '*권장 조치:* 이전 파드를 먼저 내리기(풀 리퀘스트로 제안)', '*클러스터에 바로 적용하려면:* '],
  ] as const)(
    'are in %s those of its two buttons where the owner reverts a change',
    (language, inGit, inCluster) => {
      const text = aloud(card(undefined, language, true, reverted).blocks);

      expect(text).toContain(inGit);
      expect(text).toContain(inCluster);
    },
  );

  it('are the one of the first button where the change stays', () => {
    const text = aloud(card(undefined, 'en', true, { ...reverted, verdict: { type: 'stays' } }).blocks);

    expect(text).toContain(`*Recommended fix:* ${stopFirst} ·`);
    expect(text).not.toContain('pull request*');
  });
});

describe('the card of an incident with a pull request', () => {
  it.each(['en', 'ko'] as const)('states how far it came in %s', async (language) => {
    const opened = { number: 12, url };
    const failure = gitStatement('tree-refused', {
      ...{ reason: 'alias', workload: 'ml/inference', path: 'prod', file: 'prod/a.yaml', line: 7 },
      ...{ repository: 'acme/deploy', branch: 'main' },
    });
    const cards = [
      card({ state: 'opening' }, language),
      ...MergeHindrance.options.map((hindrance) => card({ ...opened, state: 'open', hindrance }, language)),
      card({ ...opened, state: 'merged' }, language),
      card({ ...opened, state: 'recovered' }, language),
      card({ ...opened, state: 'closed' }, language),
      card({ state: 'failed', failure }, language),
      card({ ...opened, state: 'unfollowed' }, language),
    ];
    const lines = cards.map(({ blocks }) =>
      aloud(blocks)
        .split('\n')
        .filter((line) => line.includes('acme/deploy'))
        .join('\n'),
    );
    await expect(`${lines.join('\n\n')}\n`).toMatchFileSnapshot(`golden/pull-request-card.${language}.txt`);
  });

  it.each([
    ['en', '🟢 ml/inference recovered'],
    ['ko', '🟢 ml/inference 롤아웃이 복구되었습니다'],
  ] as const)('has the recovery in its title once the cause is gone, in %s', (language, title) => {
    const merged = { number: 12, url, state: 'recovered' } as const;
    const calm = aloud(card(merged, language, true, undefined, []).blocks);

    expect(calm.split('\n')[0]).toContain(title);
    expect(aloud(card(merged, language).blocks).split('\n')[0]).not.toContain(title);
  });

  it('links to it', () => {
    expect(JSON.stringify(card({ number: 12, url }).blocks)).toContain(`"url":"${url}"`);
  });
});

describe('the review of a pull request', () => {
  it.each(['en', 'ko'] as const)(
    'ends a refusal with the fields to place by hand in %s',
    async (language) => {
      const { ask, at, digest } = buildDryRun();
      const because = gitStatement('tree-refused', {
        ...{ reason: 'template', workload: 'ml/inference', path: 'prod', file: 'prod/a.yaml', line: 7 },
        ...{ repository: 'acme/deploy', branch: 'main' },
      });
      const render = (byHand: boolean) =>
        aloud(
          renderReview(
            buildReview({
              approval: { ...approval, gitTarget: target },
              dryRun: { ask, at, digest, type: 'refused', because, byHand },
            }),
            { language, tell, place: { channel: 'C0INCIDENTS', threadTs: undefined } },
          ).blocks,
        );
      expect(render(false)).not.toContain('apiVersion: apps/v1');
      await expect(`${render(true)}\n`).toMatchFileSnapshot(`golden/pull-request-by-hand.${language}.txt`);
    },
  );

  it.each(['en', 'ko'] as const)('shows the edit in place of the dry run in %s', async (language) => {
    const { edit, ...accepted } = {
      ...buildDryRun(),
      edit: {
        file: 'prod/a.yaml',
        line: 3,
        blob: 'b',
        diff: [' replicas: 1', '-  maxSurge: 1', '+  maxSurge: 0'],
      },
    };
    const dryRun = { ...accepted, type: 'accepted', mutated: [], edit } as const;
    const review = buildReview({ approval: { ...approval, gitTarget: target }, dryRun });
    const view = renderReview(review, {
      language,
      tell,
      place: { channel: 'C0INCIDENTS', threadTs: undefined },
    });
    await expect(`${view.submit?.text}\n\n${aloud(view.blocks)}\n`).toMatchFileSnapshot(
      `golden/pull-request-review.${language}.txt`,
    );
  });
});
