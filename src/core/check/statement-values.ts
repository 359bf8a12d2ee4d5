import type { ObjectRef } from '../cluster/metadata.js';
import type { Downtime } from '../rollout/downtime.js';

/** What a change costs while it runs, as sentences need it. */
export type ImpactValues = {
  readonly kind: Downtime['kind'];
  readonly seconds: number | undefined;
  readonly ready: number;
  readonly of: number;
};

/** A downtime as the values that sentences need. */
export function impactValues({ kind, seconds, readyMin, ofReplicas }: Downtime): ImpactValues {
  return { kind, seconds, ready: readyMin, of: ofReplicas };
}

/** `namespace/name` of each. */
export function qualified(
  pods: readonly { readonly metadata: Omit<ObjectRef, 'kind'> }[],
): readonly string[] {
  return pods.map(({ metadata }) => nameOf(metadata));
}

/** `namespace/name`. */
export function nameOf({ namespace, name }: Omit<ObjectRef, 'kind'>): string {
  return `${namespace}/${name}`;
}
