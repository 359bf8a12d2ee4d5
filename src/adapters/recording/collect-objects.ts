import { z } from 'zod';
import {
  type ClusterObjects,
  clusterObjects,
  isResourceKind,
  type ObjectOf,
  type ResourceKind,
  schemas,
} from '../../core/cluster/cluster-objects.js';
import type { ContainerLog } from '../../core/cluster/snapshot.js';
import { isOfKnownGroup } from './api-groups.js';
import { RecordingError } from './recording-error.js';

/** Recorded objects of one cluster, ready to be diagnosed without it. */
export interface Recording {
  readonly objects: ClusterObjects;
  readonly logs: readonly ContainerLog[];
  /** The newest moment any object speaks of, RFC3339: the recording's own "now". */
  readonly newest: string | undefined;
  /** Objects of kinds that no rule reads. */
  readonly ignored: number;
  /** Objects that do not parse: they are left out, and what they may change is not known. */
  readonly malformed: readonly MalformedObject[];
}

export interface MalformedObject {
  readonly kind: ResourceKind;
  /** '' where the name cannot be read either. */
  readonly name: string;
  readonly error: RecordingError;
}

/** Objects kept of one recording: about three times those of the largest cluster that Kubernetes supports. */
const maxObjects = 500_000;

/** Where an object comes from, for errors. */
interface Place {
  readonly shown: string;
  readonly place: string;
  /** A folder may hold other files beside the objects. A single file that was named may not be something else. */
  readonly isOnlyFile: boolean;
}

/** Takes the objects of a recording one by one, and keeps what rules read of those of known kinds. */
export function createCollector() {
  const kept = new Map<string, { readonly kind: ResourceKind; readonly object: ObjectOf<ResourceKind> }>();
  const newest = { at: '' };
  const malformed: MalformedObject[] = [];
  let ignored = 0;

  return {
    /** @throws RecordingError */
    take(document: unknown, { shown, place, isOnlyFile }: Place): void {
      if (typeof document !== 'object' || document === null || !('kind' in document)) {
        // A folder may hold other files beside the objects; a single file that was named may not be something else.
        if (isOnlyFile)
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
        const name = nameIn(document);
        const named = [kind, name].filter((each) => each !== '').join(' ');
        const message = `${named} has no usable ${where}: ${problem?.message ?? ''}`;
        malformed.push({ kind, name, error: new RecordingError(shown, place, message) });
        return;
      }
      const object = parsed.data as ObjectOf<ResourceKind>;
      if (object.metadata.name === '') throw new RecordingError(shown, place, `${kind} has no metadata.name`);
      noteNewest(document, newest);
      kept.set(`${kind}/${object.metadata.namespace}/${object.metadata.name}`, { kind, object });
      if (kept.size > maxObjects) {
        throw new RecordingError(shown, place, `the recording holds more than ${maxObjects} objects`);
      }
    },

    /** @param shown the name of the recording, for errors @throws RecordingError when it has no usable object */
    finish(shown: string): Omit<Recording, 'logs'> {
      const [firstMalformed] = malformed;
      if (kept.size === 0 && firstMalformed !== undefined) throw firstMalformed.error;
      if (kept.size === 0) {
        throw new RecordingError(shown, '', 'it holds no Kubernetes object that could be diagnosed');
      }
      const byKind: Partial<Record<ResourceKind, ObjectOf<ResourceKind>[]>> = {};
      for (const { kind, object } of kept.values()) {
        const list = byKind[kind] ?? [];
        list.push(object);
        byKind[kind] = list;
      }
      return {
        objects: clusterObjects(byKind as Partial<ClusterObjects>),
        newest: newest.at === '' ? undefined : newest.at,
        ignored,
        malformed,
      };
    },
  };
}

const Named = z.object({ metadata: z.object({ name: z.string() }) });

function nameIn(document: object): string {
  return Named.safeParse(document).data?.metadata.name ?? '';
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
