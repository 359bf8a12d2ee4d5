import { rolloutHashLabel } from '../../engine/objects/argo-rollout.js';
import { isActive, isReady, type Pod } from '../../engine/objects/pod.js';
import type { PodTemplate } from '../../engine/objects/pod-spec.js';
import type { Snapshot } from '../../engine/objects/snapshot.js';
import { isObject, type JsonObject } from '../../engine/objects/wire.js';
import type { ControllerRevision, ReplicaSet, Workload } from '../../engine/objects/workload.js';
import { hasGroups, hasReplicaSets, hasSteps, isRevisioned } from '../../engine/objects/workload.js';
import { declaredTemplate } from '../../engine/workloads/argo-rollout/replica-set-roles.js';
import {
  controllerRevisionHashLabel,
  formerRevisions,
  revisionOfTemplate,
} from '../../engine/workloads/controller-revisions.js';
import {
  lastHealthyRevision,
  newReplicaSetOf,
  oldReplicaSetsOf,
  wasNeverAvailable,
} from '../../engine/workloads/revisions.js';
import { templateOf } from '../../engine/workloads/rollout-change.js';
import type { RolloutState } from '../../engine/workloads/rollout-state.js';
import { rolloutStateOf, switchesRevisions, workloadIn } from '../../engine/workloads/rollout-state.js';
import { podTemplateHashLabel, unstatedDifference } from '../../engine/workloads/template-equality.js';
import { itemBelow, pathBelow } from './field-at.js';
import { nameAt, shownValue } from './forecast-change.js';
import { canonicalJson, type FieldChange, type Plan, type TemplateSource } from './plan.js';

/**
 * What differs between two pod templates, field by field, in the order of the fields. Items of lists are
 * compared by name where all have one. Secrets are redacted; where that leaves both sides equal, the former
 * is marked as such.
 */
export function templateChanges(before: JsonObject, after: JsonObject): readonly FieldChange[] {
  if (isUnstated(before) || isUnstated(after)) return [];
  return changesAt('spec.template', withoutHash(before), withoutHash(after)).filter(
    ({ path }) => !path.endsWith(`.${unstatedDifference}`),
  );
}

/** Every template has a container: of one without, text states no more than that it is another one. */
function isUnstated({ spec }: JsonObject): boolean {
  return (
    isObject(spec) &&
    unstatedDifference in spec &&
    Array.isArray(spec.containers) &&
    spec.containers.length === 0
  );
}

/**
 * A template as a workload holds it: without the label that the controller of a Deployment or Rollout adds.
 */
export function withoutHash(template: JsonObject): JsonObject {
  const { metadata } = template;
  if (!isObject(metadata)) return template;
  const { creationTimestamp: _created, labels, ...rest } = metadata;
  if (!isObject(labels)) return { ...template, metadata: rest };
  const { [podTemplateHashLabel]: _hash, [rolloutHashLabel]: _rolloutHash, ...kept } = labels;
  return { ...template, metadata: { ...rest, labels: kept } };
}

function changesAt(path: string, before: unknown, after: unknown): readonly FieldChange[] {
  if (canonicalJson(before) === canonicalJson(after)) return [];
  if (isObject(before) && isObject(after)) {
    return keysOf(before, after).flatMap((key) => changesAt(pathBelow(path, key), before[key], after[key]));
  }
  const [former, latter] = [byName(before), byName(after)];
  if (former !== undefined && latter !== undefined) {
    const inside = [...new Set([...former.keys(), ...latter.keys()])].flatMap((name) =>
      changesAt(itemBelow(path, name), former.get(name), latter.get(name)),
    );
    if (inside.length > 0) return inside;
  }
  return [leaf(path, before, after)];
}

function leaf(path: string, before: unknown, after: unknown): FieldChange {
  const name = nameAt(path);
  const [was, becomes] = [shownValue(name, before), shownValue(name, after)];
  const alike = typeof was === 'string' && was === becomes;
  return { path, before: alike ? `${was} (former)` : was, after: becomes };
}

function keysOf(a: JsonObject, b: JsonObject): readonly string[] {
  return [...new Set([...Object.keys(a), ...Object.keys(b)])].sort();
}

/** The items by name; `undefined` unless every item has a name of its own. */
function byName(value: unknown): ReadonlyMap<string, unknown> | undefined {
  if (!Array.isArray(value)) return undefined;
  const named = new Map<string, unknown>();
  for (const item of value as readonly unknown[]) {
    if (!isObject(item) || typeof item.name !== 'string' || /[[\]]/u.test(item.name)) return undefined;
    named.set(item.name, item);
  }
  return named.size === value.length ? named : undefined;
}

/**
 * A pod template as one canonical text, as a workload would hold it. May hold secrets: only its seal is
 * stored.
 */
