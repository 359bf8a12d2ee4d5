import type { Pod } from '../../objects/pod.js';
import { revisionNameOf } from '../../objects/revisions.js';
import type { RevisionedState } from '../rollout-state.js';

/** Pods of the revision that is being started; of the one that serves where none is. */
export function newRevisionPods({ service: { revisions }, pods }: RevisionedState): readonly Pod[] {
  const { next } = revisions;
  return next === undefined ? pods : pods.filter((pod) => revisionNameOf(revisions, pod) === next);
}

/** Pods that the controllers stop once the next revision serves. */
export function formerRevisionPods({ service: { revisions }, pods }: RevisionedState): readonly Pod[] {
  return pods.filter((pod) => revisions.former.includes(revisionNameOf(revisions, pod)));
}
