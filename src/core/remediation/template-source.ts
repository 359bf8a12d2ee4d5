import type { PodTemplate } from '../cluster/pod-spec.js';
import type { ControllerRevision, ReplicaSet } from '../cluster/workload.js';
import { formerRevisions, revisionOfTemplate } from '../rollout/controller-revisions.js';
import { templateOf } from '../rollout/revision-change.js';
import { lastHealthyRevision, newReplicaSetOf } from '../rollout/revisions.js';
import type { RolloutState } from '../rollout/rollout-state.js';
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
  if (state.kind === 'Deployment') {
    const last = lastHealthyRevision(state);
    if (last === undefined) return undefined;
    const { revision, evidence, replicaSet } = last;
    return { source: sourceOf(replicaSet), revision, evidence, template: replicaSet.spec.template };
  }
  const workload = state.kind === 'StatefulSet' ? state.statefulSet : state.daemonSet;
  const [former] = formerRevisions(workload, state.controllerRevisions);
  const template = former && templateOf(former);
  if (former === undefined || template === undefined) return undefined;
  return { source: sourceOf(former), revision: former.revision, evidence: 'previous', template };
}

/** The revision whose template the workload has now; `undefined` until its controller has made it. */
export function currentSource(state: RolloutState): TemplateSource | undefined {
  if (state.kind === 'Deployment') {
    const replicaSet = newReplicaSetOf(state);
    return replicaSet && sourceOf(replicaSet);
  }
  const workload = state.kind === 'StatefulSet' ? state.statefulSet : state.daemonSet;
  const current = revisionOfTemplate(workload, state.controllerRevisions);
  return current && sourceOf(current);
}

/** The template of a revision of this workload, by uid; `undefined` when it is no longer kept. */
export function templateFrom(state: RolloutState, { uid }: TemplateSource): PodTemplate | undefined {
  if (state.kind === 'Deployment') {
    return state.replicaSets.find(({ metadata }) => metadata.uid === uid)?.spec.template;
  }
  const revision = state.controllerRevisions.find(({ metadata }) => metadata.uid === uid);
  return revision && templateOf(revision);
}

function sourceOf({ kind, metadata }: ReplicaSet | ControllerRevision): TemplateSource {
  return { kind, name: metadata.name, uid: metadata.uid };
}
