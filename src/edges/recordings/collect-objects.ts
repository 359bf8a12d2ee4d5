import * as z from 'zod';
import type { Place as InputPlace, InputProblem } from '../../doctor/input/input-error.js';
import { type Fault, plainFault } from '../../doctor/input/input-error.js';
import type { ClusterObjects, ObjectOf, ResourceKind } from '../../engine/objects/cluster-objects.js';
import {
  clusterObjects,
  isResourceKind,
  modelKindOf,
  schemas,
} from '../../engine/objects/cluster-objects.js';
import { kserveKinds } from '../../engine/objects/inference-service.js';
import { kueueKinds } from '../../engine/objects/kueue.js';
import type { ServerVersion } from '../../engine/objects/release-rules.js';
import { parseServerVersion, serverVersionIn } from '../../engine/objects/release-rules.js';
import { type ContainerLog, type Unseen, unseenReasons } from '../../engine/objects/snapshot.js';
import { WorkloadKind, workloadKinds } from '../../engine/objects/workload.js';
import { createEngine } from '../../service/create-engine.js';
import { isOfKnownGroup } from './api-groups.js';
import { textUid } from './described/described-kind.js';
import { createUidNames } from './name-by-uid.js';
import { RecordingError } from './recording-error.js';
import { createPartlyRecorded, lackingFields } from './stored-fields.js';

/** Recorded objects of one cluster, ready to be diagnosed without it. */
export interface Recording {
  readonly objects: ClusterObjects;
  readonly logs: readonly ContainerLog[];
  /** From a file that holds `kubectl version -o json` or `kubectl get --raw /version`. */
  readonly serverVersion: ServerVersion | undefined;
  /** The newest time in any object, RFC3339: the recording's own "now". */
  readonly newest: string | undefined;
  /** Objects of kinds that no rule reads. */
  readonly ignored: number;
  /** Objects that do not parse: they are left out, and what they may change is not known. */
  readonly malformed: readonly MalformedObject[];
  /** Of files that `rollout-doctor record` wrote. */
  readonly facts: RecordingFacts | undefined;
  /** Fields that the text of kubectl leaves out, by kind and namespace. */
  readonly partly: readonly Unseen[];
  /** What was left out, for people; up to a few. */
  readonly skipped: readonly InputProblem[];
  /** Nodes on which other pods run than those of the recording. */
  readonly nodesWithOtherPods: readonly string[];
}

interface MalformedObject {
  readonly kind: ResourceKind;
  /** '' for a cluster-scoped object, and where the namespace cannot be read either. */
  readonly namespace: string;
  /** '' where the name cannot be read either. */
  readonly name: string;
  readonly error: RecordingError;
}

/** Objects kept of one recording: about three times those of the largest cluster that Kubernetes supports. */
const maxObjects = 500_000;

/** Where an object comes from, for errors. */
interface Place {
  readonly shown: string;
  readonly place: InputPlace;
  /**
   * A folder may hold other files beside the objects. A single file that was named may not be something else.
   */
  readonly isOnlyFile: boolean;
  /** A watch reported its end: what was read of it before is no more. */
  readonly isGone?: boolean;
  /** It was worked out from text, which leaves out the same fields of each object. */
  readonly isFromText?: boolean;
}

interface Kept {
  readonly kind: ResourceKind;
  readonly object: ObjectOf<ResourceKind>;
  /** The file that it is from. */
  readonly shown: string;
  /** It is an item of a list. */
  readonly isListed: boolean;
  /** Another file holds it too. */
  isRepeated: boolean;
  /** Stored fields that it came without. */
  readonly lacking: readonly string[];
}

/** Versions of one cluster grow; NaN where the object states none. */
function versionOf({ metadata: { resourceVersion } }: ObjectOf<ResourceKind>): number {
  return /^\d{1,15}$/u.test(resourceVersion) ? Number(resourceVersion) : Number.NaN;
}

