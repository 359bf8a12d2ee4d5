import { describe, expect, it } from 'vitest';
import { state as scaledToZero } from '#src/doctor/causes/scaled-to-zero.js';
import type { Finding } from '#src/doctor/findings/finding.js';
import type { Remediation } from '#src/doctor/fixes/remediation.js';
import type { Approval, SecondStepEnd } from '#src/doctor/incidents/approval.js';
import { type Incident, phases } from '#src/doctor/incidents/incident.js';
import { PageLinks } from '#src/doctor/incidents/page-links.js';
import { renderCard } from '#src/edges/slack/render/card.js';
import { renderProof } from '#src/edges/slack/render/proof.js';
import { notice } from '#src/service/notices/notices.js';
import { checkBlocks } from '../../../../../demo/slack/block-limits.js';
import { aloud } from '../../../../support/read-aloud.js';
import { buildUndoRollout } from '../../../../support/records.js';
import { isDeadlocked, stopFirst } from '../../../../support/shown-words.js';
import {
  applied,
  buildApproval,
  buildChange,
  buildDiagnosis,
  buildFinding,
  buildIncident,
  buildRemediation,
  buildStatement,
  newPod,
  tell,
} from '../../../../support/slack-builders.js';

function card(fields: Partial<Incident>, approval?: Approval) {
  return renderCard(buildIncident(fields), approval, { tell });
}

function read(fields: Partial<Incident>, approval?: Approval): string {
  return aloud(card(fields, approval).blocks);
}

/** What can be pressed: buttons as `[action, value]`, and the entries of menus as their values. */
function buttonsOf(fields: Partial<Incident>, approval?: Approval): unknown[] {
  const found: unknown[] = [];
  JSON.stringify(card(fields, approval).blocks, (_, value: unknown) => {
    if (typeof value !== 'object' || value === null || !('type' in value)) return value;
    if (value.type === 'button') {
      found.push('action_id' in value && 'value' in value ? [value.action_id, value.value] : value);
    }
    if (value.type === 'overflow' && 'options' in value) {
      for (const option of value.options as readonly { readonly value: string }[]) found.push(option.value);
    }
    return value;
  });
  return found;
}

const id = '0123456789abcdef0123';
const approvalId = 'a'.repeat(32);
const afterwards = { takenAt: '2026-11-20T09:32:01Z' };
const silence = 'request.make|silence deployment/inference -n ml --cluster prod-eu 2h';
const settled = { ...applied, verdictAt: '2026-11-20T09:32:02Z' };

