import { compareText } from '../collections/collections.js';
import type { Pod } from '../objects/pod.js';
import type { JsonObject } from '../objects/wire.js';
import type { ControllerRevision, DaemonSet, StatefulSet } from '../objects/workload.js';
import { hasObservedSpec, hasOrdinals } from '../objects/workload.js';
import { byCreation } from './creation-order.js';
import type { DaemonSetState, StatefulSetState } from './rollout-state.js';
import { canonicalTemplate } from './template-equality.js';

/** On pods of a StatefulSet the name of their ControllerRevision, on those of a DaemonSet its hash. */
export const controllerRevisionHashLabel = 'controller-revision-hash';
const templateGenerationLabel = 'pod-template-generation';
const templateGenerationAnnotation = 'deprecated.daemonset.template.generation';

/** Oldest revision first (apimachinery `history: SortControllerRevisions`). */
function sortedRevisions(revisions: readonly ControllerRevision[]): readonly ControllerRevision[] {
  return [...revisions].sort((a, b) => a.revision - b.revision || byCreation(a, b));
}

/** The revision whose stored template is the workload's; the newest of several. */
export function revisionOfTemplate(
  workload: StatefulSet | DaemonSet,
  revisions: readonly ControllerRevision[],
): ControllerRevision | undefined {
  const { raw } = workload.spec.template;
  const known = knownRevisions.get(revisions);
  if (known?.raw === raw) return known.revision;
  const wanted = canonicalTemplate(raw);
  const revision = sortedRevisions(revisions).findLast((each) => {
    const template = storedTemplate(each);
    return template !== undefined && canonicalTemplate(template) === wanted;
  });
  knownRevisions.set(revisions, { raw, revision });
  return revision;
}

/** A simulation asks for the revision of the same template at each pod. */
const knownRevisions = new WeakMap<
  readonly ControllerRevision[],
  { readonly raw: JsonObject; readonly revision: ControllerRevision | undefined }
>();

const storedTemplates = new WeakMap<ControllerRevision, JsonObject | undefined>();

/** `data.spec.template` of a ControllerRevision, without the patch directive. */
export function storedTemplate(revision: ControllerRevision): JsonObject | undefined {
  if (storedTemplates.has(revision)) return storedTemplates.get(revision);
  const template = objectIn(objectIn(revision.data, 'spec'), 'template');
  const { $patch: _directive, ...rest } = template ?? {};
  const stored = template === undefined ? undefined : rest;
  storedTemplates.set(revision, stored);
  return stored;
}

function objectIn(parent: JsonObject | undefined, key: string): JsonObject | undefined {
  const value = parent?.[key];
  return typeof value === 'object' && value !== null ? { ...value } : undefined;
}

/** Names of the revision that a StatefulSet is leaving and of the one it is going to. */
export type StatefulSetRevisions = { readonly current: string; readonly update: string };

/**
 * From the ControllerRevisions where one holds the template, else from the status. `undefined` when neither
 * says it: the controller has not yet made the revision (`stateful_set_control.go: getStatefulSetRevisions`).
 */
export function statefulSetRevisions(state: StatefulSetState): StatefulSetRevisions | undefined {
  const { metadata, status } = state.statefulSet;
  const stored = revisionOfTemplate(state.statefulSet, state.controllerRevisions)?.metadata.name;
  const observed = status.observedGeneration >= (metadata.generation ?? 0) ? status.updateRevision : '';
  const update = stored ?? observed;
  if (update === '') return undefined;
  const known = state.controllerRevisions.some(
    (revision) => revision.metadata.name === status.currentRevision,
  );
  const keepsCurrent = status.currentRevision !== '' && (known || state.controllerRevisions.length === 0);
  return { current: keepsCurrent ? status.currentRevision : update, update };
}

/** Revision name of a StatefulSet's pod; '' without the label. */
export function podRevisionName(pod: Pod): string {
  return pod.metadata.labels[controllerRevisionHashLabel] ?? '';
}

/**
 * The hash the DaemonSet controller gives new pods; `undefined` until it has made the revision
 * (`update.go: constructHistory`).
 */
export function daemonSetHash({ daemonSet, controllerRevisions }: DaemonSetState): string | undefined {
  const revision = revisionOfTemplate(daemonSet, controllerRevisions);
  return revision && (revision.metadata.labels[controllerRevisionHashLabel] ?? revision.metadata.name);
}

/**
 * True for a pod of the current template, by hash or by template generation
 * (`daemonset_util.go: IsPodUpdated`).
 */
export function isUpdatedDaemonPod(pod: Pod, daemonSet: DaemonSet, hash: string | undefined): boolean {
  const { labels } = pod.metadata;
  if (hash !== undefined && labels[controllerRevisionHashLabel] === hash) return true;
  const generation = daemonSet.metadata.annotations[templateGenerationAnnotation];
  if (generation === undefined || !/^[+-]?\d+$/.test(generation)) return false;
  return labels[templateGenerationLabel] === String(Number.parseInt(generation, 10));
}

/**
 * Annotations of a DaemonSet after its template changed: the API server counts the templates, and a pod with
 * the same count is up to date whatever its hash (kubernetes
 * `registry/apps/daemonset/strategy.go: PrepareForUpdate`).
 */
export function annotationsOfNextTemplate(annotations: Annotations): Annotations {
  const generation = annotations[templateGenerationAnnotation];
  if (generation === undefined || !/^[+-]?\d+$/.test(generation)) return annotations;
  return { ...annotations, [templateGenerationAnnotation]: String(Number.parseInt(generation, 10) + 1) };
}

type Annotations = Readonly<Record<string, string>>;

/**
 * The revision that the controller of a StatefulSet goes to, where its template reads otherwise than the
 * workload's.
 */
function observedRevision(
  workload: StatefulSet | DaemonSet,
  revisions: readonly ControllerRevision[],
): ControllerRevision | undefined {
  if (!hasOrdinals(workload) || !hasObservedSpec(workload)) return undefined;
  return revisions.find((revision) => revision.metadata.name === workload.status.updateRevision);
}

/** Revisions other than the current one, newest first: what an undo may go back to. */
export function formerRevisions(
  workload: StatefulSet | DaemonSet,
  revisions: readonly ControllerRevision[],
): readonly ControllerRevision[] {
  const current = revisionOfTemplate(workload, revisions) ?? observedRevision(workload, revisions);
  return [...revisions]
    .filter((revision) => revision !== current)
    .sort((a, b) => b.revision - a.revision || compareText(a.metadata.name, b.metadata.name));
}
