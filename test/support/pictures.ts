import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Diagnosis } from '#src/doctor/findings/diagnosis.js';
import { draw } from '#src/doctor/pictures/drawing/draw.js';
import type { Drawing } from '#src/doctor/pictures/drawing/drawing.js';
import { renderCard } from '#src/edges/slack/render/card.js';
import { createEngine, createTell } from '#src/service/create-engine.js';
import { welcomeMessage } from '../../demo/live/welcome.js';
import { scenarios } from './scenarios/expectation.js';
import { snapshotOf } from './scenarios/snapshot-of.js';
import { buildIncident } from './slack-builders.js';

export const picturesFolder = fileURLToPath(new URL('../../docs/pictures', import.meta.url));
/** For each picture of the documentation, the digest of what it shows. */
export const shownFile = join(picturesFolder, 'shown.json');

/** Files that are drawn, and the recorded incident whose picture each shows. */
const drawn = { 'wait-cycle': 'gpu-one-node', 'node-strip': 'crash-on-one-node' } as const;

/** Files that show pages of the demo, and a recorded incident with the same card. */
export const screenshots = {
  'card.png': 'gpu-one-node',
  'review.png': 'gpu-one-node',
  'healed.png': 'gpu-one-node',
  'demo.gif': 'gpu-one-node',
  'alert.png': 'crash-on-one-node',
} as const;

/** The file with the same picture in dark colours: `card.png`, `card.dark.png`. */
export function darkOf(file: string): string {
  return file.replace(/\.(?=[a-z]+$)/u, '.dark.');
}

const engine = createEngine();

async function diagnosisOf(name: string): Promise<Diagnosis> {
  const scenario = scenarios().find(({ folder }) => folder.endsWith(`/${name}`));
  if (scenario === undefined) throw new Error(`There is no recorded incident ${name}.`);
  return Diagnosis.parse(JSON.parse(JSON.stringify(engine.diagnose(await snapshotOf(scenario)))));
}

/** The drawings of the documentation by the names of their files. */
export async function drawings(): Promise<ReadonlyMap<string, Drawing>> {
  const found = new Map<string, Drawing>();
  for (const [name, scenario] of Object.entries(drawn)) {
    const { picture } = await diagnosisOf(scenario);
    if (picture === undefined) throw new Error(`${scenario} has no picture`);
    for (const language of ['en', 'ko'] as const)
      found.set(`${name}.${language}.png`, draw(picture, language));
  }
  return found;
}

/**
 * What every picture shows today: shapes and cards, not dots, so that fonts of machines make no difference.
 */
export async function shownToday(): Promise<Readonly<Record<string, string>>> {
  const shown: Record<string, string> = {};
  for (const [file, drawing] of await drawings()) shown[file] = digestOf(drawing);
  for (const [file, scenario] of Object.entries(screenshots)) {
    const diagnosis = await diagnosisOf(scenario);
    const incident = buildIncident({ workload: diagnosis.workload, diagnosis, language: 'en' });
    const card = renderCard(incident, undefined, { tell: createTell() });
    // The animation begins with the welcome message.
    const digest = digestOf(file === 'demo.gif' ? [welcomeMessage('en'), card] : card);
    shown[file] = digest;
    shown[darkOf(file)] = digest;
  }
  return shown;
}

function digestOf(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('base64url').slice(0, 16);
}
