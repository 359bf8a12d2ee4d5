import { type Dirent, opendirSync } from 'node:fs';
import { join } from 'node:path';
import { plainFault } from '../../fault-text.js';
import { FileError } from '../../regular-file.js';
import { inWords } from './read-text.js';
import { RecordingError } from './recording-error.js';

/** Files of one recording. A must-gather of a large cluster has some ten thousand. */
const maxFiles = 50_000;
/** Names that the folders may hold together, whatever they are. */
const maxNames = 200_000;
/** Folders in one another: a must-gather has ten. */
const maxDepth = 16;

interface FilesBelow {
  /** Files that may hold objects, in the order of their paths. */
  readonly objects: readonly string[];
  readonly logs: readonly string[];
}

const objectNames = /\.(?:json|ya?ml|txt)$/iu;
const logNames = /\.log$/iu;

/**
 * The files of a folder and of the folders in it. A link to a file is listed, and its target is checked when it is opened;
 * a link to a folder is refused, and so is what is no file at all where its name is one of an object.
 *
 * @throws RecordingError
 */
export function filesBelow(folder: string): FilesBelow {
  const objects: string[] = [];
  const logs: string[] = [];
  let names = 0;
  const visit = (path: string, depth: number): void => {
    if (depth > maxDepth) {
      throw new RecordingError(path, undefined, { key: 'folders-too-deep', values: { max: maxDepth } });
    }
    const entries = inWords(path, () => entriesOf(path, maxNames - names));
    names += entries.length;
    for (const entry of entries) {
      const below = join(path, entry.name);
      if (entry.isDirectory()) visit(below, depth + 1);
      else if (objectNames.test(entry.name)) objects.push(below);
      else if (logNames.test(entry.name)) logs.push(below);
      else if (entry.isSymbolicLink() && leadsToFolder(below)) {
        throw new RecordingError(below, undefined, plainFault('link-to-folder'));
      }
      if (objects.length + logs.length > maxFiles) {
        throw new RecordingError(folder, undefined, { key: 'too-many-files', values: { max: maxFiles } });
      }
    }
  };
  visit(folder, 0);
  if (objects.length === 0) throw new RecordingError(folder, undefined, plainFault('no-recorded-files'));
  return { objects, logs };
}

function entriesOf(path: string, max: number): readonly Dirent[] {
  const found: Dirent[] = [];
  const folder = opendirSync(path);
  try {
    for (let entry = folder.readSync(); entry !== null; entry = folder.readSync()) {
      found.push(entry);
      if (found.length > max) throw new FileError({ key: 'too-many-names', values: { max: maxNames } });
    }
  } finally {
    folder.closeSync();
  }
  return found.sort((a, b) => (a.name < b.name ? -1 : 1));
}

function leadsToFolder(path: string): boolean {
  try {
    opendirSync(path).closeSync();
    return true;
  } catch {
    return false;
  }
}