describe('the card of a proven deadlock', () => {
  it.each(['en', 'ko'] as const)('reads as it should in %s', async (language) => {
    const { text, blocks } = card({ language });
    await expect(`${text}\n\n${aloud(blocks)}\n`).toMatchFileSnapshot(`golden/deadlock.${language}.txt`);
    await expect(`${JSON.stringify(blocks, null, 2)}\n`).toMatchFileSnapshot(
      `golden/deadlock.${language}.json`,
    );
  });

  it('states severity, pods, consequence and fix in the text of its notification', () => {
    expect(card({}).text).toBe(
      `🔴 Critical: ml/inference ${isDeadlocked}: its new pod needs nvidia.com/gpu, in use by its own old pod. Ready 1/1. ` +
        'The rollout to revision 2 has been stuck for 25 min and will not recover on its own. ' +
        `Recommended fix: ${stopFirst}.`,
    );
  });

  it('starts each sentence of its notification with a capital', () => {
    const down = buildDiagnosis({ ready: { pods: 0, wanted: 2 } });
    expect(card({ diagnosis: down }).text).toContain('by its own old pod. Service down (0/2). The rollout');
  });

  it('states in its second line how many pods are ready, how certain it is, where, and as of when', () => {
    expect(read({}).split('\n')[1]).toMatch(
      /^\(Ready 1\/1 · proven cause · cluster `prod-eu` · <!date\^\d+\^[^>]*>\)$/,
    );
    const down = buildDiagnosis({ ready: { pods: 0, wanted: 2 } });
    expect(read({ diagnosis: down }).split('\n')[1]).toContain('(*service down (0/2)* · proven cause · ');
  });

  it('puts nothing but ids and typed requests into its buttons, and one of them stands out', () => {
    expect(buttonsOf({})).toEqual([
      ['remediation.review', `${id}.patch-strategy-0-1`],
      ['incident.proof', id],
      `remediation.review|${id}.undo-rollout-1`,
      `incident.assign|${id}`,
      `incident.look-again|${id}`,
      'request.make|silence deployment/inference -n ml --cluster prod-eu 2h',
    ]);
    expect(JSON.stringify(card({}).blocks).match(/"style":"(primary|danger)"/g)).toEqual([
      '"style":"primary"',
    ]);
  });

  it('marks a fix without undo in words and in style', () => {
    const remediations = [
      buildRemediation({ kind: 'scale-down-old', id: 'scale-down-old-1' } as Partial<Remediation>),
    ];
    const fields = { diagnosis: buildDiagnosis({ findings: [buildFinding({ remediations })] }) };
    expect(read(fields)).toContain(`${stopFirst} · no undo · about 40 s of downtime`);
    expect(JSON.stringify(card(fields).blocks)).toContain('"style":"danger"');
  });

  it('names the person who is on it, as long as its cause is the same', () => {
    const assignee = { by: 'U0MIN', at: '2026-11-20T09:31:00Z', cause: 'surge-deadlock' } as const;
    expect(read({ assignee })).toContain('(<@U0MIN> is on it · `surge-deadlock` · asked by <@U0ALICE>)');
    expect(read({ assignee })).toContain('Change who is on it');
    const other = buildDiagnosis({ findings: [buildFinding({ cause: 'application-crash' })] });
    expect(read({ assignee, diagnosis: other })).not.toContain('<@U0MIN>');
    expect(read({ assignee, diagnosis: buildDiagnosis({ findings: [] }) })).not.toContain("I'm on it");
    expect(read({ assignee, language: 'ko' })).toContain('(<@U0MIN> 님 담당 중 · ');
  });

  it('links to the page of its cause and to pages of other programs', () => {
    const links = PageLinks.parse([
      { name: 'Dashboard', url: 'https://g.example/d?ns={namespace}&name={name}' },
      { name: 'a|b>c', url: 'https://g.example/' },
    ]);
    const pages = { docsUrl: 'https://git.example/docs', links };
    const { blocks } = renderCard(buildIncident(), undefined, { tell, pages });
    expect(aloud(blocks)).toContain(
      '(<https://git.example/docs/causes/surge-deadlock.md|surge-deadlock> · asked by <@U0ALICE> · <https://g.example/d?ns=ml&amp;name=inference|Dashboard> · <https://g.example/|a¦b&gt;c>)',
    );
    expect(checkBlocks(blocks, 'message')).toEqual([]);
  });

  it('gives fixes that its menu does not take a line and a button of their own', () => {
    const long = `exclude-nodes-${'n'.repeat(200)}`;
    const ids = ['first', 'a', 'b', 'c', 'd', long];
    const remediations = ids.map((each) => buildRemediation({ id: each }));
    const buttons = buttonsOf({ diagnosis: buildDiagnosis({ findings: [buildFinding({ remediations })] }) });
    expect(buttons.filter((each) => JSON.stringify(each).includes('remediation.review'))).toEqual([
      ['remediation.review', `${id}.first`],
      ...['a', 'b', 'c'].map((each) => `remediation.review|${id}.${each}`),
      ...['d', long].map((each) => ['remediation.review', `${id}.${each}`]),
    ]);
  });

  it('says what could not be read, and which own check failed', () => {
    const unseen = {
      what: 'Event',
      namespace: 'ml',
      because: 'forbidden',
      message: 'no',
      weakens: ['evicted' as const],
    };
    const said = read({
      diagnosis: buildDiagnosis({ unseen: [unseen], defects: [{ cause: 'preempted', message: 'x' }] }),
    });
    expect(said).toContain('Not read: `Event`');
    expect(said).toContain('The check for `preempted` failed');
  });

  it('does not say that nothing was found when an own check failed', () => {
    const defects = [{ cause: 'preempted', message: 'x' }] as const;
    const said = read({ diagnosis: buildDiagnosis({ findings: [], defects }) });

    expect(said).toMatch(
      /^# ⚪ The diagnosis of ml\/inference is incomplete\. Some objects or checks are missing/,
    );
    expect(said).not.toMatch(/Nothing stands in the way|none of the causes I know/);
  });

  it.each([
    ['en', 'Missing: `Pod`, for 2 causes. Check with `kubectl auth can-i list pod -n ml`'],
    ['ko', '빠진 정보: `Pod`(원인 2가지 판정에 필요). 확인: `kubectl auth can-i list pod -n ml`'],
  ] as const)('states what is missing where a question is open, and the command: %s', (language, line) => {
    const unseen = {
      what: 'Pod',
      namespace: 'ml',
      because: 'forbidden',
      message: 'no',
      weakens: ['evicted' as const, 'preempted' as const],
    };
    const said = read({ diagnosis: buildDiagnosis({ findings: [], unseen: [unseen] }), language });
    expect(said).toContain(line);
    expect(said).not.toContain('Not read: `Pod`');
  });

  it('states that a finding is only likely, and leaves the reason to the proof', () => {
    const finding = buildFinding({ confidence: 'likely', weakenedBy: [buildStatement('readiness')] });
    const diagnosis = buildDiagnosis({ findings: [finding] });
    expect(read({ diagnosis })).toContain('· likely');
    expect(read({ diagnosis })).not.toContain('Not certain');
    const proof = renderProof(buildIncident({ diagnosis }), { language: 'en', tell });
    expect(aloud(proof.blocks)).toContain('Not certain: 1 of 1 pod ready');
  });

  it('names another failure, and leaves notes for the future to the proof', () => {
    const first = buildFinding();
    const other = buildFinding({ cause: 'preempted', severity: 'warning' });
    const note = buildFinding({ cause: 'fragile-strategy', severity: 'info' });
    const readWith = (...others: Finding[]) =>
      read({ diagnosis: buildDiagnosis({ findings: [first, ...others] }) });
    expect(readWith(other, other)).toContain('\nAlso found: `preempted`\n');
    expect(readWith(note)).not.toContain('Also found');
    expect(read({ diagnosis: buildDiagnosis({ findings: [note] }) })).toContain('Note: `ml/inference`');
  });

  it.each([
    ['en', '*No one-click fix* for `surge-deadlock`. Keep the fix', '*Recommended fix* for `preempted`: '],
    ['ko', '`surge-deadlock`: *원클릭 조치 없음.* ', '`preempted` *권장 조치:* '],
  ] as const)(
    'states whose fix the button is where only the second cause has one: %s',
    (language, ...says) => {
      const findings = [
        buildFinding({ remediations: [] }),
        buildFinding({ cause: 'preempted', severity: 'warning' }),
      ];
      const diagnosis = buildDiagnosis({ findings });
      const lines = read({ diagnosis, language }).split('\n');
      for (const start of says) expect(lines.filter((line) => line.startsWith(start))).toHaveLength(1);
      const [fix] = findings[1]?.remediations ?? [];
      expect(JSON.stringify(buttonsOf({ diagnosis, language })[0])).toContain(`.${fix?.id}`);
    },
  );

  it.each([
    ['en', 'Changed in revision `2`: env `TIMEOUT` of `app` `5s` → `5` and 2 more'],
    ['ko', '리비전 `2` 변경 내용: `app` 컨테이너의 env `TIMEOUT` `5s` → `5` 외 2개'],
  ] as const)('states in %s what changed in the revision', (language, says) => {
    const field = (name: string) => `spec.template.spec.containers[app].${name}`;
    const changes = [
      { path: field('env[TIMEOUT].value'), before: '5s', after: '5' },
      { path: field('image'), after: 'app:2' },
      { path: field('command') },
    ];
    const findings = [buildFinding({ waitCycle: undefined, facts: { changes } })];

    expect(read({ diagnosis: buildDiagnosis({ findings }), language })).toContain(says);
  });

  it.each([
    [{ pods: 3, wanted: 3, old: 3 }, 'Ready 3/3 (old version)', 'Ready 3/3(이전 버전)'],
    [{ pods: 6, wanted: 9, old: 4 }, 'Ready 6/9 (4 old)', 'Ready 6/9(이전 4개)'],
    [{ pods: 3, wanted: 3 }, 'Ready 3/3 ·', 'Ready 3/3 ·'],
    [{ pods: 0, wanted: 3 }, 'service down (0/3)', '서비스 중단(0/3)'],
  ])('states which version serves: %j', (ready, english, korean) => {
    const findings = [buildFinding({ cause: 'image-pull-failure', waitCycle: undefined })];
    const diagnosis = buildDiagnosis({ ready, findings });
    expect(read({ diagnosis })).toContain(english);
    expect(read({ diagnosis, language: 'ko' })).toContain(korean);
    expect(read({ diagnosis: buildDiagnosis({ ready }) })).toContain(english);
  });

  it('states in fewer words which version serves where a deadlock fills a phone', () => {
    const workload = { ...buildIncident().workload, name: 'a-service-whose-name-takes-a-whole-line' };
    const cost = { kind: 'gap', seconds: 102, readyAtLeast: 2, replicas: 3 } as const;
    const remediation = buildRemediation({ price: { ...buildRemediation().price, downtime: cost } });
    const findings = [
      buildFinding({ remediations: [remediation] }),
      buildFinding({ cause: 'application-crash', remediations: [] }),
    ];
    const diagnosis = buildDiagnosis({ workload, ready: { pods: 1, wanted: 1, old: 1 }, findings });
    expect(read({ workload, diagnosis })).toContain('Ready 1/1 (old)');
    expect(read({ workload, diagnosis, language: 'ko' })).toContain('Ready 1/1(이전)');
  });

  it('shows the first step for people where no fix of ours helps', () => {
    const said = read({ diagnosis: buildDiagnosis({ findings: [buildFinding({ remediations: [] })] }) });
    expect(said).toContain('*No one-click fix.* Keep the fix');
    expect(said).not.toContain('[Review');
  });

  it.each([
    ['en', '*Not recommended:*', 'Argo CD reverts it at once', '*No one-click fix.*'],
    ['ko', '*권장하지 않음:*', 'Argo CD가 즉시 되돌림', '*원클릭 조치 없음.*'],
  ] as const)(
    'recommends no fix that its owner reverts at once, and still offers it: %s',
    (language, label, fate, step) => {
      const survival: Remediation['survival'] = {
        path: 'spec.strategy.rollingUpdate.maxSurge',
        verdict: { type: 'reverted-at-once' },
        owner: { by: 'Argo CD', kind: 'Application', namespace: 'argocd', name: 'shop' },
        restsOn: [{ type: 'last-applied' }],
      };
      const reverted = buildRemediation({ survival });
      const diagnosis = buildDiagnosis({ findings: [buildFinding({ remediations: [reverted] })] });
      const lines = read({ diagnosis, language }).split('\n');

      expect(lines.find((line) => line.startsWith(label))).toContain(fate);
      expect(lines.some((line) => line.startsWith(step))).toBe(true);
      expect(JSON.stringify(buttonsOf({ diagnosis, language }))).toContain(reverted.id);
    },
  );

  it('recommends a fix that lasts before one that its owner reverts at once', () => {
    const survival: Remediation['survival'] = {
      path: 'spec.strategy.rollingUpdate.maxSurge',
      verdict: { type: 'reverted-at-once' },
      restsOn: [],
    };
    const remediations = [
      buildRemediation({ id: 'patch-strategy-reverted', survival }),
      buildRemediation({ id: 'patch-strategy-lasting' }),
    ];
    const diagnosis = buildDiagnosis({ findings: [buildFinding({ remediations })] });

    expect(JSON.stringify(buttonsOf({ diagnosis })[0])).toContain('patch-strategy-lasting');
    expect(read({ diagnosis })).not.toContain('*Not recommended:*');
  });
});

