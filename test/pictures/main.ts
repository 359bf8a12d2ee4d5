import { spawnSync } from 'node:child_process';
import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createPaintDrawing } from '#src/edges/image/paint-drawing.js';
import { darkOf, drawings, picturesFolder, screenshots, shownFile, shownToday } from '../support/pictures.js';
import { animate } from './animate.js';

/**
 * Makes all pictures of the documentation again: screenshots and the animation from browser tests, in light
 * and dark colours, and drawings from recorded incidents; notes what they show. An argument names a folder
 * with screenshots that exist already.
 */
const tests = ['story', 'alerts', 'tour'].map((name) => `test/browser/${name}.test.ts`);
const frames = ['tour-start', 'tour-asked', 'tour-review', 'tour-applying', 'tour-recovered'];

const [given] = process.argv.slice(2);
const taken = given ?? (await mkdtemp(join(tmpdir(), 'rollout-doctor-pictures-')));
if (given === undefined) {
  const env = { ...process.env, PICTURES: taken };
  const run = spawnSync('npx', ['vitest', 'run', '--project', 'browser', ...tests], {
    stdio: 'inherit',
    env,
  });
  if (run.status !== 0) process.exit(1);
}
for (const nameIn of [(file: string) => file, darkOf]) {
  for (const file of Object.keys(screenshots).filter((each) => each.endsWith('.png')))
    await copyFile(join(taken, nameIn(file)), join(picturesFolder, nameIn(file)));
  await writeFile(
    join(picturesFolder, nameIn('demo.gif')),
    await animate(frames.map((frame) => join(taken, nameIn(`${frame}.png`)))),
  );
}
const paint = createPaintDrawing();
for (const [file, drawing] of await drawings())
  await writeFile(join(picturesFolder, file), await paint(drawing));
await writeFile(shownFile, `${JSON.stringify(await shownToday(), undefined, 2)}\n`);
if (given === undefined) await rm(taken, { recursive: true, force: true });
