import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import {
  type ClusterObjects,
  clusterObjects,
  isResourceKind,
  type ObjectOf,
  type ResourceKind,
  schemas,
} from '../../core/cluster/cluster-objects.js';
import type { ContainerLog } from '../../core/cluster/snapshot.js';
import { redact } from '../../core/redaction/redact.js';
import { isOfKnownGroup } from './api-groups.js';
import { readDocuments } from './read-documents.js';
import { textFilesOf, unreadable } from './read-text.js';
import { RecordingError } from './recording-error.js';

/** Recorded objects of one cluster, ready to be diagnosed without it. */
export interface Recording {
  readonly objects: ClusterObjects;
  readonly logs: readonly ContainerLog[];
  /** The newest moment any object speaks of, RFC3339: the recording's own "now". */
  readonly newest: string | undefined;
  /** Objects of kinds that no rule reads. */
  readonly ignored: number;
}

const maxLogBytes = 64 * 1024;
const maxLogLines = 60;

/**
 * Reads a file or a folder of `kubectl get … -o json|yaml`, with `logs/` beside it.
 *
 * @throws RecordingError naming file and place when nothing usable is there or something is broken
 */
export async function readRecording(path: string): Promise<Recording> {
  const files = await filesOf(path);
  const kept = new Map<string, { readonly kind: ResourceKind; readonly object: ObjectOf<ResourceKind> }>();
  const newest = { at: '' };
  let ignored = 0;
  for (const file of files) {
    await readDocuments(file, shownName(path, file), (document, place) => {
      const shown = shownName(path, file);
      if (typeof document !== 'object' || document === null || !('kind' in document)) {
        // A folder may hold other files beside the objects; a single file that was named may not be something else.
        if (path === file)
          throw new RecordingError(shown, place, 'this is no Kubernetes object: it has no kind');
        ignored += 1;
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
        throw new RecordingError(shown, place, `${kind} has no usable ${where}: ${problem?.message ?? ''}`);
      }
      const object = parsed.data as ObjectOf<ResourceKind>;
      if (object.metadata.name === '') throw new RecordingError(shown, place, `${kind} has no metadata.name`);
      noteNewest(document, newest);
      kept.set(`${kind}/${object.metadata.namespace}/${object.metadata.name}`, { kind, object });
    });
  }
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
    logs: await logsOf(path),
    newest: newest.at === '' ? undefined : newest.at,
    ignored,
  };
}

async function filesOf(path: string): Promise<readonly string[]> {
  const found = await stat(path).catch((error: unknown) => {
    throw new RecordingError(path, '', unreadable(error));
  });
  return found.isDirectory() ? textFilesOf(path) : [path];
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

async function logsOf(path: string): Promise<readonly ContainerLog[]> {
  const folder = join(path, 'logs');
  const names = await readdir(folder).catch(() => []);
  const logs = await Promise.all(
    names.sort().map(async (name): Promise<ContainerLog | undefined> => {
      const parts = logName.exec(name)?.groups;
      if (parts === undefined) return undefined;
      const text = await readFile(join(folder, name), 'utf8');
      const tail = text.slice(-maxLogBytes);
      const lines = redact(tail)
        .split('\n')
        .filter((line) => line !== '');
      return {
        namespace: parts.namespace ?? '',
        pod: parts.pod ?? '',
        container: parts.container ?? '',
        previous: parts.previous !== undefined,
        lines: lines.slice(-maxLogLines),
        truncated: text.length > tail.length || lines.length > maxLogLines,
      };
    }),
  );
  return logs.filter((log) => log !== undefined);
}
