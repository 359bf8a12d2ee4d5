import { existsSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { z } from 'zod';
import {
  type ClusterObjects,
  clusterObjects,
  isResourceKind,
  type ObjectOf,
  type ResourceKind,
  schemas,
} from '../../core/cluster/cluster-objects.js';
import { type ServerVersion, serverVersionIn } from '../../core/cluster/server-version.js';
import type { ContainerLog } from '../../core/cluster/snapshot.js';
import { redact } from '../../core/redaction/redact.js';
import { isWithin, readFileTail, resolveLinks } from '../../regular-file.js';
import { isOfKnownGroup } from './api-groups.js';
import { createAllowance, readDocuments } from './read-documents.js';
import { inWords, namesIn, textFilesOf } from './read-text.js';
import { RecordingError } from './recording-error.js';

/** Recorded objects of one cluster, ready to be diagnosed without it. */
export interface Recording {
  readonly objects: ClusterObjects;
  readonly logs: readonly ContainerLog[];
  /** From a file that holds `kubectl version -o json` or `kubectl get --raw /version`. */
  readonly serverVersion: ServerVersion | undefined;
  /** The newest moment any object speaks of, RFC3339: the recording's own "now". */
  readonly newest: string | undefined;
  /** Objects of kinds that no rule reads. */
  readonly ignored: number;
  /** Objects that do not parse: they are left out, and what they may change is not known. */
  readonly malformed: readonly MalformedObject[];
}

export interface MalformedObject {
  readonly kind: ResourceKind;
  /** '' for a cluster-scoped object, and where the namespace cannot be read either. */
  readonly namespace: string;
  /** '' where the name cannot be read either. */
  readonly name: string;
  readonly error: RecordingError;
}

const maxLogBytes = 64 * 1024;
const maxLogLines = 60;
/** Container logs of one recording. */
const maxLogs = 5_000;
/** Objects kept of one recording: about three times those of the largest cluster that Kubernetes supports. */
const maxObjects = 500_000;

/**
 * Reads a file or a folder of `kubectl get … -o json|yaml`, with `logs/` beside it. Only regular files are read, and of
 * a folder only those that lie in it: a link within the folder is followed, one that leads out of it is refused.
 *
 * @throws RecordingError naming file and place when nothing usable is there or a file is broken
 */
export async function readRecording(path: string): Promise<Recording> {
  const { files, folder: within } = filesOf(path);
  const allowance = createAllowance();
  const kept = new Map<string, { readonly kind: ResourceKind; readonly object: ObjectOf<ResourceKind> }>();
  const newest = { at: '' };
  const malformed: MalformedObject[] = [];
  let ignored = 0;
  const leaveOut = (kind: ResourceKind, from: object, file: string, place: string, why: string): void => {
    const { namespace, name } = placeIn(from);
    const object = [namespace, name].filter((each) => each !== '').join('/');
    const message = [kind, object, why].filter((each) => each !== '').join(' ');
    malformed.push({ kind, namespace, name, error: new RecordingError(file, place, message) });
  };
  let serverVersion: ServerVersion | undefined;
  for (const file of files) {
    const shown = shownName(path, file);
    await readDocuments({ path: file, shown, within }, allowance, (document, place) => {
      if (typeof document !== 'object' || document === null || !('kind' in document)) {
        // A folder may hold other files beside the objects; a single file that was named may not be something else.
        if (path === file)
          throw new RecordingError(shown, place, 'this is no Kubernetes object: it has no kind');
        const version = serverVersionIn(document);
        if (version === undefined) ignored += 1;
        else serverVersion = version;
        return;
      }
      const kind = String(document.kind);
      if (!isResourceKind(kind) || !isOfKnownGroup(kind, 'apiVersion' in document && document.apiVersion)) {
        ignored += 1;
        return;
      }
      const parsed = schemas[kind].safeParse(document);
      if (!parsed.success) {
        const [problem] = parsed.error.issues;
        const where = problem?.path.join('.') ?? '';
        leaveOut(kind, document, shown, place, `has no usable ${where}: ${problem?.message ?? ''}`);
        return;
      }
      const object = parsed.data as ObjectOf<ResourceKind>;
      if (object.metadata.name === '') {
        leaveOut(kind, document, shown, place, 'has no metadata.name');
        return;
      }
      noteNewest(document, newest);
      kept.set(`${kind}/${object.metadata.namespace}/${object.metadata.name}`, { kind, object });
      if (kept.size > maxObjects) {
        throw new RecordingError(shown, place, `the recording holds more than ${maxObjects} objects`);
      }
    });
  }
  const [firstMalformed] = malformed;
  if (kept.size === 0 && firstMalformed !== undefined) throw firstMalformed.error;
  if (kept.size === 0) {
    throw new RecordingError(basename(path), '', 'it holds no Kubernetes object that could be diagnosed');
  }
  const byKind: Partial<Record<ResourceKind, ObjectOf<ResourceKind>[]>> = {};
  for (const { kind, object } of kept.values()) {
    const list = byKind[kind] ?? [];
    list.push(object);
    byKind[kind] = list;
  }
  return {
    objects: clusterObjects(byKind as Partial<ClusterObjects>),
    logs: within === undefined ? [] : logsOf(join(path, 'logs'), within),
    serverVersion,
    newest: newest.at === '' ? undefined : newest.at,
    ignored,
    malformed,
  };
}

const text = z.string().nullish().catch(undefined);
const Placed = z.object({ metadata: z.object({ namespace: text, name: text }).nullish().catch(undefined) });

/** Namespace and name of an object, as far as they can be read. */
function placeIn(document: object): Pick<MalformedObject, 'namespace' | 'name'> {
  const metadata = Placed.safeParse(document).data?.metadata;
  return { namespace: metadata?.namespace ?? '', name: metadata?.name ?? '' };
}

/** @returns `folder` without links, when the path is a folder */
function filesOf(path: string): { readonly files: readonly string[]; readonly folder: string | undefined } {
  return inWords(path, () => {
    if (!statSync(path).isDirectory()) return { files: [path], folder: undefined };
    return { files: textFilesOf(path), folder: resolveLinks(path) };
  });
}

function shownName(path: string, file: string): string {
  return path === file ? basename(file) : join(basename(path), basename(file));
}

const timeFields =
  /^(lastTimestamp|eventTime|lastObservedTime|lastTransitionTime|lastUpdateTime|finishedAt|startedAt|creationTimestamp|renewTime)$/;

/** Walks one object for its newest time; recordings are read long after they were made. */
function noteNewest(value: unknown, newest: { at: string }): void {
  if (typeof value !== 'object' || value === null) return;
  for (const [key, field] of Object.entries(value)) {
    if (typeof field === 'string') {
      if (timeFields.test(key) && field > newest.at && !Number.isNaN(Date.parse(field))) newest.at = field;
    } else noteNewest(field, newest);
  }
}

const logName = /^(?<namespace>[^_]+)_(?<pod>[^_]+)_(?<container>[^_]+?)(?<previous>\.previous)?\.log$/;

function logsOf(folder: string, within: string): readonly ContainerLog[] {
  if (!existsSync(folder) || !statSync(folder).isDirectory()) return [];
  if (!isWithin(resolveLinks(folder), within)) {
    throw new RecordingError(basename(folder), '', 'it is a link that leads out of the folder');
  }
  return namesIn(folder, logName, maxLogs).flatMap((name): readonly ContainerLog[] => {
    const parts = logName.exec(name)?.groups;
    if (parts === undefined) return [];
    const shown = join(basename(folder), name);
    // More is redacted than kept: a value may stand lines below its name, and the first line may be cut.
    const read = inWords(shown, () => readFileTail(join(folder, name), 2 * maxLogBytes, within));
    const whole = redact(new TextDecoder().decode(read.bytes));
    const tail = whole.slice(-maxLogBytes);
    const isCut = read.truncated || whole.length > tail.length;
    const lines = tail
      .slice(isCut ? tail.indexOf('\n') + 1 : 0)
      .split('\n')
      .filter((line) => line !== '');
    return [
      {
        namespace: parts.namespace ?? '',
        pod: parts.pod ?? '',
        container: parts.container ?? '',
        previous: parts.previous !== undefined,
        lines: lines.slice(-maxLogLines),
        truncated: isCut || lines.length > maxLogLines,
      },
    ];
  });
}
