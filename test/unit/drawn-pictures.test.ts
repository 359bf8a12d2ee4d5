import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { digestOf, drawingsOfDocs, drawnFile, picturesFolder } from '../../demo/pictures/drawn-pictures.js';

it('shows in the documentation what is drawn today; `npm run pictures` draws it again', async () => {
  const drawings = [...(await drawingsOfDocs())];

  expect(JSON.parse(readFileSync(drawnFile, 'utf8'))).toEqual(
    Object.fromEntries(drawings.map(([name, drawing]) => [name, digestOf(drawing)])),
  );
  expect(drawings.filter(([name]) => !existsSync(join(picturesFolder, `${name}.png`)))).toEqual([]);
});
