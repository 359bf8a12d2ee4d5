import { opendirSync } from 'node:fs';
import { join } from 'node:path';
import { plainFault } from '../../doctor/input/input-error.js';
import { attempt, FileError, readRegularFile } from '../files/regular-file.js';
import { decodeText } from './decode-text.js';
import { RecordingError } from './recording-error.js';

/** Files of one folder that are read. */
const maxFiles = 1_000;
/** Names that a folder may hold, whatever they are. */
const maxNames = 100_000;

/**
 * The text of a file.
 *
 * @param within absolute path without links; the file must lie in that folder
 * @throws RecordingError when it cannot be read or is no text
 */
export function readText(path: string, shown: string, maxBytes: number, within?: string): string {
  return decodeText(
    inWords(shown, () => readRegularFile(path, maxBytes, within)),
    shown,
  );
}

/** The .json and .yaml files of a folder, by name, not below it: what `kubectl apply -f` reads. */
export function textFilesOf(folder: string): readonly string[] {
  const names = namesIn(folder, /\.(json|ya?ml)$/i, maxFiles);
  if (names.length === 0) throw new RecordingError(folder, undefined, plainFault('no-files'));
  return names.map((name) => join(folder, name));
}

/**
 * The names in a folder that match, sorted.
 *
 * @throws RecordingError when there are more than `max`, or more names of any kind than are looked at
 */
function namesIn(folder: string, pattern: RegExp, max: number): readonly string[] {
  return inWords(folder, () => {
    const names: string[] = [];
    const entries = opendirSync(folder);
    try {
      let seen = 0;
      for (let entry = entries.readSync(); entry !== null; entry = entries.readSync()) {
        seen += 1;
        if (seen > maxNames) throw new FileError({ key: 'too-many-names', values: { max: maxNames } });
        if (!pattern.test(entry.name)) continue;
        names.push(entry.name);
        if (names.length > max) throw new FileError({ key: 'too-many-files', values: { max } });
      }
    } finally {
      entries.closeSync();
    }
    return names.sort();
  });
}

/** Runs what reads a file. Why it cannot be read becomes a RecordingError. */
export function inWords<Result>(shown: string, read: () => Result): Result {
  try {
    return attempt(read);
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
    throw new RecordingError(shown, undefined, error.fault);
  }
}
