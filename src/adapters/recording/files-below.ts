import { type Dirent, opendirSync } from 'node:fs';
import { join } from 'node:path';
import { plainFault } from '../../fault-text.js';
import { FileError, isWithin, resolveLinks } from '../../regular-file.js';
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
  /** Archives and compressed files, which are not unpacked. */
  readonly packed: readonly string[];
}

const objectNames = /\.(?:json|ya?ml|txt)$/iu;
const logNames = /\.log$/iu;
const packedNames = /\.(?:gz|tgz|tar|zip|xz|bz2|zst)$/iu;

/**
 * The files of a folder and of the folders in it, but for hidden ones: the volume of a ConfigMap keeps its
 * files in `..data` and has a link to each. A link to a file is listed, and its target is checked when it is
 * opened. A link to a folder of this folder adds nothing, and one that leads out of it is refused.
 *
 * @throws RecordingError
 */
export function filesBelow(folder: string): FilesBelow {
  const objects: string[] = [];
  const logs: string[] = [];
  const packed: string[] = [];
  const root = inWords(folder, () => resolveLinks(folder));
  let names = 0;
  const visit = (path: string, depth: number): void => {
    if (depth > maxDepth) {
      throw new RecordingError(path, undefined, { key: 'folders-too-deep', values: { max: maxDepth } });
    }
    const entries = inWords(path, () => entriesOf(path, maxNames - names));
    names += entries.length;
    for (const entry of entries) {
      const below = join(path, entry.name);
      if (entry.isDirectory()) {
        if (!entry.name.startsWith('.')) visit(below, depth + 1);
        continue;
      }
      if (objectNames.test(entry.name)) objects.push(below);
      else if (logNames.test(entry.name)) logs.push(below);
      else if (packedNames.test(entry.name)) packed.push(below);
      else if (entry.isSymbolicLink() && leadsToFolder(below)) requireWithin(root, below);
      if (objects.length + logs.length > maxFiles) {
        throw new RecordingError(folder, undefined, { key: 'too-many-files', values: { max: maxFiles } });
      }
    }
  };
  visit(folder, 0);
  if (objects.length === 0) throw new RecordingError(folder, undefined, plainFault('no-recorded-files'));
  return { objects, logs, packed };
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

function requireWithin(root: string, link: string): void {
  const target = inWords(link, () => resolveLinks(link));
  if (target !== root && !isWithin(target, root)) {
    throw new RecordingError(link, undefined, plainFault('link-outside'));
  }
}

function leadsToFolder(path: string): boolean {
  try {
    opendirSync(path).closeSync();
    return true;
  } catch {
    return false;
  }
}
