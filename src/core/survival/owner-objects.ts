import type { Application, HelmRelease, Kustomization } from '../cluster/gitops.js';
import type { RestsOn } from './field-survival.js';

/** What the reader found of the object that a tool's marks on the workload name. */
export type OwnerRead<Kind> =
  | { readonly type: 'found'; readonly object: Kind }
  | { readonly type: 'missing' }
  /** `because` as in `Unseen`. */
  | { readonly type: 'unread'; readonly because: string };

/** The objects behind the marks; a kind is left out where nobody asked for it. */
export interface OwnerObjects {
  readonly application?: OwnerRead<Application> | undefined;
  readonly kustomization?: OwnerRead<Kustomization> | undefined;
  readonly helmRelease?: OwnerRead<HelmRelease> | undefined;
}

/** The object, or what a verdict without it rests on. */
export function objectOf<
  Kind extends {
    readonly kind: string;
    readonly metadata: { readonly namespace: string; readonly name: string };
  },
>(
  read: OwnerRead<Kind> | undefined,
  kind: string,
): { readonly object: Kind | undefined; readonly restsOn: RestsOn } {
  if (read?.type === 'found') {
    const { namespace, name } = read.object.metadata;
    return { object: read.object, restsOn: { type: 'owner-object', kind, namespace, name } };
  }
  const because = read === undefined ? 'not-read' : read.type === 'missing' ? 'not-found' : read.because;
  return { object: undefined, restsOn: { type: 'owner-unread', kind, because } };
}
