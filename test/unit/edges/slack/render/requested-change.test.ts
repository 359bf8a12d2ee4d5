import { describe, expect, it } from 'vitest';
import type { RequestedForecast } from '#src/doctor/findings/diagnosis.js';
import type { Plan } from '#src/doctor/fixes/plan.js';
import type { Change, Incident } from '#src/doctor/incidents/incident.js';
import { state } from '#src/doctor/requested/text.js';
import { renderHelp } from '#src/edges/slack/render/answers.js';
import { renderCard } from '#src/edges/slack/render/card.js';
import { renderReview } from '#src/edges/slack/render/review.js';
import type { Language } from '#src/engine/language/language.js';
import { createTell } from '#src/service/create-engine.js';
import { aloud } from '../../../../support/read-aloud.js';
import {
  buildApproval,
  buildChange,
  buildDiagnosis,
  buildIncident,
  buildRemediation,
  buildReview,
} from '../../../../support/slack-builders.js';

const tell = createTell();
const requested = {
  by: 'U0DANA',
  at: '2026-11-20T09:30:00Z',
  change: { kind: 'restart-rollout' },
} as const;
const calm = { kind: 'none' } as const;

function remediation(ends: 'complete' | 'stuck') {
  return buildRemediation({
    kind: 'restart-rollout',
    id: 'requested-restart-rollout',
    title: { catalogue: 'restart-rollout', key: 'title', values: {} },
    effects: [],
    price: { downtime: calm, drift: 'template', blastRadius: { pods: 1, others: [] } },
    prediction: { victims: [], placements: [], ends, competitors: [] },
  });
}

const verdict = state('would-deadlock', { change: 'restart-rollout' });
const warnings = [state('capacity-in-use')];
const completes: RequestedForecast = {
  type: 'possible',
  remediation: remediation('complete'),
  warnings: [],
  owners: [],
};
const interrupts: RequestedForecast = {
  ...completes,
  verdict: state('outage', { change: 'restart-rollout', seconds: 32 }),
  warnings: [state('no-pod-ready', { seconds: 32 })],
  remediation: {
    ...completes.remediation,
    price: { ...completes.remediation.price, downtime: { kind: 'gap', seconds: 32 } },
  },
};
const deadlocks: RequestedForecast = {
  type: 'possible',
  stops: 'deadlock',
  remediation: remediation('stuck'),
  verdict,
  warnings,
  owners: [{ by: 'Argo CD', kind: 'Application', namespace: 'argocd', name: 'ml' }],
};
const impossible: RequestedForecast = {
  type: 'impossible',
  because: { catalogue: 'restart-rollout', key: 'withheld-paused', values: { workload: 'ml/inference' } },
};

function incidentWith(forecast: RequestedForecast | undefined, fields: Partial<Incident> = {}): Incident {
  const { requested: _none, ...diagnosis } = buildDiagnosis({ findings: [] });
  return buildIncident({
    phase: 'diagnosed',
    requested,
    diagnosis: { ...diagnosis, ...(forecast === undefined ? {} : { requested: forecast }) },
    ...fields,
  });
}

function card(forecast: RequestedForecast | undefined, fields: Partial<Incident> = {}): string {
  return aloud(renderCard(incidentWith(forecast, fields), undefined, { tell }).blocks);
}

