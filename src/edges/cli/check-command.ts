import type { Language } from '../../engine/language/language.js';
import { plain } from '../../engine/language/prose.js';
import { createTell } from '../../service/create-engine.js';
import { checkGitLab, checkSarif } from '../terminal/check-annotations.js';
import type { CheckedManifest } from '../terminal/check-report.js';
import { checkGitHub, checkJson, checkMarkdown, checkText } from '../terminal/check-report.js';
import { checkObjects, manifestObjects } from './check-objects.js';
import { cliText } from './cli-text.js';
import { exitStatus } from './exit-status.js';
import type { CheckOutput } from './shared-options.js';
import { letHeapGrow } from './small-heap.js';
import { type AgainstOptions, sourceAgainst, stateLeftOut } from './sources.js';
import { jsonText, type Streams, structured } from './streams.js';

export interface CheckOptions extends AgainstOptions {
  readonly filename: readonly string[];
  readonly namespace?: string;
  readonly output: CheckOutput;
  readonly lang: Language;
}

/** `rollout-doctor check`: would these manifests deadlock? @returns the exit status */
export async function checkCommand(options: CheckOptions, streams: Streams): Promise<number> {
  letHeapGrow();
  const objects = await manifestObjects(options.filename, streams.input);
  const against = await sourceAgainst(options);
  stateLeftOut(against, streams, options.lang);
  const { checked, takenAt, cluster } = await checkObjects(objects, { ...options, against });
  await streams.out(await written(checked, options, streams, takenAt ?? new Date().toISOString(), cluster));
  return statusFor(checked);
}

async function written(
  checked: readonly CheckedManifest[],
  { output, lang }: CheckOptions,
  { paint }: Streams,
  takenAt: string,
  cluster: string,
): Promise<string> {
  const options = { tell: createTell(), language: lang };
  switch (output) {
    case 'text':
      return checked.length === 0
        ? `${plain(cliText[lang]['no-workloads']())}\n`
        : checkText(checked, { ...options, paint });
    case 'markdown':
      return checkMarkdown(checked, options);
    case 'github':
      return checkGitHub(checked, options);
    case 'sarif':
      return jsonText(checkSarif(checked, { ...options, cluster }));
    case 'gitlab':
      return jsonText(checkGitLab(checked, options));
    case 'json':
    case 'yaml':
      return structured(output, checkJson(checked, { ...options, takenAt, cluster }));
  }
}

/** A deadlock outweighs an unknown outcome, which outweighs success. */
function statusFor(checked: readonly CheckedManifest[]): number {
  const has = (...outcomes: readonly string[]): boolean =>
    checked.some(({ check }) => outcomes.includes(check.outcome));
  if (has('deadlock', 'stuck', 'refused')) return exitStatus.found;
  return has('cannot-tell') ? exitStatus.unseen : exitStatus.nothing;
}
