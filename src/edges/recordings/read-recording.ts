import { closeSync, createReadStream, type Dirent, opendirSync, statSync } from 'node:fs';
import { basename, join, relative, sep } from 'node:path';
import { plainFault } from '../../doctor/input/input-error.js';
import {
  FileError,
  isWithin,
  openRegularFile,
  readFileTail,
  readRegularFile,
  resolveLinks,
} from '../files/regular-file.js';
import type { Recording } from './collect-objects.js';
import type { RecordedFile } from './read-documents.js';
import type { FileRole, FilesOfRecording, ReadOptions } from './read-files.js';
import { readFiles, roleOfFile } from './read-files.js';
import { inWords } from './read-text.js';
import { RecordingError } from './recording-error.js';

/**
 * Reads what people have of a cluster: a file or a folder, with the folders in it, of JSON, YAML and the text
 * of kubectl, and the logs of containers. Only regular files are read, and of a folder only those that lie in
 * it: a link to a file within it is followed, one that leads out of it is refused.
 *
 * @throws RecordingError naming file and place when nothing usable is there or a file is broken
 */
export async function readRecording(path: string, { at }: Pick<ReadOptions, 'at'> = {}): Promise<Recording> {
  return readFiles(filesOf(path), { shown: basename(path), at });
}

function filesOf(path: string): FilesOfRecording {
  const isFolder = inWords(path, () => statSync(path).isDirectory());
  if (!isFolder) return { objects: [fileOnDisk(path)], logs: [], packed: [] };
  const { objects, logs, packed } = filesBelow(path);
  const within = inWords(path, () => resolveLinks(path));
  const inFolder = (file: string): RecordedFile => fileOnDisk(file, { folder: path, within });
  return {
    objects: objects.map(inFolder),
    logs: logs.map(inFolder),
    packed: packed.map((file) => shownName(path, file)),
  };
}

/** Below the folder that was named, without the way to it. */
function shownName(folder: string, file: string): string {
  return join(basename(folder), relative(folder, file)).split(sep).join('/');
}

const pieceBytes = 1024 * 1024;

/** @param named the folder that was named, and its path without links, in which the file must lie */
export function fileOnDisk(
  path: string,
  named?: { readonly folder: string; readonly within: string },
): RecordedFile {
  const shown = named === undefined ? basename(path) : shownName(named.folder, path);
  const within = named?.within;
  return {
    shown,
    isInFolder: named !== undefined,
    size() {
      const { descriptor, size } = inWords(shown, () => openRegularFile(path, within));
      closeSync(descriptor);
      return size;
    },
    bytes: (maxBytes) => inWords(shown, () => readRegularFile(path, maxBytes, within)),
    tail: (maxBytes) => inWords(shown, () => readFileTail(path, maxBytes, within)),
    async *pieces(maxBytes) {
      const { descriptor } = inWords(shown, () => openRegularFile(path, within));
      yield* createReadStream('', { fd: descriptor, end: maxBytes - 1, highWaterMark: pieceBytes });
    },
  };
}

/** Names that the folders may hold together, whatever they are. */
const maxNames = 200_000;
/** Folders in one another: a must-gather has ten. */
const maxDepth = 16;

/**
 * The files of a folder and of the folders in it, but for hidden ones: the volume of a ConfigMap keeps its
 * files in `..data` and has a link to each. A link to a file is listed, and its target is checked when it is
 * opened. A link to a folder of this folder adds nothing, and one that leads out of it is refused.
 *
 * @throws RecordingError
 */
function filesBelow(folder: string): Record<FileRole, string[]> {
  const found: Record<FileRole, string[]> = { objects: [], logs: [], packed: [] };
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
      const role = roleOfFile(entry.name);
      if (role !== undefined) found[role].push(below);
      else if (entry.isSymbolicLink() && leadsToFolder(below)) requireWithin(root, below);
    }
  };
  visit(folder, 0);
  return found;
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