describe('the card of a requested change', () => {
  it('names the requester, and has a Review button for exactly this change', () => {
    const incident = incidentWith(completes);
    const { blocks } = renderCard(incident, undefined, { tell });

    expect(aloud(blocks)).toContain('Requested change');
    expect(aloud(blocks)).not.toContain('would deadlock');
    expect(JSON.stringify(blocks)).toContain(`${incident.id}.requested-restart-rollout`);
  });

  it('states the deadlock above the button, and that the name must be typed', () => {
    const { requested: _none, ...found } = buildDiagnosis();
    const rendered = card(undefined, { diagnosis: { ...found, requested: deadlocks } });

    expect(rendered.indexOf('A restart would deadlock now.')).toBeGreaterThan(0);
    expect(rendered.indexOf('A restart would deadlock now.')).toBeLessThan(rendered.indexOf('[Review'));
    expect(rendered).toContain('type the name of the workload');
  });

  it.each<[Language, string, RequestedForecast, RegExp, string]>([
    ['en', 'a deadlock', deadlocks, /would deadlock/gu, 'The old pods use the capacity'],
    ['en', 'an outage', interrupts, /would interrupt/gu, 'No pod would be ready for about 32 s.'],
    ['en', 'a refusal', impossible, /not possible/gu, '`ml/inference` is paused'],
    [
      'ko',
      'a deadlock',
      deadlocks,
      /교착 상태가 됩니다/gu,
      '새 파드에 필요한 용량을 이전 파드가 사용 중입니다.',
    ],
    ['ko', 'an outage', interrupts, /서비스가 중단됩니다/gu, '약 32초 동안 준비된 파드가 없습니다.'],
    ['ko', 'a refusal', impossible, /할 수 없습니다|불가/gu, '`ml/inference`'],
  ])('states in %s %s once, in the title, and the reason below', (language, _, forecast, states, reason) => {
    const rendered = card(forecast, { language });
    expect(rendered.match(states)).toHaveLength(1);
    expect(rendered.split('\n').slice(1).join('\n')).toContain(reason);
  });

  it.each<[Language, RequestedForecast, string]>([
    ['en', deadlocks, '# 🟠 A restart of ml/inference would deadlock'],
    ['en', { ...deadlocks, stops: 'halfway' }, '# 🟠 A restart of ml/inference would not complete'],
    ['en', impossible, '# 🟠 A restart of ml/inference is not possible'],
    ['en', interrupts, '# 🟠 A restart of ml/inference would interrupt the service'],
    ['en', completes, '# 🟢 No problem found for ml/inference'],
    ['ko', deadlocks, '# 🟠 ml/inference 재시작 요청: 교착 상태가 됩니다'],
    ['ko', interrupts, '# 🟠 ml/inference 재시작 요청: 서비스가 중단됩니다'],
  ])('has in %s the title that its content has', (language, forecast, title) => {
    expect(card(forecast, { language })).toContain(title);
  });

  it.each<[string, number, string, number]>([
    ['is the recommended fix', 0, 'it is the recommended fix', 1],
    ['is another fix', 1, '[Review]', 1],
  ])('has one button for one change, also where it %s', (_, at, says, reviews) => {
    const offered = buildRemediation({ kind: 'undo-rollout', id: 'undo-rollout' });
    const other = buildRemediation();
    const remediations = at === 0 ? [offered, other] : [other, offered];
    const asked = { ...completes, remediation: { ...offered, id: 'requested-undo-rollout' } };
    const found = buildDiagnosis();
    const [main, ...rest] = found.findings;
    const diagnosis = { ...found, findings: [{ ...main, remediations }, ...rest], requested: asked } as never;
    const change = { ...requested, change: { kind: 'undo-rollout' } } as const;
    const { blocks } = renderCard(buildIncident({ diagnosis, requested: change }), undefined, { tell });
    const buttons = JSON.stringify(blocks).match(/[a-z0-9-]+\.(?:requested-)?undo-rollout/gu) ?? [];

    expect(aloud(blocks)).toContain(says);
    expect(buttons).toHaveLength(reviews);
  });

  it('states why a change is impossible, without a button', () => {
    const { requested: _none, ...found } = buildDiagnosis();
    const rendered = card(undefined, { diagnosis: { ...found, requested: impossible } });
    expect(rendered).toContain('A restart is not possible. `ml/inference` is paused');
    expect(card(impossible)).not.toContain('[Review');
  });

  it.each<[string, RequestedForecast | undefined, Partial<Incident>]>([
    ['before the forecast is there', undefined, {}],
    ['after the request has ended', completes, { requested: undefined }],
    ['while a change is under way', completes, { phase: 'applying', change: buildChange() }],
  ])('hides the request %s', (_, forecast, fields) => {
    expect(card(forecast, fields)).not.toContain('Requested change');
  });

  it.each<[Language, Change['verdict'], string]>([
    ['en', 'recovered', 'ml/inference is complete'],
    ['en', 'progressing', 'ml/inference has not completed yet'],
    ['en', 'worse', 'ml/inference is worse than before the change'],
    ['ko', 'recovered', 'ml/inference에 요청된 변경이 완료되었습니다'],
  ])('states the verdict in %s when it is %s', (language, verdict, words) => {
    const { cause: _cause, ...change } = buildChange();
    const { by, at } = requested;
    const done = { ...change, requested: { by, at }, verdict, verdictAt: '2026-11-20T10:00:00Z' };

    const rendered = card(completes, { phase: 'settled', requested: undefined, change: done, language });
    expect(rendered).toContain(words);
    expect(rendered.includes(language === 'en' ? 'no new problem' : '새로운 문제')).toBe(
      verdict === 'recovered',
    );
  });
});

describe('the review of a requested change', () => {
  const { cause: _cause, ...unfounded } = buildApproval({ remediation: remediation('stuck') });
  const approval = { ...unfounded, requested: { by: 'U0DANA', at: requested.at } };
  const demands = { approvers: 1, notRequester: false, typeName: true, login: false };
  const place = { channel: 'C0INCIDENTS', threadTs: undefined };

  it('states the objections above the change, and names the writers of the workload', () => {
    for (const [language, words] of [
      ['en', 'A restart would deadlock now.'],
      ['ko', '교착 상태가 됩니다'],
    ] as const) {
      const survival: Plan['survival'] = [
        {
          path: 'spec.template',
          verdict: { type: 'reverted-at-next', event: 'sync' },
          owner: { by: 'Argo CD', kind: 'Application', namespace: 'argocd', name: 'ml' },
          restsOn: [],
        },
      ];
      const owned = { ...approval, plan: { ...approval.plan, survival } };
      const review = buildReview({
        incident: incidentWith(deadlocks),
        approval: owned,
        demands,
        warnings: [verdict],
      });
      const view = renderReview(review, { language, tell, place });
      const rendered = aloud(view.blocks);

      expect(rendered).toContain(words);
      expect(rendered.indexOf(words)).toBeLessThan(
        rendered.indexOf(language === 'en' ? 'Change' : '변경 내용'),
      );
      expect(rendered).toContain('Argo CD');
      expect(view.private_metadata).toContain('"typedName":"ml/inference"');
    }
  });
});

describe('help', () => {
  it.each(['en', 'ko'] as const)('lists the commands that request a change, in %s', (language) => {
    const rendered = aloud(renderHelp(language, []).blocks);

    for (const verb of ['restart', 'rollback', 'resume', 'exclude']) expect(rendered).toContain(verb);
  });

  it('lists the verbs that work in Korean, for readers of Korean', () => {
    const rendered = aloud(renderHelp('ko', []).blocks);

    for (const verb of ['진단', '스캔', '재시작', '롤백', '이력', '도움말'])
      expect(rendered).toContain(`\`${verb}\``);
    expect(aloud(renderHelp('en', []).blocks)).not.toMatch(/[가-힣]/u);
  });
});
