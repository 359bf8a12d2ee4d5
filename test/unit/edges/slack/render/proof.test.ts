import { describe, expect, it } from 'vitest';
import type { Picture } from '#src/doctor/findings/picture.js';
import type { Incident } from '#src/doctor/incidents/incident.js';
import { renderCard } from '#src/edges/slack/render/card.js';
import { renderEntry } from '#src/edges/slack/render/entry.js';
import { renderHistory } from '#src/edges/slack/render/history.js';
import { peopleIn, renderPostMortem } from '#src/edges/slack/render/post-mortem.js';
import { renderProof } from '#src/edges/slack/render/proof.js';
import { aloud } from '../../../../support/read-aloud.js';
import {
  applied,
  buildChange,
  buildDiagnosis,
  buildIncident,
  tell,
} from '../../../../support/slack-builders.js';

const ring: Picture = {
  v: 1,
  kind: 'wait-cycle',
  workload: 'ml/inference',
  confidence: 'proven',
  steps: [
    { who: { role: 'new-pod', names: ['new'], more: 0 }, waits: { for: 'lock' } },
    { who: { role: 'old-pod', names: ['old'], more: 0 }, waits: { for: 'readiness' } },
  ],
};
const before = buildDiagnosis({ picture: ring });
const now = buildDiagnosis({ findings: [], takenAt: '2026-11-20T09:33:00Z' });
const fixed = buildIncident({
  phase: 'settled',
  look: 2,
  diagnosis: now,
  beforeFix: {
    ...{ look: 1, diagnosis: before },
    assignee: { by: 'U0MINJUN', at: '2026-11-20T09:30:40Z', cause: 'surge-deadlock' },
  },
  change: buildChange({
    ...applied,
    reasons: [{ by: 'U0DANA', reason: 'the only GPU, and @everyone may wait' }],
    ...{ verdict: 'recovered', verdictAt: '2026-11-20T09:33:00Z' },
  }),
});

describe('the proof of an incident', () => {
  const proofOf = (incident: Incident, language: 'en' | 'ko' = 'en'): string =>
    aloud(renderProof(incident, { language, tell }).blocks);

  it.each([
    ['en', 'Before the fix', 'Now', 'No problem found'],
    ['ko', '조치 전', '현재', '문제를 찾지 못했습니다'],
  ] as const)(
    'keeps what the approved fix rested on, beside what is found now, in %s',
    (language, first, second, verdict) => {
      const says = proofOf(fixed, language);
      const [, then = '', later = ''] = new RegExp(`${first}(.*)${second}(.*)`, 's').exec(says) ?? [];
      expect(then).toContain('inference-5c96d8f7b-jgvxr');
      expect(then).not.toContain(verdict);
      expect(later).toContain(verdict);
    },
  );

  it('has one part until a diagnosis follows the fix', () => {
    const verifying = { ...fixed, phase: 'verifying', look: 1, diagnosis: before } as const;
    expect(proofOf(verifying)).toBe(proofOf(buildIncident({ diagnosis: before })));
  });
});

