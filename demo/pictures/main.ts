import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createPaintDrawing } from '#src/adapters/image/paint-drawing.js';
import { digestOf, drawingsOfDocs, drawnFile, picturesFolder } from './drawn-pictures.js';

/** Draws the pictures of the documentation that come from recorded incidents, and notes what they show. */
const paint = createPaintDrawing();
const digests: Record<string, string> = {};
for (const [name, drawing] of await drawingsOfDocs()) {
  await writeFile(join(picturesFolder, `${name}.png`), await paint(drawing));
  digests[name] = digestOf(drawing);
}
await writeFile(drawnFile, `${JSON.stringify(digests, undefined, 2)}\n`);