/** Controllers give pods the names of former ones. A workload of the same name is another one. */
function requireSame(before: Kept, { metadata }: ObjectOf<ResourceKind>, { shown, place }: Place): void {
  const { uid } = before.object.metadata;
  const unknown = ['', textUid(before.kind, metadata.namespace, metadata.name)];
  if (uid === metadata.uid || unknown.includes(uid) || unknown.includes(metadata.uid)) return;
  if (!WorkloadKind.safeParse(before.kind).success) return;
  const object = `${before.kind} ${metadata.namespace}/${metadata.name}`;
  throw new RecordingError(shown, place, { key: 'two-of-a-name', values: { object, other: before.shown } });
}

/** Takes the objects of a recording one by one, and keeps what rules read of those of known kinds. */
export function createCollector() {
  const kept = new Map<string, Kept>();
  /** Lists that hold an older version of an object than another file: it may be gone since. */
  const outdated = new Map<string, { readonly older: string; readonly newer: string }>();
  const newest = { at: '' };
  const uids = createUidNames();
  const texts = new Map<string, string>();
  const malformed: MalformedObject[] = [];
  const partly = createPartlyRecorded();
  const cut: RecordingError[] = [];
  let ignored = 0;
  let serverVersion: ServerVersion | undefined;
  const headers: RecordingHeader[] = [];
  const leaveOut = (
    kind: ResourceKind,
    from: object,
    { shown, place }: Place,
    fault: (object: string) => Fault,
  ): void => {
    const { namespace, name } = placeIn(from);
    const named = [namespace, name].filter((each) => each !== '').join('/');
    const object = named === '' ? kind : `${kind} ${named}`;
    malformed.push({ kind, namespace, name, error: new RecordingError(shown, place, fault(object)) });
  };

  return {
    /** @throws RecordingError */
    take(document: unknown, from: Place): void {
      const { shown, place, isOnlyFile, isGone = false, isFromText = false } = from;
      if (typeof document !== 'object' || document === null || !('kind' in document)) {
        if (isOnlyFile) throw new RecordingError(shown, place, plainFault('no-kind'));
        const version = serverVersionIn(document);
        if (version === undefined) ignored += 1;
        else serverVersion = version;
        return;
      }
      const kind = modelKindOf(String(document.kind), 'apiVersion' in document && document.apiVersion);
      if (kind === headerKind && 'apiVersion' in document && document.apiVersion === headerVersion) {
        const header = RecordingHeader.safeParse(document);
        if (!header.success) throw new RecordingError(shown, place, plainFault('header-unknown'));
        serverVersion = parseServerVersion(header.data.gitVersion ?? '') ?? serverVersion;
        headers.push(header.data);
        return;
      }
      if (!isResourceKind(kind) || !isOfKnownGroup(kind, 'apiVersion' in document && document.apiVersion)) {
        ignored += 1;
        return;
      }
      const times = { at: newest.at };
      shareTexts(document, texts, times);
      const lacking = isFromText ? [] : lackingFields(kind, document);
      uids.name(kind, document);
      const parsed = schemas[kind].safeParse(document);
      if (!parsed.success) {
        const [problem] = parsed.error.issues;
        const wrong = { field: problem?.path.join('.') ?? '', problem: problem?.message ?? '' };
        leaveOut(kind, document, from, (named) => ({
          key: 'field-unusable',
          values: { object: named, ...wrong },
        }));
        return;
      }
      const object = parsed.data as ObjectOf<ResourceKind>;
      if (object.metadata.name === '') {
        leaveOut(kind, document, from, (named) => ({ key: 'name-missing', values: { object: named } }));
        return;
      }
      // What a node has room for decides whether a pod fits: without it, the node counts as unread.
      if (lacking.includes('status.allocatable')) {
        const wrong = {
          field: 'status.allocatable',
          problem: 'Invalid input: expected record, received undefined',
        };
        leaveOut(kind, document, from, (named) => ({
          key: 'field-unusable',
          values: { object: named, ...wrong },
        }));
        return;
      }
      newest.at = times.at;
      const key = `${kind}/${object.metadata.namespace}/${object.metadata.name}`;
      if (isGone) {
        kept.delete(key);
        return;
      }
      const isListed = place !== undefined && 'item' in place;
      const before = kept.get(key);
      if (before !== undefined) {
        const age = versionOf(before.object) - versionOf(object);
        const isWeaker = Number.isNaN(age) && lacking.length > before.lacking.length;
        if (before.shown !== shown) {
          requireSame(before, object, from);
          if (age !== 0 && isListed && before.isListed) {
            const [older, newer] = age > 0 ? [shown, before.shown] : [before.shown, shown];
            outdated.set(`${kind}/${object.metadata.namespace}/${older}`, { older, newer });
          }
          before.isRepeated = true;
        }
        if (age > 0 || isWeaker) return;
      }
      kept.set(key, { kind, object, shown, isListed, isRepeated: before?.isRepeated ?? false, lacking });
      if (kept.size > maxObjects) {
        throw new RecordingError(shown, place, { key: 'too-many-objects', values: { max: maxObjects } });
      }
    },

    /** Objects of these kinds are missing from a list: what they may change is not known. */
    lacks(kinds: ReadonlySet<string>, error: RecordingError): void {
      cut.push(error);
      for (const each of kinds) {
        const kind = modelKindOf(each, undefined);
        if (isResourceKind(kind)) malformed.push({ kind, namespace: '', name: '', error });
      }
    },

    /** The newest time of the objects so far, RFC3339. */
    newest: (): string | undefined => (newest.at === '' ? undefined : newest.at),

    isEmpty: (): boolean => kept.size === 0 && malformed.length === 0,

    /** The objects so far, with the stored fields that each came without. */
    objects: (): Iterable<Pick<Kept, 'object' | 'lacking'>> => kept.values(),

    /**
     * @param shown the name of the recording, for errors @throws RecordingError when it has no usable object
     */
    finish(shown: string): Omit<Recording, 'logs'> {
      const [firstMalformed] = malformed;
      if (kept.size === 0 && firstMalformed !== undefined) throw firstMalformed.error;
      if (kept.size === 0) {
        throw new RecordingError(shown, undefined, plainFault('nothing-usable'));
      }
      const facts = joinHeaders(headers);
      if (facts === undefined && headers.length > 0) {
        throw new RecordingError(shown, undefined, plainFault('several-clusters'));
      }
      for (const { kind, object, shown: from, isRepeated } of kept.values()) {
        const { namespace } = object.metadata;
        const place = `${kind}/${namespace}/${from}`;
        const found = outdated.get(place);
        if (found === undefined || isRepeated) continue;
        outdated.delete(place);
        const error = new RecordingError(found.older, undefined, {
          key: 'older-list',
          values: { kind, newer: found.newer },
        });
        cut.push(error);
        malformed.push({ kind, namespace, name: '', error });
      }
      for (const { kind, object, lacking } of kept.values()) {
        partly.add(kind, object.metadata.namespace, lacking);
      }
      for (const { kind, metadata } of uids.shared([...kept.values()].map(({ object }) => object))) {
        partly.add(kind, metadata.namespace, ['metadata.uid']);
      }
      const byKind: Partial<Record<ResourceKind, ObjectOf<ResourceKind>[]>> = {};
      for (const { kind, object } of kept.values()) {
        const list = byKind[kind] ?? [];
        list.push(uids.joined(object));
        byKind[kind] = list;
      }
      return {
        objects: clusterObjects(byKind as Partial<ClusterObjects>),
        serverVersion,
        newest: newest.at === '' ? undefined : newest.at,
        ignored,
        malformed,
        facts,
        partly: partly.unseen(),
        nodesWithOtherPods: [],
        skipped: cut,
      };
    },
  };
}