describe('the post-mortem of an incident', () => {
  const markdownOf = (
    incident: Incident,
    language: 'en' | 'ko' = 'en',
    names: ReadonlyMap<string, string> = new Map([['U0DANA', 'Dana Reyes']]),
  ): string => {
    const { blocks } = renderPostMortem(incident, { language, tell, names });
    const parts = blocks as { elements: { elements: { text: string }[] }[] }[];
    return parts
      .flatMap(({ elements }) => elements.flatMap(({ elements: [first] }) => first?.text ?? []))
      .join('\n');
  };

  it.each(['en', 'ko'] as const)(
    'is Markdown with timeline, cause, picture, change and result, in %s',
    async (language) => {
      await expect(`${markdownOf(fixed, language)}\n`).toMatchFileSnapshot(
        `golden/post-mortem.${language}.md`,
      );
    },
  );

  it('names the pull request that people merged', () => {
    const { change: _, ...rest } = fixed;
    const merged = markdownOf({
      ...rest,
      phase: 'diagnosed',
      pullRequest: {
        ...{ approvalId: 'a1', cause: 'surge-deadlock', remediationId: 'r1', state: 'recovered' },
        title: buildChange().remediation.title,
        changes: [{ path: 'spec.strategy.rollingUpdate.maxSurge', before: 1, after: 0 }],
        target: { repository: 'acme/deploy', branch: 'main', path: 'prod' },
        ...{ approvedBy: ['U0DANA'], approvedAt: '2026-11-20T09:31:12Z', number: 12 },
        reasons: [{ by: 'U0DANA', reason: 'Flux reverts the rest' }],
        ...{ openedAt: '2026-11-20T09:31:20Z', mergedAt: '2026-11-20T09:32:00Z' },
      },
    });
    expect(merged).toMatch(/opened\.\n.*`acme\/deploy#12` merged\./u);
    expect(merged).toMatch(
      /`spec\.strategy\.rollingUpdate\.maxSurge`: `1` → `0`\n.*Dana Reyes.*Flux reverts the rest/u,
    );
  });

  it.each(['en', 'ko'] as const)('names people as they named themselves, in %s', (language) => {
    const { change } = fixed;
    const { cause: _, ...asked } = change ?? buildChange();
    const requested = { by: 'U0ERIN', at: '2026-11-20T09:31:00Z' };
    const by: Incident = {
      ...fixed,
      origin: { ...fixed.origin, by: 'U0SAM' },
      change: { ...asked, requested, approvedBy: ['U0DANA', 'U0KIM'] },
    };
    const names = new Map(peopleIn(by).map((id): [string, string] => [id, `Name of ${id.slice(2)}`]));

    expect(peopleIn(by)).toEqual(['U0SAM', 'U0MINJUN', 'U0ERIN', 'U0DANA', 'U0KIM']);
    expect(markdownOf(by, language, names)).toMatch(
      /`Name of SAM`.+`Name of MINJUN`.+`Name of ERIN`.+`Name of DANA`.+`Name of KIM`/su,
    );
    expect(markdownOf(by, language, names)).not.toMatch(/U0[A-Z]/u);
  });

  it.each([
    ['has no name', undefined, '`@U0DANA`'],
    ['has a name that shows nothing', '\u200b\u202e', '`@U0DANA`'],
    ['has marks of Markdown in the name', '`](x)` **D**', '`` `](x)` **D** ``'],
    ['has a secret for a name', 'token=ghp_0123456789abcdefghijABCDEFGHIJ456789', 'token='],
    ['has a name without end', 'D'.repeat(5_000), `\`${'D'.repeat(79)}…\``],
  ])('mentions one who %s safely', (_, name, shown) => {
    const written = markdownOf(fixed, 'en', new Map(name === undefined ? [] : [['U0DANA', name]]));
    expect(written).toContain(shown);
    expect(written).not.toMatch(/ghp_0123|[\u200b\u202e]|D{80}/u);
  });

  it('gives times to the second', () => {
    expect(markdownOf({ ...fixed, createdAt: '2026-11-20T09:30:01.402Z' })).toContain(
      '- 2026-11-20T09:30:01Z – Incident opened',
    );
  });

  it('fits a modal however long its text is', () => {
    const findings = before.findings.map((finding) => ({
      ...finding,
      reasoning: Array.from({ length: 400 }, () => finding.summary),
    }));
    const long = { ...before, findings };
    const { blocks } = renderPostMortem(
      { ...fixed, beforeFix: { look: 1, diagnosis: long } },
      { language: 'en', tell, names: new Map() },
    );
    expect(blocks.length).toBeLessThanOrEqual(4);
    expect(JSON.stringify(blocks).length).toBeLessThan(14_000);
  });

  it('is offered on the card, in the history and in the thread once a fix has ended, and not before', () => {
    const offered = (incident: Incident): readonly boolean[] => {
      const incidents = [{ incident, card: undefined, changes: [] }];
      const { workload } = incident;
      const list = { type: 'history', workload, incidents, more: 0, silence: undefined } as const;
      const options = { tell, language: 'en', linkTo: () => undefined, hasTables: false } as const;
      const entry = { kind: 'verdict', of: 'a1' } as const;
      return [
        renderCard(incident, undefined, { tell }),
        renderHistory(list, options),
        renderEntry(incident, undefined, entry, { tell }),
      ].map(({ blocks }) => JSON.stringify(blocks).includes('incident.post-mortem'));
    };
    expect(offered(fixed)).toEqual([true, true, true]);
    expect(offered({ ...fixed, change: buildChange({ ...applied, undoes: true }) })[2]).toBe(false);
    expect(offered(buildIncident({ diagnosis: before }))).toEqual([false, false, false]);
    expect(markdownOf(buildIncident({ diagnosis: before }))).toContain('No fix of');
  });
});
