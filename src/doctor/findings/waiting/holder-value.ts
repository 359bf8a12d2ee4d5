import { compareText } from '../../../engine/collections/collections.js';
import type { OwnedPods } from '../../../engine/neighbours/pod-owner.js';
import type { HolderValue } from './facts.js';

/** A holder as plain data of a statement. */
export function holderValue({ owner, pods, priority }: OwnedPods): HolderValue {
  return {
    kind: owner.kind,
    workload: `${owner.namespace}/${owner.name}`,
    priority,
    pods: pods.map(({ metadata }) => metadata.name),
    nodes: [...new Set(pods.map(({ spec }) => spec.nodeName ?? ''))].sort(compareText),
  };
}