describe('a card in each phase', () => {
  it('looks, without buttons, the first time', () => {
    const { diagnosis: _, ...incident } = buildIncident({ phase: 'diagnosing' });
    expect(aloud(renderCard(incident, undefined, { tell }).blocks)).toMatch(
      /^# ⏳ Diagnosing ml\/inference in cluster prod-eu …\n\(asked by <@U0ALICE> [^)]*\)$/,
    );
  });

  it('keeps the last verdict in sight while it looks again, without buttons', () => {
    expect(read({ phase: 'diagnosing', occurrences: 3 })).toContain(`\`ml/inference\` ${isDeadlocked}`);
    expect(read({ phase: 'diagnosing', occurrences: 3 })).toContain('asked 3 times');
    expect(buttonsOf({ phase: 'diagnosing' })).toEqual([]);
  });

  it('is calm when nothing was found, and says what was looked at', () => {
    const said = read({ diagnosis: buildDiagnosis({ findings: [], ready: { pods: 3, wanted: 3 } }) });
    expect(said).toContain(
      'Revision `2` of the Deployment, its pods, nodes and events show no known problem.',
    );
    expect(said).toContain('Ready 3/3');
    expect(said).toContain('[Diagnose again]');
    expect(said).not.toContain('under way');
  });

  it('says that a rollout in which nothing was found is still under way', () => {
    const said = read({ diagnosis: buildDiagnosis({ findings: [], underWay: { updated: 1, wanted: 3 } }) });
    expect(said).toContain('The rollout is in progress: 1 of 3 pods belong to the new revision.');
  });

  const one = buildApproval({
    needs: 2,
    decisions: [{ by: 'U0DANA', at: '2026-11-20T09:31:12Z', decision: 'approve', reason: 'go' }],
  });

  it('awaits the second person: who approved, how many are missing, until when', () => {
    const said = read({ phase: 'awaiting', approvalId }, one);
    expect(said).toContain(
      `*${stopFirst}* is approved by @U0DANA. 1 more person must approve by <2026-11-20 09:45:30 UTC>`,
    );
    expect(buttonsOf({ phase: 'awaiting', approvalId }, one)).toEqual([
      ['remediation.review', `${id}.patch-strategy-0-1`],
      ['approval.reject', approvalId],
      ['incident.proof', id],
      `incident.assign|${id}`,
      `incident.look-again|${id}`,
      silence,
    ]);
  });

  it.each(['rejected', 'expired', 'superseded', 'done', 'failed', 'running'] as const)(
    'takes the buttons away from a review that is %s',
    (state) => {
      const buttons = buttonsOf({ phase: 'awaiting', approvalId }, { ...one, state });
      expect(buttons).toEqual([
        ['incident.proof', id],
        `incident.assign|${id}`,
        `incident.look-again|${id}`,
        silence,
      ]);
    },
  );

  it('reviews an undo that waits for a second person as an undo', () => {
    const undo = { ...one, undoes: true };
    expect(buttonsOf({ phase: 'awaiting', approvalId }, undo)[0]).toEqual([
      'remediation.review',
      `${id}.undo`,
    ]);
    expect(read({ phase: 'awaiting', approvalId }, undo)).toContain(`*Undo of “${stopFirst}”* is approved`);
  });

  it('says which brake holds its fixes back', () => {
    const until = '2026-11-21T00:00:00Z';
    const brake = notice('changes-frozen', { workload: 'ml/inference', reason: 'launch', until });
    expect(read({ brake })).toContain('Changes to `ml/inference` are frozen until');
  });

  it('is applied by somebody, with a button that cancels it', () => {
    const said = read({ phase: 'applying', change: buildChange() });
    expect(said).toContain(`# 🔵 Applying to ml/inference: ${stopFirst}`);
    expect(said).toContain('approved by @U0DANA');
    expect(said).toContain('Sending the change to the API server');
    expect(buttonsOf({ phase: 'applying', change: buildChange() })).toEqual([
      ['change.cancel', buildChange().approvalId],
    ]);
  });

  it('is verified: what the latest look saw, and until when', () => {
    const change = buildChange({
      ...applied,
      progress: { catalogue: 'verification', key: 'replacement-stopping', values: { pod: newPod } },
    });
    const said = read({ phase: 'verifying', change });
    expect(said).toContain(`\`${newPod}\` is stopping`);
    expect(said).toContain('by <2026-11-20 09:41:14 UTC>');
  });

  const verdicts = [
    ['recovered', 'recovered', []],
    ['progressing', 'is progressing but has not finished', []],
    ['unchanged', 'The change did not help', [buildFinding()]],
    ['worse', 'is worse than before the change', [buildFinding()]],
  ] as const;

  it.each(verdicts)('settled as %s, says so first and offers undo', (verdict, words, findings) => {
    const fields = {
      phase: 'settled' as const,
      change: buildChange({ ...settled, verdict }),
      diagnosis: buildDiagnosis({ ...afterwards, findings: [...findings] }),
    };
    expect(read(fields).split('\n')[0]).toContain(words);
    expect(read(fields).split('\n')[0]).toContain('48 s after the change');
    expect(buttonsOf(fields)).toContainEqual(['remediation.undo', id]);
    expect(read(fields).includes('[Review fix]')).toBe(findings.length > 0);
  });

  it('names the second step of a way back that needs one', () => {
    const change = buildChange({
      ...settled,
      remediation: buildUndoRollout(['db-2']),
      verdict: 'progressing',
      progress: { catalogue: 'verification', key: 'next-step', values: { pods: ['db-2'] } },
    });
    const diagnosis = buildDiagnosis({ ...afterwards, findings: [buildFinding()] });
    const said = read({ phase: 'settled', change, diagnosis });
    expect(said.split('\n')[0]).toContain('has its previous template again, and one more step is needed');
    expect(said).toContain('Next step: delete `db-2`');
  });

  it('shows why the second step left its pods, and no such step once it is done', () => {
    const change = buildChange({
      ...settled,
      remediation: buildUndoRollout(['db-2']),
      verdict: 'progressing',
      progress: { catalogue: 'verification', key: 'next-step', values: { pods: ['db-2'] } },
    });
    const diagnosis = buildDiagnosis({ ...afterwards, findings: [buildFinding()] });
    const ended = { type: 'ended', at: '2026-11-20T09:31:00Z', deleted: ['db-2'], skipped: [] } as const;
    const because = notice('second-step-left', { pods: ['db-2'], because: 'frozen', message: '' });
    const saidWith = (secondStep: SecondStepEnd) =>
      read({ phase: 'settled', change: { ...change, secondStep }, diagnosis });

    expect(saidWith({ ...ended, deleted: [], because })).toContain(
      'Step 2 did not delete `db-2`: changes are frozen.',
    );
    expect(saidWith(ended).split('\n')[0]).toContain('is progressing but has not finished');
  });

  it('does not call unchanged what it could not see', () => {
    const change = buildChange({ ...settled, verdict: 'unchanged' });
    const said = read({ phase: 'settled', change });
    expect(said).toContain('Could not verify whether the change helped');
    expect(said).not.toContain('did not help');
  });

  it('offers no undo of an undo', () => {
    const { undo: _, ...done } = settled;
    const change = buildChange({ ...done, verdict: 'undone', undoes: true });
    const fields = { phase: 'settled' as const, change, diagnosis: buildDiagnosis(afterwards) };
    expect(read(fields)).toContain('has its previous settings again');
    expect(buttonsOf(fields)).not.toContainEqual(['remediation.undo', id]);
  });

  it('says that there is no diagnosis, why, and that nothing was changed', () => {
    const failure = notice('unreadable', {
      workload: 'ml/inference',
      cluster: 'prod-eu',
      because: 'unavailable',
      message: 'connect ECONNREFUSED',
    });
    const said = read({ phase: 'failed', failure });
    expect(said).toContain('could not be diagnosed');
    expect(said).toContain('the cluster does not answer. Message: `connect ECONNREFUSED`');
    expect(said).toContain('Nothing was changed.');
    expect(buttonsOf({ phase: 'failed', failure })).toEqual([['incident.look-again', id]]);
  });

  it('says why an approved change was not carried out', () => {
    const failure = notice('apply-refused', { workload: 'ml/inference', because: 'stale', message: '' });
    expect(read({ change: buildChange({ failure }) })).toContain(`${stopFirst} was not applied.`);
  });
});

