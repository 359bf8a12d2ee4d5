import { type ConfigReference, environmentReferences } from '../../../cluster/config-references.js';
import type { Container } from '../../../cluster/pod-spec.js';
import { textAfter } from '../../../language/text-scanning.js';
import { objectNotFound } from '../../object-not-found.js';

/** The ConfigMap or Secret that a container cannot do without, and who asks for it. */
export type MissingObject = ConfigReference;

/**
 * Which object the kubelet misses (kubernetes `kubelet_pods.go: makeEnvironmentVariables`): `couldn't find key K in
 * ConfigMap ns/n`, `configmap "n" not found`, `secret "n" not found`. The names come from the container's own
 * references, chosen by the message, so that a message that names something else proves nothing.
 */
export function missingObject(container: Container, message: string): MissingObject | undefined {
  const wanted = environmentReferences(container);
  const lacking = textAfter(message, "couldn't find key ");
  const byKey = /^(\S+) in (ConfigMap|Secret) (\S+)$/.exec(lacking ?? '');
  if (byKey !== null) {
    const [, missing, of, path = ''] = byKey;
    const called = path.slice(path.lastIndexOf('/') + 1);
    return wanted.find(({ kind, name, key }) => key === missing && kind === of && name === called);
  }
  const whole = objectNotFound(message);
  if (whole === undefined) return undefined;
  const found = wanted.find(({ kind, name }) => name === whole.name && kind.toLowerCase() === whole.kind);
  return found && { ...found, key: undefined };
}
