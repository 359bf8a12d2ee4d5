import { plainFault } from '../../doctor/input/input-error.js';
import { kueueKinds } from '../../engine/objects/kueue.js';
import type { ContainerLog } from '../../engine/objects/snapshot.js';
import { createCollector, type Recording } from './collect-objects.js';
import { createTextCollector, logOfPath, maxLogs, readLog } from './collect-text.js';
import { isOfText } from './described/described-kind.js';
import { createAllowance, type RecordedFile, readDocuments } from './read-documents.js';
import { RecordingError } from './recording-error.js';

/** Kinds that descriptions leave out, and that other files may hold for a namespace. */
const ofNamespace = ['Lease', 'Event'] as const;

export interface ReadOptions {
  /** The name of the recording in errors. */
  readonly shown: string;
  /** RFC3339: when text was printed that states ages in place of times. */
  readonly at?: string | undefined;
}

/** The files of a folder, or one file. */
export interface FilesOfRecording {
  /** Files that may hold objects, in the order of their paths. */
  readonly objects: readonly RecordedFile[];
  readonly logs: readonly RecordedFile[];
  /** The names of archives and compressed files, which are not unpacked. */
  readonly packed: readonly string[];
}

export type FileRole = keyof FilesOfRecording;

const namesOf: Readonly<Record<FileRole, RegExp>> = {
  objects: /\.(?:json|ya?ml|txt)$/iu,
  logs: /\.log$/iu,
  packed: /\.(?:gz|tgz|tar|zip|xz|bz2|zst)$/iu,
};

/** What a file of a folder may hold, by its name; `undefined` where it is not read. */
export function roleOfFile(name: string): FileRole | undefined {
  const roles: readonly FileRole[] = ['objects', 'logs', 'packed'];
  return roles.find((role) => namesOf[role].test(name));
}

/** Files of one recording. A must-gather of a large cluster has some ten thousand. */
const maxFiles = 50_000;

/**
 * Reads the files of a recording, wherever they lie.
 *
 * @throws RecordingError naming file and place when nothing usable is there or a file is broken
 */
export async function readFiles(
  { objects, logs: logFiles, packed }: FilesOfRecording,
  { shown, at }: ReadOptions,
): Promise<Recording> {
  if (objects.length === 0) throw new RecordingError(shown, undefined, plainFault('no-recorded-files'));
  if (objects.length + logFiles.length > maxFiles) {
    throw new RecordingError(shown, undefined, { key: 'too-many-files', values: { max: maxFiles } });
  }
  const allowance = createAllowance();
  const collector = createCollector();
  const text = createTextCollector();
  for (const file of objects) {
    const { shown: from, isInFolder } = file;
    await readDocuments(file, allowance, {
      take: (document, place, isGone = false) =>
        collector.take(document, { shown: from, place, isGone, isOnlyFile: !isInFolder }),
      lacks: (kinds, place, fault) => collector.lacks(kinds, new RecordingError(from, place, fault)),
      takeText: (part) => text.take(part, from),
    });
  }
  const { nodesWithOtherPods, partly, printedAt, objects: described } = text.join(collector, at);
  for (const object of described) {
    collector.take(object, { shown, place: undefined, isOnlyFile: false, isFromText: true });
  }
  const logs = [...text.logs(), ...(await logsOf(logFiles))];
  const [firstPacked] = packed;
  const skipped = [
    ...text.skipped(),
    ...(firstPacked === undefined
      ? []
      : [
          new RecordingError(shown, undefined, {
            key: 'packed-left-out',
            values: { files: packed.length, first: firstPacked },
          }),
        ]),
    ...(logs.length > maxLogs
      ? [new RecordingError(shown, undefined, { key: 'logs-left-out', values: { max: maxLogs } })]
      : []),
  ];
  const [firstSkipped] = skipped;
  if (firstSkipped !== undefined && collector.isEmpty()) throw firstSkipped;
  const recording = collector.finish(shown);
  return {
    ...recording,
    newest: newestOf(recording.newest, printedAt),
    partly: [...recording.partly, ...partly].filter(
      ({ what, namespace }) =>
        !(what === 'PodLog' && logs.some((log) => log.namespace === namespace)) &&
        !(what === 'VolumeAttachment' && recording.objects.VolumeAttachment.length > 0) &&
        !kueueKinds.some((kind) => kind === what && recording.objects[kind].length > 0) &&
        !ofNamespace.some(
          (kind) =>
            kind === what &&
            recording.objects[kind].some(
              ({ metadata }) => metadata.namespace === namespace && !isOfText(metadata.uid),
            ),
        ),
    ),
    nodesWithOtherPods,
    skipped: [...recording.skipped, ...skipped],
    logs: logs.slice(0, maxLogs),
  };
}

/** Times of the API have no fractions, or fractions of different lengths. */
function newestOf(...times: readonly (string | undefined)[]): string | undefined {
  const known = times.filter((time) => time !== undefined);
  return known.sort((a, b) => Date.parse(b) - Date.parse(a))[0];
}

async function logsOf(files: readonly RecordedFile[]): Promise<readonly ContainerLog[]> {
  const logs: ContainerLog[] = [];
  for (const file of files) {
    const of = logOfPath(file.shown);
    if (of === undefined || logs.length > maxLogs) continue;
    logs.push(await readLog(file, of));
  }
  return logs;
}
