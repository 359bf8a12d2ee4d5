import { expect } from 'vitest';
import { podsOf } from '#src/doctor/findings/crashes/failure-group.js';
import { Diagnosis } from '#src/doctor/findings/diagnosis.js';
import { mainFindingOf } from '#src/doctor/findings/main-finding.js';
import { maxRows, podStates } from '#src/doctor/findings/picture.js';
import { columnsOf } from '#src/doctor/pictures/columns.js';
import { pictureColumns, pictureLines } from '#src/doctor/pictures/picture-lines.js';
import { shownGroups } from '#src/doctor/pictures/strip-rows.js';
import { languages } from '#src/engine/language/language.js';
import type { Property } from '../property.js';
import { diagnosisOf, snapshotOf } from '../recorded.js';

const sawBoth = (seen: ReadonlyMap<string, number>): void => {
  expect(seen.get('wait-cycle')).toBeGreaterThan(50);
  expect(seen.get('node-strip')).toBeGreaterThan(50);
};

/** What holds for the picture of every diagnosis. */
export const pictures: readonly Property[] = [
  {
    // No other finding has a ring but rollouts that wait for each other.
    name: 'has a ring as picture exactly for a proven or likely deadlock and for a cycle of rollouts',
    async check(recorded, saw) {
      const diagnosis = await diagnosisOf(recorded);
      const { main } = mainFindingOf(diagnosis);
      const isDeadlock = main?.cause.endsWith('-deadlock') === true && main.confidence !== 'possible';
      const isCycle =
        main?.reasoning.some(({ key }) => key === 'cycle' || key === 'cycle-through-many') === true;
      const wanted = isDeadlock || isCycle ? 'wait-cycle' : 'node-strip';
      expect(diagnosis.picture?.kind ?? 'node-strip').toBe(wanted);
      saw(wanted);
    },
    whole: sawBoth,
  },
  {
    name: 'names in its picture only pods that the finding names, or every pod of the workload once',
    async check(recorded, saw) {
      const { picture, findings } = await diagnosisOf(recorded);
      if (picture === undefined) return;
      saw(picture.kind);
      if (picture.kind === 'wait-cycle') {
        const serialized = JSON.stringify(findings[0]);
        for (const { who } of picture.steps)
          for (const name of who.names) expect(serialized).toContain(`"${name}"`);
        return;
      }
      const rows = picture.groups.flatMap((group) => group.rows);
      const folded = picture.groups.flatMap((group) => Object.values(group.folded.pods));
      const counts = [...rows.flatMap(({ pods }) => Object.values(pods)), ...folded];
      const pods = podsOf(await snapshotOf(recorded));
      expect(counts.reduce((sum, count) => sum + count, 0)).toBe(pods.length);
      expect(picture.groups.every((group) => group.rows.length <= maxRows)).toBe(true);
      for (const group of shownGroups(picture, 'en', { rows: 8, signs: 4, nameColumns: 20 })) {
        for (const { states, hidden } of group.rows) {
          expect(states.length).toBeLessThanOrEqual(4);
          expect(states.every((state) => podStates.includes(state))).toBe(true);
          expect(hidden === 0 || states.length === 4).toBe(true);
        }
      }
    },
    whole: sawBoth,
  },
  {
    name: 'has a picture no wider than a terminal, a code block or a phone screen, in any language',
    async check(recorded, saw) {
      const { picture } = await diagnosisOf(recorded);
      if (picture === undefined) return;
      saw(picture.kind);
      for (const most of [picture.kind === 'wait-cycle' ? 36 : 56, pictureColumns]) {
        for (const language of languages) {
          for (const line of pictureLines(picture, language, most)) {
            expect(columnsOf(line.map(({ text }) => text).join('')), language).toBeLessThanOrEqual(most);
          }
        }
      }
    },
    whole: sawBoth,
  },
  {
    name: 'has the same picture after it is stored, and none where a newer version wrote it',
    async check(recorded) {
      const diagnosis = await diagnosisOf(recorded);
      expect(Diagnosis.parse(JSON.parse(JSON.stringify(diagnosis))).picture).toEqual(diagnosis.picture);
      expect(JSON.stringify(diagnosis.picture ?? {}).length).toBeLessThan(4_000);
      const newer = { ...diagnosis, picture: { v: 2, kind: 'hologram' } };
      expect(Diagnosis.parse(newer)).toMatchObject({ takenAt: diagnosis.takenAt, picture: undefined });
    },
  },
];
