import type { NamedWorkload } from '../commands/command.js';
import type { NamedPod } from './subject.js';

/** With the letters of generated names (apimachinery `util/rand`: no vowels, no 0, 1, 3). */
const ofReplicaSet = /^(.+)-[bcdfghjklmnpqrstvwxz2456789]{5,10}-[bcdfghjklmnpqrstvwxz2456789]{5}$/u;
const ofDaemonSet = /^(.+)-[bcdfghjklmnpqrstvwxz2456789]{5}$/u;
const ofStatefulSet = /^(.+)-\d{1,5}$/u;

/**
 * Workloads that may have made a pod of this name, the likeliest first: for pods that are gone already. Only
 * a guess; what exists decides.
 */
export function namesBehindPod({ cluster, namespace, name }: NamedPod): readonly NamedWorkload[] {
  const place = {
    ...(cluster === undefined ? {} : { cluster }),
    ...(namespace === undefined ? {} : { namespace }),
  };
  const deployment = ofReplicaSet.exec(name)?.[1];
  if (deployment !== undefined) return [{ ...place, kind: 'Deployment', name: deployment }];
  const statefulSet = ofStatefulSet.exec(name)?.[1];
  if (statefulSet !== undefined) return [{ ...place, kind: 'StatefulSet', name: statefulSet }];
  const daemonSet = ofDaemonSet.exec(name)?.[1];
  return daemonSet === undefined ? [] : [{ ...place, kind: 'DaemonSet', name: daemonSet }];
}

/** Whether a word can only be the name of a Deployment's pod: two generated parts at its end. */
export function isPodNameLike(word: string): boolean {
  return ofReplicaSet.test(word);
}