const text = z.string().nullish().catch(undefined);
const Placed = z.object({ metadata: z.object({ namespace: text, name: text }).nullish().catch(undefined) });

/** Namespace and name of an object, as far as they can be read. */
function placeIn(document: object): Pick<MalformedObject, 'namespace' | 'name'> {
  const metadata = Placed.safeParse(document).data?.metadata;
  return { namespace: metadata?.namespace ?? '', name: metadata?.name ?? '' };
}

const timeFields: ReadonlySet<string> = new Set([
  'lastTimestamp',
  'eventTime',
  'lastObservedTime',
  'lastTransitionTime',
  'lastUpdateTime',
  'finishedAt',
  'startedAt',
  'creationTimestamp',
  'renewTime',
]);

/** Longer texts are seldom equal to others. */
const longestShared = 128;
/** Texts that are known at a time. Most are names, which appear once. */
const maxShared = 65_536;

/**
 * Walks one object for its newest time, since recordings are read long after they were made. Equal texts of
 * all objects become one: half of what many pods take are the same few names and words.
 */
function shareTexts(value: object, texts: Map<string, string>, newest: { at: string }): void {
  const fields = value as Record<string, unknown>;
  for (const key in fields) {
    const field = fields[key];
    if (typeof field === 'string') {
      if (timeFields.has(key) && field > newest.at && !Number.isNaN(Date.parse(field))) newest.at = field;
      if (field.length > longestShared) continue;
      const shared = texts.get(field);
      if (shared !== undefined) {
        fields[key] = shared;
        continue;
      }
      if (texts.size >= maxShared) texts.clear();
      texts.set(field, field);
      // Half of an object may be who wrote which field, without these times.
    } else if (typeof field === 'object' && field !== null && key !== 'managedFields') {
      shareTexts(field, texts, newest);
    }
  }
}

