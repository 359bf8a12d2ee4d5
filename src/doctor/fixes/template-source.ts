import { isActive, isReady, type Pod } from '../../engine/objects/pod.js';
import type { PodTemplate } from '../../engine/objects/pod-spec.js';
import {
  type ControllerRevision,
  isRevisioned,
  type ReplicaSet,
  type Workload,
} from '../../engine/objects/workload.js';
import { declaredTemplate } from '../../engine/workloads/argo-rollout/replica-set-roles.js';
import {
  controllerRevisionHashLabel,
  formerRevisions,
  revisionOfTemplate,
} from '../../engine/workloads/controller-revisions.js';
import { templateOf } from '../../engine/workloads/revision-change.js';
import { lastHealthyRevision, newReplicaSetOf } from '../../engine/workloads/revisions.js';
import type { RolloutState } from '../../engine/workloads/rollout-state.js';
import type { TemplateSource } from './plan.js';

/** A revision that the cluster still keeps, with its template. */
export interface KeptRevision {
  readonly source: TemplateSource;
  readonly revision: number;
  readonly template: PodTemplate;
  /** `available-pods`: it serves right now. `previous`: only its number speaks for it. */
  readonly evidence: 'available-pods' | 'previous';
}

/** The revision to go back to: the newest former one that serves, else the newest former one. */
export function revisionToGoBackTo(state: RolloutState): KeptRevision | undefined {
  if (state.kind === 'Deployment' || state.kind === 'Rollout') {
    const last = lastHealthyRevision(state);
    if (last === undefined) return undefined;
    const { revision, evidence, replicaSet } = last;
    return { source: sourceOf(replicaSet), revision, evidence, template: declaredIn(state, replicaSet) };
  }
  if (state.kind === 'LeaderWorkerSet' || state.kind === 'Revisioned') return undefined;
  const workload = state.kind === 'StatefulSet' ? state.statefulSet : state.daemonSet;
  const former = formerRevisions(workload, state.controllerRevisions);
  const serving = former.find((revision) => state.pods.some((pod) => serves(pod, revision)));
  const [previous] = former;
  const chosen = serving ?? previous;
  const template = chosen && templateOf(chosen);
  if (chosen === undefined || template === undefined) return undefined;
  const evidence = serving === undefined ? 'previous' : 'available-pods';
  return { source: sourceOf(chosen), revision: chosen.revision, evidence, template };
}

/** A StatefulSet's pods carry the name of their ControllerRevision, a DaemonSet's the hash of theirs. */
function serves(pod: Pod, { metadata }: ControllerRevision): boolean {
  const label = pod.metadata.labels[controllerRevisionHashLabel];
  const isOfIt = label === metadata.name || label === metadata.labels[controllerRevisionHashLabel];
  return label !== undefined && isOfIt && isActive(pod) && isReady(pod);
}

/** The revision whose template the workload has now; `undefined` until its controller has made it. */
export function currentSource(state: RolloutState): TemplateSource | undefined {
  if (state.kind === 'Deployment' || state.kind === 'Rollout') {
    const replicaSet = newReplicaSetOf(state);
    return replicaSet && sourceOf(replicaSet);
  }
  if (state.kind === 'LeaderWorkerSet' || state.kind === 'Revisioned') return undefined;
  const workload = state.kind === 'StatefulSet' ? state.statefulSet : state.daemonSet;
  const current = revisionOfTemplate(workload, state.controllerRevisions);
  return current && sourceOf(current);
}

/** The template of a revision of this workload, by uid; `undefined` when it is no longer kept. */
export function templateFrom(state: RolloutState, { uid }: TemplateSource): PodTemplate | undefined {
  if (state.kind === 'Deployment' || state.kind === 'Rollout') {
    const replicaSet = state.replicaSets.find(({ metadata }) => metadata.uid === uid);
    return replicaSet && declaredIn(state, replicaSet);
  }
  if (state.kind === 'Revisioned') return undefined;
  const revision = state.controllerRevisions.find(({ metadata }) => metadata.uid === uid);
  return revision && templateOf(revision);
}

/** The controller of a Rollout adds to the template what no Rollout declares. */
function declaredIn({ kind }: RolloutState, replicaSet: ReplicaSet): PodTemplate {
  return kind === 'Rollout' ? declaredTemplate(replicaSet) : replicaSet.spec.template;
}

function sourceOf({ kind, metadata }: ReplicaSet | ControllerRevision): TemplateSource {
  return { kind, name: metadata.name, uid: metadata.uid };
}

/**
 * The template of a Rollout with a `workloadRef` is in another object, which plans do not change. A
 * LeaderWorkerSet has two templates, in fields of its own.
 */
export function isTemplateElsewhere(workload: Workload): boolean {
  if (workload.kind === 'LeaderWorkerSet' || isRevisioned(workload)) return true;
  return workload.kind === 'Rollout' && workload.spec.workloadRef !== undefined;
}