export function templateText(template: JsonObject): string {
  return canonicalJson(withoutHash(template));
}

/**
 * The text of the template that the plan restores; `undefined` where it restores none, or the revision is
 * gone.
 */
export function restoredTemplate({ request }: Plan, snapshot: Snapshot): string | undefined {
  if (request.verb !== 'restore-template') return undefined;
  const template = templateFrom(rolloutStateOf(snapshot), request.from);
  return template && templateText(template.raw);
}

/** A revision that the cluster still keeps, with its template. */
export interface KeptRevision {
  readonly source: TemplateSource;
  readonly revision: number;
  readonly template: PodTemplate;
  /** `available-pods`: it serves right now. `previous`: only its number speaks for it. */
  readonly evidence: 'available-pods' | 'previous';
  /** The workload records that this revision never had an available pod. */
  readonly neverAvailable?: true;
}

/** The revision to go back to: the newest former one that serves, else the newest former one. */
export function revisionToGoBackTo(state: RolloutState): KeptRevision | undefined {
  if (hasReplicaSets(state)) {
    const last = lastHealthyRevision(state);
    if (last === undefined) return undefined;
    const { revision, evidence, replicaSet } = last;
    return {
      source: sourceOf(replicaSet),
      revision,
      evidence,
      template: declaredIn(state, replicaSet),
      ...(wasNeverAvailable(state, replicaSet) && { neverAvailable: true }),
    };
  }
  if (hasGroups(state) || switchesRevisions(state)) return undefined;
  const workload = workloadIn(state);
  const former = formerRevisions(workload, state.controllerRevisions);
  const serving = former.find((revision) => state.pods.some((pod) => serves(pod, revision)));
  const [previous] = former;
  const chosen = serving ?? previous;
  const template = chosen && templateOf(chosen);
  if (chosen === undefined || template === undefined) return undefined;
  const evidence = serving === undefined ? 'previous' : 'available-pods';
  return { source: sourceOf(chosen), revision: chosen.revision, evidence, template };
}

/** Whether another revision exists, also one that text names without its number or template. */
export function hasFormerRevision(state: RolloutState): boolean {
  if (hasReplicaSets(state)) return oldReplicaSetsOf(state).length > 0;
  if (hasGroups(state) || switchesRevisions(state)) return false;
  return formerRevisions(workloadIn(state), state.controllerRevisions).length > 0;
}

/** A StatefulSet's pods carry the name of their ControllerRevision, a DaemonSet's the hash of theirs. */
function serves(pod: Pod, { metadata }: ControllerRevision): boolean {
  const label = pod.metadata.labels[controllerRevisionHashLabel];
  const isOfIt = label === metadata.name || label === metadata.labels[controllerRevisionHashLabel];
  return label !== undefined && isOfIt && isActive(pod) && isReady(pod);
}

/** The revision whose template the workload has now; `undefined` until its controller has made it. */
export function currentSource(state: RolloutState): TemplateSource | undefined {
  if (hasReplicaSets(state)) {
    const replicaSet = newReplicaSetOf(state);
    return replicaSet && sourceOf(replicaSet);
  }
  if (hasGroups(state) || switchesRevisions(state)) return undefined;
  const workload = workloadIn(state);
  const current = revisionOfTemplate(workload, state.controllerRevisions);
  return current && sourceOf(current);
}

/** The template of a revision of this workload, by uid; `undefined` when it is no longer kept. */
export function templateFrom(state: RolloutState, { uid }: TemplateSource): PodTemplate | undefined {
  if (hasReplicaSets(state)) {
    const replicaSet = state.replicaSets.find(({ metadata }) => metadata.uid === uid);
    return replicaSet && declaredIn(state, replicaSet);
  }
  if (switchesRevisions(state)) return undefined;
  const revision = state.controllerRevisions.find(({ metadata }) => metadata.uid === uid);
  return revision && templateOf(revision);
}

/** The controller of a Rollout adds to the template what no Rollout declares. */
function declaredIn({ kind }: RolloutState, replicaSet: ReplicaSet): PodTemplate {
  return hasSteps({ kind }) ? declaredTemplate(replicaSet) : replicaSet.spec.template;
}

function sourceOf({ kind, metadata }: ReplicaSet | ControllerRevision): TemplateSource {
  return { kind, name: metadata.name, uid: metadata.uid };
}

/**
 * The template of a Rollout with a `workloadRef` is in another object, which plans do not change. A
 * LeaderWorkerSet has two templates, in fields of its own.
 */
export function isTemplateElsewhere(workload: Workload): boolean {
  if (hasGroups(workload) || isRevisioned(workload)) return true;
  return hasSteps(workload) && workload.spec.workloadRef !== undefined;
}
