import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { expect } from 'vitest';
import { parse as parseYaml } from 'yaml';
import { z } from 'zod';
import { causes } from '#src/doctor/causes/causes.js';
import { fieldsIn, schemasUsedBy } from '../../support/fact-fields.js';
import { factsOf } from '../outline.js';
import type { Property } from '../property.js';
import { answerInEnglish, diagnosisOf } from '../recorded.js';
import { unrecorded } from './unrecorded-facts.js';

const folder = join(import.meta.dirname, '../facts');

/** The reviewed text where it states the same: in which order a finding has its fields means nothing. */
function inReviewedOrder(facts: string, path: string): string {
  const reviewed = existsSync(path) ? readFileSync(path, 'utf8') : '';
  return isDeepStrictEqual(parseYaml(facts), parseYaml(reviewed)) ? reviewed : facts;
}

/** The first field, by cause, that each schema of facts describes. */
const nameOfSchema = new Map<z.ZodType, string>();
for (const { id, facts } of causes) {
  for (const { path, schema } of fieldsIn(facts)) {
    if (!nameOfSchema.has(schema)) nameOfSchema.set(schema, `${id} ${path}`);
  }
}

export const facts: readonly Property[] = [
  {
    /**
     * `expect.json` names the required findings. These files keep every other stated fact. A change of one
     * shows all the incidents in which people will read something else.
     * `npx vitest run --project scenario -u` accepts the new.
     */
    name: 'has the reviewed facts',
    of: ({ group }) => group === undefined,
    async check(recorded) {
      const file = join(folder, `${recorded.name}.yaml`);
      await expect(inReviewedOrder(await factsOf(recorded), file)).toMatchFileSnapshot(file);
    },
  },
  {
    name: 'has facts that match the schema of their cause, survive JSON and are in the JSON output',
    async check(recorded, saw) {
      const { findings } = await diagnosisOf(recorded);
      for (const { cause, facts: stated } of findings) {
        const schema = causes.find(({ id }) => id === cause)?.facts ?? z.never();
        expect(schema.parse(JSON.parse(JSON.stringify(stated ?? null)))).toEqual(stated);
        for (const used of schemasUsedBy(stated, schema)) saw(nameOfSchema.get(used) ?? '');
      }
      const printed = (
        JSON.parse((await answerInEnglish(recorded)).text) as {
          readonly findings: readonly { readonly facts: unknown }[];
        }
      ).findings.map(({ facts: each }) => each);
      // The output removes white space in texts from clusters.
      expect(JSON.stringify(printed).replace(/\s|\\n/g, '')).toEqual(
        JSON.stringify(findings.map(({ facts: each }) => each)).replace(/\s|\\n/g, ''),
      );
    },
    // Each field of each schema is recorded, or the field is listed with a reason.
    whole(seen) {
      const unseen = [...nameOfSchema.values()].filter((name) => !seen.has(name));
      expect(unseen.sort()).toEqual(unrecorded.flatMap(({ fields }) => fields).sort());
    },
  },
];
