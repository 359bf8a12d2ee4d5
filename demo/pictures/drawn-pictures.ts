import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { oneSnapshot, recordedSource } from '#src/cli/sources.js';
import type { Language } from '#src/core/language/language.js';
import { draw } from '#src/core/picture/drawing/draw.js';
import type { Drawing } from '#src/core/picture/drawing/drawing.js';
import { createDoctor } from '#src/doctor.js';

export const picturesFolder = fileURLToPath(new URL('../../docs/pictures', import.meta.url));
/** For each picture of the documentation that is drawn, the digest of what it shows. */
export const drawnFile = join(picturesFolder, 'drawn.json');

const scenarios = fileURLToPath(new URL('../../test/scenarios', import.meta.url));

/** Name of the file, and the recorded incident whose picture it shows. */
const drawn = [
  { name: 'wait-cycle', scenario: 'gpu-one-node' },
  { name: 'node-strip', scenario: 'crash-on-one-node' },
] as const;

const Expected = z.object({
  workload: z.object({ kind: z.literal('Deployment'), namespace: z.string(), name: z.string() }),
  takenAt: z.string(),
});

/** The drawings of the documentation, from recorded incidents. */
export async function drawingsOfDocs(): Promise<ReadonlyMap<string, Drawing>> {
  const doctor = createDoctor();
  const drawings = new Map<string, Drawing>();
  for (const { name, scenario } of drawn) {
    const folder = join(scenarios, scenario);
    const { workload, takenAt } = Expected.parse(
      JSON.parse(await readFile(join(folder, 'expect.json'), 'utf8')),
    );
    const source = await recordedSource(folder, takenAt);
    const { picture } = doctor.diagnose(await oneSnapshot(source, workload, doctor.needs));
    if (picture === undefined) throw new Error(`${scenario} has no picture`);
    for (const language of ['en', 'ko'] satisfies Language[])
      drawings.set(`${name}.${language}`, draw(picture, language));
  }
  return drawings;
}

/** Of the shapes, not of the dots: fonts of machines make no difference. */
export function digestOf(drawing: Drawing): string {
  return createHash('sha256').update(JSON.stringify(drawing)).digest('base64url').slice(0, 16);
}
