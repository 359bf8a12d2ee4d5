import { describe, expect, it } from 'vitest';
import type { Incident } from '#src/doctor/incidents/incident.js';
import { countSeverities } from '#src/doctor/incidents/open-first.js';
import { noPages, PageLinks } from '#src/doctor/incidents/page-links.js';
import { linkToMessages } from '#src/edges/slack/card-link.js';
import { renderHome } from '#src/edges/slack/render/home.js';
import { renderIncidents } from '#src/edges/slack/render/incidents.js';
import { languages } from '#src/engine/language/language.js';
import type { Home, TitledChange } from '#src/service/people/read-home.js';
import { checkView } from '../../../../../demo/slack/view-limits.js';
import { aloud } from '../../../../support/read-aloud.js';
import { isDeadlocked, stopFirst } from '../../../../support/shown-words.js';
import {
  buildApproval,
  buildDiagnosis,
  buildFinding,
  buildIncident,
  tell,
} from '../../../../support/slack-builders.js';
import { buildAuditedChange, buildSilence } from '../../../../support/slack-records.js';
import { expectHarmlessView, hostileTexts } from '../harmless.js';

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
  severities: { critical: 0, warning: 0, info: 0 },
  changes: [],
  channel: 'C0MLONCALL',
  silences: [],
  at: '2026-11-20T09:35:04Z',
} as const;
const options = { tell, language: 'en', linkTo, pages: noPages } as const;
const read = (home: Home, language: 'en' | 'ko' = 'en') =>
  aloud(renderHome(home, 'U0DANA', { ...options, language }).blocks);
const stuck = buildDiagnosis({ findings: [buildFinding({ facts: { stuckSeconds: 1_500 } })] });
const onIt = (by: string) =>
  buildIncident({ diagnosis: stuck, assignee: { by, at: '2026-11-20T09:31:00Z', cause: 'surge-deadlock' } });
const open = (...incidents: readonly Incident[]): Home => ({
  ...page,
  pending: [],
  open: incidents.map((each) => ({ incident: each, card })),
  severities: { critical: incidents.length, warning: 0, info: 0 },
});

it.each(languages)('a diagnosis that runs names its cluster once, in %s', (language) => {
  const running = buildIncident({ phase: 'diagnosing', diagnosis: stuck });
  expect(read(open(running), language).split('`prod-eu`')).toHaveLength(2);
});

it('an approval that waits for the reader has the button of its review, says until when, and leads to the card', () => {
  expect(read(page)).toContain(
    [
      '*1 change is waiting for approval*',
      `${stopFirst} for \`ml/inference\` · *you can approve this*`,
      '(approved by <@U0DANA> · 1 more person must approve by <!date^1795167930^{date_short_pretty} {time}|2026-11-20 09:45:30 UTC> · cluster `prod-eu`)',
      '[Review] [View incident]',
    ].join('\n'),
  );
  const { blocks } = renderHome(page, 'U0DANA', options);
  expect(JSON.stringify(blocks)).toContain(`"value":"${incident.id}.patch-strategy-0-1"`);
  expect(JSON.stringify(blocks)).toContain('https://team.slack.com/archives/C0MLONCALL/p1763631001000200');
});

it('is a view that Slack takes where nothing is open and no channel is known', () => {
  for (const language of languages) {
    const { blocks } = renderHome({ ...page, pending: [], channel: undefined }, 'U0DANA', {
      ...options,
      language,
    });
    expect(checkView({ type: 'home', blocks }, 'home')).toEqual([]);
  }
});

it('states a fault of the policy file above all else, to those who see it', () => {
  const faulty = { ...page, policyFaultSince: '2026-11-20T09:31:00Z' };
  expect(read(faulty)).toMatch(
    /\*The policy file has a fault\* since <2026-11-20 09:31:00 UTC>\. The last good policy applies until the file is corrected\.[\s\S]+\*1 change is waiting/,
  );
  expect(read(faulty, 'ko')).toContain('*정책 파일에 오류가 있습니다*(');
  expect(read(page)).not.toContain('policy file');
  for (const language of languages) {
    const { blocks } = renderHome(faulty, 'U0DANA', { ...options, language });
    expect(checkView({ type: 'home', blocks }, 'home')).toEqual([]);
  }
});

it('an open incident states severity, ready pods, for how long and who is on it, with its buttons', () => {
  expect(read(open(buildIncident({ diagnosis: stuck })))).toContain(
    [
      '*1 open incident* · 🔴 1 critical',
      `🔴 *Critical* · \`ml/inference\` ${isDeadlocked}: its new pod needs \`nvidia.com/gpu\`, in use by its own old pod · proven cause`,
      '(Ready 1/1 · stuck for 30 min · cluster `prod-eu` · no one is on it)',
      "[View incident] [I'm on it] [⋯ Show proof | Diagnose again | Silence for 2 hours]",
    ].join('\n'),
  );
});

it('is in the language of its reader', () => {
  expect(read(open(onIt('U0MIN')), 'ko')).toContain(
    [
      '*열린 인시던트 1개* · 🔴 심각 1개',
      '🔴 *심각* · `ml/inference` 롤아웃 교착 상태: 새 파드에 필요한 리소스(`nvidia.com/gpu`)를 이전 파드가 사용 중입니다 · 원인 증명됨',
      '(Ready 1/1 · 30분째 멈춤 · 클러스터 `prod-eu` · <@U0MIN> 님 담당 중)',
      '[인시던트 보기] [이어받기] [⋯ 근거 보기 | 다시 진단 | 2시간 동안 알림 끄기]',
    ].join('\n'),
  );
});

