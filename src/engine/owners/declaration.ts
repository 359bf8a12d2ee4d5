import * as z from 'zod';
import type { ManagedFieldsEntry } from '../objects/metadata.js';
import type { Immutable, JsonObject } from '../objects/wire.js';
import { apiVersionOf, hasDeploymentStrategy, type Workload } from '../objects/workload.js';
import { Owner, type RestsOn, stepsOf, type Verdict } from './field-drift.js';
import { declaredIn, lastAppliedOf, type Writer, type WrittenObject, writersOf } from './writers.js';

/** A field of the workload and what the plan makes of it. */
export type ChangedField = { readonly path: string; readonly before?: unknown; readonly after?: unknown };

/** Whether a writer declares a field, and what says so. */
export type Declaration = { readonly restsOn: readonly RestsOn[] } & (
  | { readonly type: 'undeclared' }
  /** `isCleared`: not itself, but a key beside it, so that a client-side apply takes it away. */
  | { readonly type: 'declared'; readonly isCleared?: boolean }
  | { readonly type: 'unknown'; readonly because: Extract<Verdict, { readonly type: 'unknown' }>['because'] }
);

/** How this program signs its writes. */
export const ourManager = 'rollout-doctor';

/**
 * Older entries of `Update` are merged into the first one; fields from before the first apply are the
 * second's.
 */
export const mergedManagers: ReadonlySet<string> = new Set(['ancient-changes', 'before-first-apply']);

/**
 * Whether the writer's source declares the field, by the best evidence there is: its `Apply` entry, which
 * lists exactly what it declared; the configuration of the last client-side apply; its `Update` entry, which
 * lists defaults as well.
 */
export function declarationOf(writer: Writer, field: ChangedField, workload: WrittenObject): Declaration {
  const entries = entriesOf(workload);
  const own = entries.filter(({ manager }) => manager === writer.manager);
  const applied = own.filter(({ operation }) => operation === 'Apply');
  if (applied.length > 0) return fromApply(applied, field, workload.kind, entries);
  if (readsLastApplied(writer)) {
    const manifest = lastAppliedOf(workload);
    if (manifest !== undefined) {
      const restsOn = [{ type: 'last-applied' }] as const;
      const declared = declaredIn(manifest, field.path, workload.kind);
      const isCleared = declared !== undefined && !('value' in declared);
      const isWanted = declared !== undefined && !isCleared && declared.value === field.after;
      return declared === undefined || isWanted
        ? { type: 'undeclared', restsOn }
        : { type: 'declared', isCleared, restsOn };
    }
  }
  return fromUpdate(own, field, workload.kind, entries);
}

/** Argo CD writes the annotation in a client-side sync, kubectl in every client-side apply. */
function readsLastApplied({ type }: Writer): boolean {
  return type === 'argo-cd' || type === 'kubectl';
}

function fromApply(
  applied: readonly ManagedFieldsEntry[],
  { path }: ChangedField,
  kind: string,
  entries: readonly ManagedFieldsEntry[],
): Declaration {
  const owning = applied.find((entry) => ownedBy(entry, path) !== 'none');
  const restsOn = basisOf(owning ?? applied[0]);
  if (owning !== undefined) {
    return isServed(owning, kind)
      ? { type: 'declared', restsOn }
      : { type: 'unknown', because: 'other-version', restsOn };
  }
  if (!applied.every((entry) => isServed(entry, kind)))
    return { type: 'unknown', because: 'other-version', restsOn };
  return takenBy(entries, path) ?? { type: 'undeclared', restsOn };
}

function fromUpdate(
  own: readonly ManagedFieldsEntry[],
  { path, before }: ChangedField,
  kind: string,
  entries: readonly ManagedFieldsEntry[],
): Declaration {
  const owning = own.find((entry) => ownedBy(entry, path) !== 'none');
  const restsOn = basisOf(owning ?? own[0]);
  if (owning !== undefined) {
    if (!isServed(owning, kind)) return { type: 'unknown', because: 'other-version', restsOn };
    return isApiDefault(kind, path, before)
      ? { type: 'unknown', because: 'default-value', restsOn }
      : { type: 'declared', restsOn };
  }
  const merged = entries.find(
    (entry) => mergedManagers.has(entry.manager) && ownedBy(entry, path) !== 'none',
  );
  if (merged !== undefined) return { type: 'unknown', because: 'merged-managers', restsOn: basisOf(merged) };
  if (own.length === 0) return { type: 'unknown', because: 'no-evidence', restsOn: [{ type: 'marks' }] };
  return takenBy(entries, path) ?? { type: 'undeclared', restsOn };
}

/** An update takes the fields it changes away from every other manager, also from one that declares them. */
function takenBy(entries: readonly ManagedFieldsEntry[], path: string): Declaration | undefined {
  const taking = entries.find(
    (entry) => entry.operation === 'Update' && isByHand(entry.manager) && ownedBy(entry, path) !== 'none',
  );
  return taking && { type: 'unknown', because: 'taken-by-another', restsOn: basisOf(taking) };
}