export const headerVersion = 'rollout-doctor/v1';
export const headerKind = 'Recording';

/** Characters of a message of the API server that are kept. */
const maxMessage = 500;
const maxUnread = 500;

const Unread = z.object({
  what: z.union([
    z.literal('ServerVersion'),
    z.custom<ResourceKind>((kind) => typeof kind === 'string' && isResourceKind(kind)),
  ]),
  namespace: z.string().max(253),
  because: z.enum(unseenReasons),
  message: z.string().transform((text) => text.slice(0, maxMessage)),
});

/** The first object of a file that `rollout-doctor record` writes. */
export const RecordingHeader = z.object({
  apiVersion: z.literal(headerVersion),
  kind: z.literal(headerKind),
  /** When the objects were read. */
  takenAt: z.iso.datetime(),
  /** The context of the kubeconfig. */
  cluster: z.string().max(253),
  /** The recorded namespace; '' for all. */
  namespace: z.string().max(253),
  /** `gitVersion` of the API server. */
  gitVersion: z.string().max(80).optional(),
  /** Of the marks that stand for values that were left out. */
  salt: z.string().max(100),
  /** What could not be read. */
  unread: z.array(Unread).max(maxUnread),
});
export type RecordingHeader = z.output<typeof RecordingHeader>;

/** What the headers of all files of a recording say together. */
interface RecordingFacts {
  /** The newest time, RFC3339. */
  readonly takenAt: string;
  readonly salt: string;
  readonly unread: readonly Unseen[];
}

/** @returns `undefined` where the salts differ: marks of two clusters cannot be compared */
function joinHeaders(headers: readonly RecordingHeader[]): RecordingFacts | undefined {
  const [first] = headers;
  if (first === undefined || headers.some(({ salt }) => salt !== first.salt)) return undefined;
  const takenAt = headers.map((header) => header.takenAt).reduce((a, b) => (a > b ? a : b));
  return { takenAt, salt: first.salt, unread: headers.flatMap(({ unread }) => unread) };
}

/**
 * What rules read of a cluster. Logs, ConfigMaps, Secrets and objects of deployment tools may hold secrets.
 */
export function recordedKinds(): readonly ResourceKind[] {
  const kinds = new Set<ResourceKind>([
    ...workloadKinds,
    ...kserveKinds,
    'Revision',
    'NodePool',
    'PodGroup',
    'VerticalPodAutoscaler',
    ...kueueKinds,
  ]);
  for (const need of createEngine().needs) if (need !== 'PodLog') kinds.add(need);
  return [...kinds].sort();
}
