import type { Pod } from '../cluster/pod.js';

/** One write of the DaemonSet controller. */
export type DaemonSetAction =
  | {
      readonly kind: 'create';
      readonly node: string;
      readonly because: 'missing' | 'surge' | 'replace-unavailable';
    }
  | {
      readonly kind: 'delete';
      readonly pod: Pod;
      readonly because:
        | 'terminal'
        | 'excess'
        | 'should-not-run'
        | 'no-such-node'
        | 'old-not-ready'
        | 'new-available'
        | 'unavailable-old'
        | 'update';
    };

type DeletionReason = Extract<DaemonSetAction, { kind: 'delete' }>['because'];

export function deletions(pods: readonly Pod[], because: DeletionReason): readonly DaemonSetAction[] {
  return pods.map((pod) => ({ kind: 'delete', pod, because }));
}