/**
 * Writes of people by kubectl, and ours. `kubectl create` and `kubectl apply` make objects rather than change
 * them.
 */
export function isByHand(manager: string): boolean {
  if (manager === 'kubectl-create' || manager === 'kubectl-client-side-apply') return false;
  return manager === ourManager || manager.startsWith('kubectl');
}

/** Entries of the object itself; those of subresources own no field that its owners declare. */
export function entriesOf({ metadata }: Pick<WrittenObject, 'metadata'>): readonly ManagedFieldsEntry[] {
  return metadata.managedFields.filter(({ subresource }) => subresource === '');
}

export function ownedBy({ fieldsV1 }: ManagedFieldsEntry, path: string): Ownership {
  return ownershipOf(fieldsV1, path);
}

/** The API server does not store `paused: false`: nobody owns the field then. */
export function isStored({ path, after }: ChangedField): boolean {
  return path !== 'spec.paused' || after === true;
}

/** Paths of a version other than that under which the workload is read are not compared. */
function isServed({ apiVersion }: ManagedFieldsEntry, kind: string): boolean {
  return apiVersion === '' || apiVersion === apiVersionOf(kind);
}

function basisOf(entry: ManagedFieldsEntry | undefined): readonly RestsOn[] {
  if (entry === undefined) return [{ type: 'marks' }];
  const { manager, operation } = entry;
  return [{ type: 'managed-fields', manager, operation }];
}

/**
 * Values that the API server sets where a manifest leaves a field out (kubernetes
 * `pkg/apis/apps/v1/defaults.go`, `pkg/apis/core/v1/defaults.go`). An entry `Update` of `managedFields` lists
 * them like declared ones.
 */
const ofKind: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  Deployment: {
    'spec.strategy.type': 'RollingUpdate',
    'spec.strategy.rollingUpdate.maxSurge': '25%',
    'spec.strategy.rollingUpdate.maxUnavailable': '25%',
    'spec.paused': false,
    'spec.replicas': 1,
  },
  DaemonSet: {
    'spec.updateStrategy.type': 'RollingUpdate',
    'spec.updateStrategy.rollingUpdate.maxSurge': 0,
    'spec.updateStrategy.rollingUpdate.maxUnavailable': 1,
  },
  StatefulSet: {
    'spec.updateStrategy.type': 'RollingUpdate',
    'spec.updateStrategy.rollingUpdate.partition': 0,
    'spec.replicas': 1,
  },
};

/** Fields of the pod template, by their last step. */
const ofTemplate: Readonly<Record<string, readonly unknown[]>> = {
  imagePullPolicy: ['IfNotPresent', 'Always'],
  terminationMessagePath: ['/dev/termination-log'],
  terminationMessagePolicy: ['File'],
  restartPolicy: ['Always'],
  dnsPolicy: ['ClusterFirst'],
  schedulerName: ['default-scheduler'],
  terminationGracePeriodSeconds: [30],
  protocol: ['TCP'],
  timeoutSeconds: [1],
  periodSeconds: [10],
  successThreshold: [1],
  failureThreshold: [3],
  scheme: ['HTTP'],
  defaultMode: [420],
};

/** Whether the value is the one that the API server would have set by itself. */
export function isApiDefault(kind: string, path: string, value: unknown): boolean {
  const known = ofKind[kind];
  if (known !== undefined && Object.hasOwn(known, path)) return known[path] === value;
  if (!path.startsWith('spec.template.')) return false;
  const last = path.slice(path.lastIndexOf('.') + 1);
  return Object.hasOwn(ofTemplate, last) && (ofTemplate[last] ?? []).includes(value);
}

/** How much of a field an entry of `managedFields` owns. */
export type Ownership = 'whole' | 'partly' | 'none';

/**
 * Structs whose fields are owned one by one: as a leaf, the owner declared them empty. Every other leaf above
 * a field is atomic and holds the field (structured-merge-diff, `structType=atomic`).
 */
const granular: ReadonlySet<string> = new Set([
  'spec',
  'metadata',
  'annotations',
  'labels',
  'strategy',
  'updateStrategy',
  'rollingUpdate',
  'template',
  'affinity',
  'nodeAffinity',
  'podAffinity',
  'podAntiAffinity',
  'securityContext',
  'resources',
]);

/**
 * Walks `fieldsV1` along a path. A leaf `{}` and a node with `.` are owned, and so is everything below an
 * atomic leaf. Items of lists stand under their merge keys: `k:{"name":"app"}` (structured-merge-diff
 * `fieldpath/serialize-pe.go`).
 */
export function ownershipOf(fieldsV1: JsonObject | undefined, path: string): Ownership {
  let node: JsonObject = fieldsV1 ?? {};
  let above = '';
  for (const step of stepsOf(path)) {
    if (above !== '' && isLeaf(node)) return granular.has(above) ? 'none' : 'whole';
    const next = childOf(node, step);
    // Items whose merge key is not their name, as ports: any of them may be the one.
    if (next === undefined)
      return Object.keys(node).some((key) => isItemWithoutName(key)) ? 'partly' : 'none';
    node = next;
    above = step;
  }
  return isLeaf(node) || Object.hasOwn(node, '.') ? 'whole' : 'partly';
}

