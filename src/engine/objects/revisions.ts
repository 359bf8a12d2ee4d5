import type { ObjectMeta } from './metadata.js';
import type { PodTemplate } from './pod-spec.js';
import type { Immutable } from './wire.js';

/** The revisions of a service whose controller starts a whole revision beside the one that serves. */
export interface Revisions {
  /** The label of pods with the name of their revision. */
  readonly label: string;
  /** The one that is being started; `undefined` where none is. */
  readonly next: string | undefined;
  /** Those whose pods the controller stops once the next one serves. */
  readonly former: readonly string[];
  /** Those that go on serving, whatever becomes of the next one. */
  readonly kept: readonly string[];
  /** True where the next one serves already, and the controller is about to switch. */
  readonly isSwitching: boolean;
}

/** Pods of one template in a revision. */
export type RevisionPart = { readonly name: string; readonly count: number; readonly template: PodTemplate };

/** Every revision of which pods are part of the service. */
export function revisionNames({ next, former, kept }: Revisions): readonly string[] {
  return [...new Set([...(next === undefined ? [] : [next]), ...former, ...kept])];
}

/** The name of the revision that an object is of; '' without the label. */
export function revisionNameOf(
  { label }: Revisions,
  { metadata }: { metadata: Pick<Immutable<ObjectMeta>, 'labels'> },
): string {
  return metadata.labels[label] ?? '';
}
