import { describe, expect, it } from 'vitest';
import { renderCard } from '#src/adapters/slack/render/card.js';
import { diagnosisJson } from '#src/adapters/terminal/diagnosis-json.js';
import type { Diagnosis } from '#src/core/diagnosis/diagnosis.js';
import { sharedRootOf } from '#src/core/incident/shared-root.js';
import type { Tell } from '#src/core/language/catalogue.js';
import { isWorthShowing, pictureOf } from '#src/core/picture/picture-of.js';
import { provenDeadlockOf } from '#src/core/sentinel/proven-deadlock.js';
import { createTell } from '#src/doctor.js';
import { scenarios } from '#support/scenarios/expectation.js';
import { diagnosisOf, snapshotOf } from '#support/scenarios/snapshot-of.js';
import { buildIncident } from '#support/slack-builders.js';

const tell = createTell();
const prefix = 'renamed-';
let renamedCount = 0;

/** Renames the key of every statement in the value. */
function renamed<Value>(value: Value): Value {
  return JSON.parse(JSON.stringify(value), (_, field: unknown) => {
    if (typeof field !== 'object' || field === null || !('catalogue' in field && 'key' in field))
      return field;
    renamedCount += 1;
    return { ...field, key: `${prefix}${String(field.key)}` };
  }) as Value;
}

/** Renders statements with renamed keys. */
const tellRenamed: Tell = (statement, language) =>
  tell({ ...statement, key: statement.key.replace(prefix, '') }, language);

describe('a diagnosis whose statements have other keys has the same behaviour', () => {
  it.each(scenarios().map((scenario) => [scenario.expect.id, scenario] as const))(
    '%s',
    async (_, scenario) => {
      const snapshot = await snapshotOf(scenario);
      const diagnosed = await diagnosisOf(scenario);
      const picture = pictureOf(snapshot, diagnosed);
      const diagnosis: Diagnosis = { ...diagnosed, ...(picture === undefined ? {} : { picture }) };
      const behaviour = (of: Diagnosis, told: Tell) => ({
        root: sharedRootOf(of),
        deadlock: provenDeadlockOf(of)?.cause,
        picture: pictureOf(snapshot, of),
        isWorthShowing: isWorthShowing(of),
        card: renderCard(
          buildIncident({ phase: 'diagnosed', workload: of.workload, diagnosis: of }),
          undefined,
          { tell: told },
        ),
        json: diagnosisJson(of, told, 'en'),
      });

      const before = JSON.stringify(behaviour(diagnosis, tell));
      expect(JSON.stringify(behaviour(renamed(diagnosis), tellRenamed))).toBe(before);
    },
  );

  it('covers more than a thousand statements', () => {
    expect(renamedCount).toBeGreaterThan(1_000);
  });
});
