import { basename } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { diagnosisJson } from '#src/adapters/terminal/diagnosis-json.js';
import { causes } from '#src/core/diagnosis/causes/causes.js';
import type { Diagnosis } from '#src/core/diagnosis/diagnosis.js';
import { createTell } from '#src/doctor.js';
import { fieldsIn, schemasUsedBy } from '#support/fact-fields.js';
import { scenarios } from '#support/scenarios/expectation.js';
import { diagnosisOf } from '#support/scenarios/snapshot-of.js';
import { unrecorded } from './unrecorded-facts.js';

const recorded = scenarios();
const tell = createTell();

interface Diagnosed {
  readonly name: string;
  readonly diagnosis: Diagnosis;
}

describe('the facts of every finding about a recorded incident', () => {
  const diagnosed: Diagnosed[] = [];

  beforeAll(async () => {
    for (const scenario of recorded) {
      const diagnosis = await diagnosisOf(scenario);
      diagnosed.push({ name: basename(scenario.folder), diagnosis });
    }
  }, 120_000);

  it('match the schema of their cause, and survive JSON unchanged', () => {
    const wrong = diagnosed.flatMap(({ name, diagnosis }) =>
      diagnosis.findings.flatMap(({ cause, facts }) => {
        const stored = JSON.parse(JSON.stringify(facts ?? null));
        const rule = causes.find(({ id }) => id === cause);
        const parsed = (rule?.facts ?? z.never()).safeParse(stored);
        if (!parsed.success) return [`${name}: ${cause}: ${z.prettifyError(parsed.error)}`];
        expect(parsed.data).toEqual(facts);
        return [];
      }),
    );

    expect(wrong).toEqual([]);
  });

  it('are in the JSON output', () => {
    for (const { diagnosis } of diagnosed) {
      const printed = diagnosisJson(diagnosis, tell, 'en').findings.map(({ facts }) => facts);

      // The output removes white space in texts from clusters.
      expect(JSON.stringify(printed).replace(/\s|\\n/g, '')).toEqual(
        JSON.stringify(diagnosis.findings.map(({ facts }) => facts)).replace(/\s|\\n/g, ''),
      );
    }
  });

  it('cover each field of each schema, or the field is listed with a reason', () => {
    const used = new Set(
      diagnosed.flatMap(({ diagnosis }) =>
        diagnosis.findings.flatMap(({ cause, facts }) =>
          causes.filter(({ id }) => id === cause).flatMap((rule) => schemasUsedBy(facts, rule.facts)),
        ),
      ),
    );
    const unseen = new Map<z.ZodType, string>();
    for (const { id, facts } of causes) {
      for (const { path, schema } of fieldsIn(facts)) {
        if (!used.has(schema) && !unseen.has(schema)) unseen.set(schema, `${id} ${path}`);
      }
    }

    expect([...unseen.values()].sort()).toEqual(unrecorded.flatMap(({ fields }) => fields).sort());
  });
});
