import { expect } from 'vitest';
import { z } from 'zod';
import { causes } from '#src/doctor/causes/causes.js';
import { mainFindingOf } from '#src/doctor/findings/main-finding.js';
import { ruledOutWords } from '#src/doctor/findings/rule.js';
import { byRecommendation } from '#src/doctor/fixes/with-drift.js';
import { runCli } from '#src/edges/cli/run-process.js';
import { asJson } from '#src/edges/library/answers.js';
import { DiagnosisListAnswer } from '#src/edges/library/shapes.js';
import { diagnosisText } from '#src/edges/terminal/diagnosis-text.js';
import { reportText } from '#src/edges/terminal/report-text.js';
import { plain } from '#src/engine/language/prose.js';
import { answersSchema } from '../../support/answers-page.js';
import { disagreements } from '../../support/scenarios/compare-answer.js';
import type { Property } from '../property.js';
import {
  type Answer,
  answerInEnglish,
  answerInKorean,
  diagnosisOf,
  type Recorded,
  tell,
} from '../recorded.js';

const causesIn = ({ text }: Answer): readonly string[] =>
  (JSON.parse(text) as { readonly findings: readonly { readonly cause: string }[] }).findings.map(
    ({ cause }) => cause,
  );

async function printed({ folder, expect: wanted }: Recorded, lang: 'en' | 'ko'): Promise<Answer> {
  const { kind, namespace, name } = wanted.workload;
  let text = '';
  const status = await runCli(
    [
      ...['diagnose', `${kind.toLowerCase()}/${name}`, '-n', namespace, '--from', folder],
      ...['--at', wanted.takenAt, '--output', 'json', '--lang', lang],
    ],
    {
      out: (written) => {
        text += written;
      },
      err: () => undefined,
      paint: { colour: false, width: 80 },
      watched: false,
    },
  );
  return { status, text };
}

/** Lines of a terminal that is not scrolled. */
const screen = 24;

const schema = z.fromJSONSchema(JSON.parse(answersSchema()));
const causeIds = new Set<string>(causes.map(({ id }) => id));

export const answers: readonly Property[] = [
  {
    name: 'has the expected findings, names and fixes',
    async check(recorded) {
      expect(disagreements(recorded.expect, await answerInEnglish(recorded))).toEqual([]);
    },
  },
  {
    name: 'has Korean sentences about the same causes',
    async check(recorded) {
      const korean = await answerInKorean(recorded);
      expect(causesIn(korean)).toEqual(causesIn(await answerInEnglish(recorded)));
      if (causesIn(korean).length > 0) expect(korean.text).toMatch(/[가-힣]/);
    },
  },
  {
    // It reads and diagnoses the recording again, so it is one in five: all incidents that are not variants
    // of others.
    name: 'is answered so by the command line',
    of: ({ group, expect: { unchecked } }) => group === undefined || unchecked,
    async check(recorded) {
      expect(await printed(recorded, 'en')).toEqual(await answerInEnglish(recorded));
    },
  },
  {
    name: 'is answered so by the command line in Korean',
    of: ({ group, expect: { cause } }) => group === undefined && cause !== null,
    async check(recorded) {
      expect(await printed(recorded, 'ko')).toEqual(await answerInKorean(recorded));
    },
  },
  {
    name: 'has its fix on the first screen of a terminal, and what is ruled out on request',
    async check(recorded, saw) {
      const diagnosis = await diagnosisOf(recorded);
      for (const language of ['en', 'ko'] as const) {
        const words = reportText[language];
        const show = (evidence: boolean): readonly string[] =>
          diagnosisText(diagnosis, {
            ...{ tell, language, evidence },
            paint: { colour: false, width: 80 },
            commandsFor: () => ['kubectl'],
          }).split('\n');
        const [short, whole] = [show(false), show(true)];
        const headings = (['recommended-fix', 'recommended-step'] as const).map((key) => plain(words[key]()));
        const at = short.findIndex((line) => headings.includes(line));
        const { main } = mainFindingOf(diagnosis);
        if (at >= 0 && main !== undefined && byRecommendation(main.remediations).lead !== undefined) {
          saw('a fix');
          // The heading, the fix and its command.
          expect(at + 3).toBeLessThanOrEqual(screen);
          expect(at).toBeLessThan(short.indexOf(plain(words.why())));
        }
        expect(short).not.toContain(plain(words['ruled-out']()));
        if (whole.includes(plain(words['ruled-out']()))) saw('a cause that is ruled out');
      }
    },
    whole: (seen) =>
      expect(
        [seen.get('a fix'), seen.get('a cause that is ruled out')].every((count) => (count ?? 0) > 100),
      ).toBe(true),
  },
  {
    name: 'has an answer whose fields are all in the published shape',
    async check(recorded) {
      const item = JSON.parse((await answerInEnglish(recorded)).text) as unknown;
      const answer = asJson({ apiVersion: 'rollout-doctor/v1', kind: 'DiagnosisList', items: [item] });

      // A field that the shape lacks is dropped by it.
      expect(DiagnosisListAnswer.parse(answer)).toEqual(answer);
      expect(schema.safeParse(answer).error).toBeUndefined();
    },
  },
  {
    name: 'excludes only causes, or what has Korean words',
    async check(recorded, saw) {
      const { findings } = await diagnosisOf(recorded);
      const words = findings
        .flatMap(({ ruledOut }) => ruledOut.map(({ cause }): string => cause))
        .filter((cause) => !causeIds.has(cause));
      for (const each of words) {
        saw(each);
        expect(ruledOutWords(each, 'ko')).toMatch(/[가-힣]/u);
        expect(ruledOutWords(each, 'en')).toBe(each);
      }
    },
    whole: (seen) => expect(seen.size).toBeGreaterThan(2),
  },
];
