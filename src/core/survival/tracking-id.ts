export const trackingIdAnnotation = 'argocd.argoproj.io/tracking-id';

/** The object and the Application that a tracking id of Argo CD names. */
export interface TrackingId {
  /** `namespace` is '' where the Application is in the namespace of Argo CD itself. */
  readonly application: { readonly namespace: string; readonly name: string };
  readonly group: string;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
}

/**
 * `APP:GROUP/KIND:NAMESPACE/NAME`, with `NAMESPACE_NAME` for an Application outside the namespace of Argo CD
 * (argo-cd `util/argo/resource_tracking.go`, `types.go: InstanceName`). Whatever has another shape is no
 * tracking id.
 */
export function parseTrackingId(text: string): TrackingId | undefined {
  const [instance, type, object, ...more] = text.split(':');
  if (instance === undefined || type === undefined || object === undefined || more.length > 0)
    return undefined;
  const [group, kind, ...otherTypes] = type.split('/');
  const [namespace, name, ...otherNames] = object.split('/');
  if (group === undefined || kind === undefined || namespace === undefined || name === undefined)
    return undefined;
  if (otherTypes.length > 0 || otherNames.length > 0 || instance === '') return undefined;
  return { application: applicationIn(instance), group, kind, namespace, name };
}

/** Names of Kubernetes objects have no underscore. */
function applicationIn(instance: string): TrackingId['application'] {
  const at = instance.indexOf('_');
  return at < 0
    ? { namespace: '', name: instance }
    : { namespace: instance.slice(0, at), name: instance.slice(at + 1) };
}