function isLeaf(node: JsonObject): boolean {
  return Object.keys(node).length === 0;
}

function childOf(node: JsonObject, step: string): JsonObject | undefined {
  const key = Object.hasOwn(node, `f:${step}`)
    ? `f:${step}`
    : Object.keys(node).find((each) => mergeKeysOf(each)?.name === step);
  const child = key === undefined ? undefined : node[key];
  return typeof child === 'object' && child !== null ? (child as JsonObject) : undefined;
}

function isItemWithoutName(key: string): boolean {
  const keys = mergeKeysOf(key);
  return keys !== undefined && keys.name === undefined;
}

function mergeKeysOf(key: string): JsonObject | undefined {
  if (!key.startsWith('k:')) return undefined;
  try {
    const keys: unknown = JSON.parse(key.slice(2));
    return typeof keys === 'object' && keys !== null ? (keys as JsonObject) : undefined;
  } catch {
    return undefined;
  }
}

const amounts = ['maxSurge', 'maxUnavailable'].map((name) => `spec.strategy.rollingUpdate.${name}`);

/**
 * Whether the API server would refuse Recreate in the owner's next apply. A server-side apply removes
 * `rollingUpdate` in every form only where the owner declares both counts and nobody else owns one; otherwise
 * values can stay, defaults included, and are forbidden beside Recreate (structured-merge-diff
 * `typed/merge.go: doMap`; `test/cluster/owners/kubectl.nightly.test.ts` tries the forms).
 * Kustomize-controller always applies server-side.
 */
export function refusesRecreate(workload: Workload): boolean {
  if (!hasDeploymentStrategy(workload) || workload.spec.strategy.type === 'Recreate') return false;
  const holding = entriesOf(workload).filter((entry) =>
    amounts.some((path) => ownedBy(entry, path) !== 'none'),
  );
  return writersOf(workload).some(({ type, manager }) => {
    const isOwn = (entry: (typeof holding)[number]): boolean =>
      entry.manager === manager && entry.operation === 'Apply';
    if (type !== 'kustomization' && !entriesOf(workload).some(isOwn)) return false;
    const declaresBoth = amounts.every((path) =>
      holding.some((entry) => isOwn(entry) && ownedBy(entry, path) !== 'none'),
    );
    return !declaresBoth || !holding.every(isOwn);
  });
}

/** Who wrote fields last, as `managedFields` records it. */
export const LastWriter = z.object({
  manager: z.string(),
  operation: z.string(),
  /** RFC3339; absent where the entry has no time. */
  at: z.string().optional(),
  /** The tool or controller behind the manager; absent for one that is not known. */
  owner: Owner.optional(),
});
export type LastWriter = Immutable<z.output<typeof LastWriter>>;

/** Clocks of this program and of the API server may differ by so much; entries have whole seconds. */
const skewMilliseconds = 5_000;

/** Fields that we still own hold what an admission webhook made of our change: no other client wrote them. */
export function isStillOurs(workload: WrittenObject, path: string): boolean {
  return entriesOf(workload).some((entry) => entry.manager === ourManager && ownedBy(entry, path) !== 'none');
}

/**
 * Who wrote one of the fields last since our change, which took them from every other manager. `undefined`
 * where nobody owns them: a server-side apply that withdraws a field leaves the default of the API server to
 * nobody.
 */
export function lastWriterOf(
  workload: WrittenObject,
  paths: readonly string[],
  since: string,
): LastWriter | undefined {
  const from = Date.parse(since) - skewMilliseconds;
  const [entry] = entriesOf(workload)
    .filter(
      (each) =>
        each.manager !== ourManager &&
        !mergedManagers.has(each.manager) &&
        !(timeOf(each) < from) &&
        paths.some((path) => ownedBy(each, path) !== 'none'),
    )
    .sort((a, b) => (timeOf(b) || 0) - (timeOf(a) || 0));
  if (entry === undefined) return undefined;
  const { manager, operation, time } = entry;
  const owner = ownerBehind(manager, workload);
  return {
    manager,
    operation,
    ...(time === undefined ? {} : { at: time }),
    ...(owner === undefined ? {} : { owner }),
  };
}

/**
 * Operators sign with names of their own: any manager but kubectl may be the controller above the workload.
 */
function ownerBehind(manager: string, workload: WrittenObject): Owner | undefined {
  const writers = writersOf(workload);
  const named = writers.find((writer) => writer.manager === manager);
  if (named !== undefined || manager.startsWith('kubectl')) return named?.owner;
  return writers.find(({ type }) => type === 'operator')?.owner;
}

/** NaN where the entry has no time. */
function timeOf({ time }: ManagedFieldsEntry): number {
  return Date.parse(time ?? '');
}
