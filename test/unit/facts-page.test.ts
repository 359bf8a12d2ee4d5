import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { causes } from '#src/doctor/causes/causes.js';
import { factsPage } from '../support/facts-page.js';

const page = join(import.meta.dirname, '../../docs/facts.md');
const mark =
  '<!-- The rest is generated: npx vitest run --project unit test/unit/facts-page.test.ts -u -->\n\n';

it('every field of facts has a description', () => {
  expect(factsPage(causes).match(/^.*\| {2}\|$/gm) ?? []).toEqual([]);
});

it('docs/facts.md describes the facts of every cause as their schemas do', async () => {
  const text = await readFile(page, 'utf8');
  const [introduction = ''] = text.split(mark);

  await expect(`${introduction}${mark}${factsPage(causes)}`).toMatchFileSnapshot(page);
});
