import { boundText } from '../../engine/language/text-scanning.js';
import { dataEndings } from './words-of-data.js';
import { serverEndings } from './words-of-servers.js';
import { settingEndings } from './words-of-settings.js';
import { type EndingWords, systemEndings } from './words-of-systems.js';

/**
 * Kinds of reasons for which programs end. A kind is a kind of sentence, whatever program writes it: the
 * words of the operating system, of a runtime, or what many programs say alike.
 * The first whose words match decides: words of the operating system stand before what programs conclude from
 * them.
 */
export const endingKinds = [
  'service-variable',
  'kind-not-installed',
  'watch-limit',
  'file-limit',
  'shared-memory',
  'no-space',
  'kernel-setting',
  'device-memory',
  'process-limit',
  'changed-migration',
  'database-lock',
  'no-file-locks',
  'held-elsewhere',
  'address-in-use',
  'read-only',
  'privileged-port',
  'file-mode',
  'api-forbidden',
  'connections-used-up',
  'clock',
  'certificate',
  'credentials',
  'library-mismatch',
  'illegal-instruction',
  'other-cluster',
  'data-version',
  'failed-migration',
  'not-migrated',
  'damaged-file',
  'process-memory',
  'call-refused',
  'not-permitted',
  'unreachable',
  'setting',
  'missing-file',
] as const;
export type EndingKind = (typeof endingKinds)[number];

const words: Readonly<Record<EndingKind, EndingWords>> = {
  ...systemEndings,
  ...dataEndings,
  ...serverEndings,
  ...settingEndings,
};

/** A line that is longer is cut. */
const searched = 2000;

/**
 * The kind of ending that a line names; `undefined` for any other. Reads at most its first 2,000 characters.
 */
export function endingOf(line: string): EndingKind | undefined {
  // A value inside of another has its quotation marks and ends of lines behind a backslash.
  const text = withoutPlace(line)
    .replace(/\\"/g, '"')
    .replace(/\\[nt]/g, ' ');
  return endingKinds.find((kind) => {
    const { says, and = [], but } = words[kind];
    return (
      says.some((each) => each.test(text)) &&
      and.every((each) => each.test(text)) &&
      !(but?.test(text) ?? false)
    );
  });
}

/** Who reports endings of the kind, whatever exit code follows; `undefined` where a shell may as well. */
export function reporterOf(kind: EndingKind): EndingWords['from'] {
  return words[kind].from;
}

/** Without the place in the code of the program, whose path is none that the program uses. */
function withoutPlace(line: string): string {
  return boundText(line, searched).replace(places, '');
}

const places =
  /\b(?:panicked )?at [^\s:]{1,300}(?::\d{1,7}){1,2}:?|\b(?:in|at) \/[^\s:]{1,300}(?::\d{1,7}|(?: on)? line \d{1,7})\b|^\S{1,300}:\d{1,7}(?=:in [`'])|(?<![^\s[(])\/[^\s:]{1,300}\.(?:go|rs|py|rb|[jt]s|java|cs?|cc|cpp|php|lua|exs?|nim):\d{1,7}:/g;

/** The first absolute path in a line, without what surrounds it; `undefined` where there is none. */
export function pathIn(line: string): string | undefined {
  return pathsIn(line)[0];
}

/** The absolute paths in a line: a copy, for example, names its source and its target. */
export function pathsIn(line: string): readonly string[] {
  const found = withoutPlace(line).matchAll(/(?<![\w:/.])\/[\w.@+-]{1,120}(?:\/[\w.@+-]{1,120}){0,20}/g);
  return [...found].map(([path]) => path);
}