describe('every card', () => {
  const alerts = [
    {
      ...{ id: 'a1', name: 'KubePodCrashLooping', source: 'alertmanager' as const, firings: 1 },
      ...{ status: 'resolved' as const, at: '2026-11-20T09:31:00Z' },
    },
  ];
  const origins = [{ via: 'command', by: 'U0ALICE' }, { via: 'alert' }, { via: 'sentinel' }] as const;
  const diagnoses = [buildDiagnosis(), buildDiagnosis({ findings: [] }), undefined];
  const cases = phases.flatMap((phase) =>
    origins.flatMap((origin) =>
      diagnoses.flatMap((diagnosis, at) =>
        [undefined, alerts].map(
          (fired) => [phase, origin.via, at, fired?.length ?? 0, { origin, diagnosis, fired }] as const,
        ),
      ),
    ),
  );

  it.each(cases)(
    'in phase %s, by %s, with diagnosis %i and %i alerts, is one that Slack takes',
    (phase, _via, _at, _n, given) => {
      const { origin, diagnosis, fired } = given;
      const incident = buildIncident({ phase, origin, ...(fired === undefined ? {} : { alerts: fired }) });
      const { diagnosis: _, ...without } = incident;
      const change = buildChange({ ...settled, verdict: 'recovered' });
      const shown = { ...without, change, ...(diagnosis === undefined ? {} : { diagnosis }) };
      const { text, blocks } = renderCard(shown, undefined, { tell });
      expect(checkBlocks(blocks, 'message')).toEqual([]);
      expect(text).not.toBe('');
    },
  );
});

