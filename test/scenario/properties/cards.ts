import type { KnownBlock } from '@slack/types';
import { expect } from 'vitest';
import { Diagnosis } from '#src/doctor/findings/diagnosis.js';
import { sharedRootOf } from '#src/doctor/incidents/shared-root.js';
import { isWorthShowing, pictureOf } from '#src/doctor/pictures/picture-of.js';
import { provenDeadlockOf } from '#src/doctor/sentinel/candidate.js';
import { renderCard } from '#src/edges/slack/render/card.js';
import { linesAboveButton, maxPhoneLines, phoneLines } from '#src/edges/slack/render/message.js';
import { diagnosisJson } from '#src/edges/terminal/diagnosis-json.js';
import type { Tell } from '#src/engine/language/catalogue.js';
import { buildIncident } from '../../support/slack-builders.js';
import type { Property } from '../property.js';
import { diagnosisOf, snapshotOf, tell } from '../recorded.js';

function menuTexts(blocks: readonly KnownBlock[]): readonly string[] {
  return blocks
    .flatMap((block) => (block.type === 'actions' ? block.elements : []))
    .flatMap((element) => (element.type === 'overflow' ? element.options : []))
    .map(({ text }) => text.text);
}

const fitsAPhone = (language: 'en' | 'ko', name: string): Property => ({
  name,
  async check(recorded) {
    const found = await diagnosisOf(recorded);
    const workload = { ...found.workload, cluster: 'prod-eu' };
    const diagnosis = Diagnosis.parse(JSON.parse(JSON.stringify({ ...found, workload })));
    const { blocks } = renderCard(buildIncident({ workload, diagnosis, language }), undefined, { tell });

    expect(menuTexts(blocks).filter((text) => /[^ ]…$/u.test(text))).toEqual([]);
    expect(linesAboveButton(blocks)).toBeLessThan(maxPhoneLines);
    expect(phoneLines(blocks)).toBeLessThanOrEqual(maxPhoneLines);
    expect(blocks.filter(({ type }) => type === 'actions')).toHaveLength(1);
  },
});

const prefix = 'renamed-';

/** Renames the key of every statement in the value. */
function renamed<Value>(value: Value, count: () => void): Value {
  return JSON.parse(JSON.stringify(value), (_, field: unknown) => {
    if (typeof field !== 'object' || field === null || !('catalogue' in field && 'key' in field))
      return field;
    count();
    return { ...field, key: `${prefix}${String(field.key)}` };
  }) as Value;
}

/** Renders statements with renamed keys. */
const tellRenamed: Tell = (statement, language) =>
  tell({ ...statement, key: statement.key.replace(prefix, '') }, language);

export const cards: readonly Property[] = [
  fitsAPhone('en', 'has a card that fits a phone, including its button'),
  fitsAPhone('ko', 'has a Korean card that fits a phone, including its button'),
  {
    name: 'has the same behaviour when its statements have other keys',
    async check(recorded, saw) {
      const snapshot = await snapshotOf(recorded);
      const diagnosed = await diagnosisOf(recorded);
      const picture = pictureOf(snapshot, diagnosed);
      const diagnosis: Diagnosis = { ...diagnosed, ...(picture === undefined ? {} : { picture }) };
      const behaviour = (of: Diagnosis, told: Tell) => {
        const incident = buildIncident({ phase: 'diagnosed', workload: of.workload, diagnosis: of });
        return {
          root: sharedRootOf(of),
          deadlock: provenDeadlockOf(of)?.cause,
          picture: pictureOf(snapshot, of),
          isWorthShowing: isWorthShowing(of),
          card: renderCard(incident, undefined, { tell: told }),
          json: diagnosisJson(of, told, 'en'),
        };
      };

      const before = JSON.stringify(behaviour(diagnosis, tell));
      const other = renamed(diagnosis, () => saw('a statement'));
      expect(JSON.stringify(behaviour(other, tellRenamed))).toBe(before);
    },
    whole: (seen) => expect(seen.get('a statement')).toBeGreaterThan(1_000),
  },
];
