import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { picturesFolder, shownFile, shownToday } from '../support/pictures.js';

it('shows in the documentation what cards and pictures are today; `npm run pictures` makes them again', async () => {
  const shown = await shownToday();

  expect(JSON.parse(readFileSync(shownFile, 'utf8'))).toEqual(shown);
  expect(Object.keys(shown).filter((file) => !existsSync(join(picturesFolder, file)))).toEqual([]);
});