it.each([
  [
    'who is on it',
    'U0DANA',
    '(Ready 1/1 · stuck for 30 min · cluster `prod-eu` · <@U0DANA> is on it)\n[View incident] [Hand back] [⋯',
  ],
  ['while another person is', 'U0MIN', '<@U0MIN> is on it)\n[View incident] [Take over]'],
])('offers what fits the reader %s', (_, by, words) => {
  expect(read(open(onIt(by)))).toContain(words);
});

it('an incident whose cause states no duration is open for some time, and one without a card has no link', () => {
  const finding = buildFinding({ facts: {} });
  const home = open(buildIncident({ diagnosis: buildDiagnosis({ findings: [finding] }) }));
  const words = read({
    ...home,
    open: home.open.map(({ incident: each }) => ({ incident: each, card: undefined })),
  });
  expect(words).toContain('(Ready 1/1 · open for 5 min 3 s · ');
  expect(words).not.toContain('[View incident]');
});

it('the menu of an incident has the links of the settings', () => {
  const links = PageLinks.parse([{ name: 'Logs', url: 'https://logs.example/{name}' }]);
  const { blocks } = renderHome(open(buildIncident()), 'U0DANA', {
    ...options,
    pages: { docsUrl: undefined, links },
  });
  expect(aloud(blocks)).toContain('Silence for 2 hours | Logs]');
  expect(JSON.stringify(blocks)).toContain('"url":"https://logs.example/inference"');
  expect(checkView({ type: 'home', blocks }, 'home')).toEqual([]);
});

it('recent changes have their results', () => {
  expect(read({ ...page, changes: [buildAuditedChange() as TitledChange] })).toContain(
    `*Recent changes*\n- \`ml/inference\` · ${stopFirst} · approved by @U0DANA · \`nobody else needs the GPU\` · applied <2026-11-20 09:31:14 UTC> · recovered`,
  );
});

it('an empty page states what will appear there, and how to start', () => {
  expect(read(open())).toBe(
    [
      '[🔍 Search] [Refresh]',
      '*No open incidents*',
      '(New incidents appear here when an alert arrives, when the sentinel proves a deadlock, or when a person diagnoses a workload. To start one, press Search.)',
      '<divider>',
      '*Recent changes*',
      '(No changes yet. Approved fixes and their results appear here.)',
      '(No pending approvals · updated <!date^1795167304^{date_short_pretty} {time}|2026-11-20 09:35:04 UTC> · In a channel that has this app, use `/rollout-doctor namespace/name` or `/rollout-doctor help`.)',
    ].join('\n'),
  );
});

it('what is silenced stands at the end', () => {
  expect(read({ ...page, silences: [buildSilence()] })).toContain('*1 silenced workload*');
});

describe.each(languages)('whatever names hold, in %s', (language) => {
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
        changes: Array.from(
          { length: 5 },
          () => buildAuditedChange({ workload: ref, notApplied: text }) as TitledChange,
        ),
        silences: Array.from({ length: 60 }, () => buildSilence({ workload: ref, by: text, reason: text })),
      },
      text,
      { tell, language, linkTo, pages: noPages },
    );
    expectHarmlessView(message);
    expect(checkView({ type: 'home', blocks: message.blocks }, 'home')).toEqual([]);
  });
});

it.each([
  ['en', '*1 open incident* · ⏳ 40 being diagnosed'],
  ['ko', '*열린 인시던트 1개* · ⏳ 진단 중 40개'],
] as const)('incidents without a first diagnosis have a count of their own in %s', (language, says) => {
  const first = buildIncident({ phase: 'diagnosing', diagnosis: undefined });
  const none = { critical: 0, warning: 0, info: 0 };
  expect(countSeverities([first])).toEqual(none);
  expect(read({ ...open(first), severities: none, diagnosing: 40 }, language)).toContain(says);
});

it.each([
  ['en', '🔴 *Critical* · 2 workloads cannot pull images from `registry.example`', '[Show all 2 workloads]'],
  ['ko', '🔴 *심각* · 워크로드 2개가 `registry.example` 레지스트리에서', '[워크로드 2개 모두 보기]'],
] as const)('a group of open incidents is one row in %s, as its card is', (language, title, button) => {
  const storm = buildIncident({
    origin: { via: 'alert' },
    group: {
      role: 'leads',
      root: { kind: 'Registry', cluster: 'prod-eu', name: 'registry.example' },
      members: [
        {
          id: 'i2',
          workload: { ...buildIncident().workload, name: 'api' },
          state: 'sick',
          severity: 'critical',
          ready: { pods: 0, wanted: 2 },
        },
      ],
    },
  });
  const lead = {
    ...storm,
    diagnosis: buildDiagnosis({
      findings: [
        buildFinding({ cause: 'image-pull-failure', blames: { kind: 'Registry', name: 'registry.example' } }),
      ],
    }),
  };

  expect(read(open(lead), language)).toContain(title);
  expect(read(open(lead), language)).toContain(button);
  const list = { ...open(lead), type: 'incidents', recent: [], moreRecent: 0 } as const;
  const table = aloud(renderIncidents(list, { ...options, language, hasTables: true }).blocks);
  expect(table).toMatch(language === 'en' ? /`ml\/inference` and 1 more \|/u : /`ml\/inference` 외 1개 \|/u);
});
