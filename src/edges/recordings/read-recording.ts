import { type Dirent, opendirSync, statSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { plainFault } from '../../doctor/input/fault-text.js';
import type { ContainerLog } from '../../engine/objects/snapshot.js';
import { FileError, isWithin, resolveLinks } from '../files/regular-file.js';
import { createCollector, type Recording } from './collect-objects.js';
import { createTextCollector, logOfPath, maxLogs, readLog } from './collect-text.js';
import { createAllowance, readDocuments } from './read-documents.js';
import { inWords } from './read-text.js';
import { RecordingError } from './recording-error.js';

interface ReadOptions {
  /** RFC3339: when text was printed that states ages in place of times. */
  readonly at?: string | undefined;
}

/**
 * Reads what people have of a cluster: a file or a folder, with the folders in it, of JSON, YAML and the text
 * of kubectl, and the logs of containers. Only regular files are read, and of a folder only those that lie in
 * it: a link to a file within it is followed, one that leads out of it is refused.
 *
 * @throws RecordingError naming file and place when nothing usable is there or a file is broken
 */
export async function readRecording(path: string, { at }: ReadOptions = {}): Promise<Recording> {
  const { objects, logs: logFiles, packed, within } = filesOf(path);
  const allowance = createAllowance();
  const collector = createCollector();
  const text = createTextCollector();
  for (const file of objects) {
    const shown = shownName(path, file);
    await readDocuments(
      { path: file, shown, within },
      allowance,
      (document, place) => collector.take(document, { shown, place, isOnlyFile: path === file }),
      (part) => text.take(part, shown),
    );
  }
  const { nodesWithOtherPods, partly, printedAt, objects: described } = text.join(collector, at);
  for (const object of described) {
    collector.take(object, { shown: basename(path), place: undefined, isOnlyFile: false });
  }
  const logs = [...text.logs(), ...(within === undefined ? [] : logsOf(path, logFiles, within))];
  const [firstPacked] = packed;
  const skipped = [
    ...text.skipped(),
    ...(firstPacked === undefined
      ? []
      : [
          new RecordingError(basename(path), undefined, {
            key: 'packed-left-out',
            values: { files: packed.length, first: shownName(path, firstPacked) },
          }),
        ]),
    ...(logs.length > maxLogs
      ? [new RecordingError(basename(path), undefined, { key: 'logs-left-out', values: { max: maxLogs } })]
      : []),
  ];
  const [firstSkipped] = skipped;
  if (firstSkipped !== undefined && collector.isEmpty()) throw firstSkipped;
  const recording = collector.finish(basename(path));
  return {
    ...recording,
    newest: newestOf(recording.newest, printedAt),
    partly: [...recording.partly, ...partly].filter(
      ({ what, namespace }) =>
        !(what === 'PodLog' && logs.some((log) => log.namespace === namespace)) &&
        !(
          what === 'Lease' && recording.objects.Lease.some(({ metadata }) => metadata.namespace === namespace)
        ),
    ),
    nodesWithOtherPods,
    skipped,
    logs: logs.slice(0, maxLogs),
  };
}

/** Times of the API have no fractions, or fractions of different lengths. */
function newestOf(...times: readonly (string | undefined)[]): string | undefined {
  const known = times.filter((time) => time !== undefined);
  return known.sort((a, b) => Date.parse(b) - Date.parse(a))[0];
}

/** @returns `within`: the folder without links, when the path is a folder */
function filesOf(path: string): {
  readonly objects: readonly string[];
  readonly logs: readonly string[];
  readonly packed: readonly string[];
  readonly within: string | undefined;
} {
  const isFolder = inWords(path, () => statSync(path).isDirectory());
  if (!isFolder) return { objects: [path], logs: [], packed: [], within: undefined };
  return { ...filesBelow(path), within: inWords(path, () => resolveLinks(path)) };
}

/** Below the folder that was named, without the way to it. */
function shownName(path: string, file: string): string {
  return path === file ? basename(file) : join(basename(path), relative(path, file));
}

function logsOf(path: string, files: readonly string[], within: string): readonly ContainerLog[] {
  const logs: ContainerLog[] = [];
  for (const file of files) {
    const of = logOfPath(relative(dirname(path), file));
    if (of === undefined || logs.length > maxLogs) continue;
    logs.push(readLog(file, shownName(path, file), of, within));
  }
  return logs;
}

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
function filesBelow(folder: string): FilesBelow {
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
