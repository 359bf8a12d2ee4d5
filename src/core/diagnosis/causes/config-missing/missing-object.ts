import type { Container } from '../../../cluster/pod-spec.js';
import { textAfter } from '../../../language/text-scanning.js';
import { objectNotFound } from '../../object-not-found.js';

/** The ConfigMap or Secret that a container cannot do without, and who asks for it. */
export interface MissingObject {
  readonly kind: 'ConfigMap' | 'Secret';
  readonly name: string;
  readonly key: string | undefined;
  /** The environment variable that is set from it; absent for a whole `envFrom`. */
  readonly variable: string | undefined;
}

/**
 * Which object the kubelet misses (kubernetes `kubelet_pods.go: makeEnvironmentVariables`): `couldn't find key K in
 * ConfigMap ns/n`, `configmap "n" not found`, `secret "n" not found`. The names come from the container's own
 * references, chosen by the message, so that a message that names something else proves nothing.
 */
export function missingObject({ env, envFrom }: Container, message: string): MissingObject | undefined {
  const wanted = [...env.flatMap(fromVariable), ...envFrom.flatMap(fromWhole)];
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

function fromVariable({ name: variable, valueFrom }: Container['env'][number]): readonly MissingObject[] {
  const map = valueFrom?.configMapKeyRef;
  const secret = valueFrom?.secretKeyRef;
  return [
    ...(map === undefined ? [] : [{ kind: 'ConfigMap' as const, name: map.name, key: map.key, variable }]),
    ...(secret === undefined
      ? []
      : [{ kind: 'Secret' as const, name: secret.name, key: secret.key, variable }]),
  ];
}

function fromWhole({ configMapRef, secretRef }: Container['envFrom'][number]): readonly MissingObject[] {
  return [
    ...(configMapRef === undefined
      ? []
      : [{ kind: 'ConfigMap' as const, name: configMapRef.name, key: undefined, variable: undefined }]),
    ...(secretRef === undefined
      ? []
      : [{ kind: 'Secret' as const, name: secretRef.name, key: undefined, variable: undefined }]),
  ];
}