describe('many objects that could not be read', () => {
  it('are the first three kinds and a count', () => {
    const kinds = ['Event', 'Event', 'Node', 'Pod', 'Lease', 'Secret'];
    const unseen = kinds.map((what, at) => ({
      what,
      namespace: `n${at}`,
      because: 'forbidden' as const,
      message: 'no',
      weakens: [],
    }));
    expect(read({ diagnosis: buildDiagnosis({ unseen }) })).toContain(
      'Not read: `Event`, `Node`, `Pod` and 2 more\n',
    );
  });
});

describe('the card of a workload that is scaled to 0', () => {
  const scaled: Partial<Incident> = {
    diagnosis: buildDiagnosis({
      ready: { pods: 0, wanted: 0 },
      findings: [
        buildFinding({
          cause: 'scaled-to-zero',
          severity: 'info',
          isAnswer: true,
          summary: scaledToZero('summary', { workload: 'ml/inference' }),
          standing: scaledToZero('standing', { forSeconds: 1800, by: 'kubectl' }),
          reasoning: [],
          remediations: [],
          withheld: [],
        }),
      ],
    }),
  };

  it('states that it has no pod, since when and who wrote the field, and not that nothing is wrong', () => {
    const words = read(scaled);
    expect(words.split('scaled to 0, so it has no pod')).toHaveLength(2);
    expect(words).toContain('for 30 min');
    expect(words).toContain('`kubectl` wrote the field last');
    expect(words).not.toContain('No problem found');
  });

  it('offers no change of the cluster', () => {
    expect(buttonsOf(scaled)).toEqual([
      ['incident.proof', id],
      ['incident.look-again', id],
    ]);
  });

  it('states the same in Korean', () => {
    const words = read({ ...scaled, language: 'ko' });
    expect(words.split('복제본이 0으로 설정되어 파드가 없습니다')).toHaveLength(2);
    expect(words).toContain('30분째');
  });
});

describe.each(['en', 'ko'] as const)('the buttons of a card in %s', (language) => {
  it.each(phases)('have names that begin with the words they show, in the phase %s', (phase) => {
    const fields = { phase, language, diagnosis: buildDiagnosis(), change: buildChange(applied) };
    const approval = phase === 'awaiting' ? buildApproval() : undefined;
    const { blocks } = card({ ...fields, approvalId: approval?.id }, approval);
    JSON.stringify(blocks, (_, value: unknown) => {
      const {
        type,
        text,
        accessibility_label: name,
      } = Object(value) as {
        readonly type?: string;
        readonly text?: { readonly text: string };
        readonly accessibility_label?: string;
      };
      if (type === 'button') expect(name?.startsWith(text?.text ?? '-')).toBe(true);
      return value;
    });
  });
});
