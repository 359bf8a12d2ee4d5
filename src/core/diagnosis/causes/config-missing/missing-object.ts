import type { Container } from '../../../cluster/pod-spec.js';

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
  const byKey = /couldn't find key (\S{1,253}) in (ConfigMap|Secret) \S{0,253}\/(\S{1,253})$/.exec(message);
  if (byKey !== null) {
    return wanted.find(({ kind, name, key }) => key === byKey[1] && kind === byKey[2] && name === byKey[3]);
  }
  const whole = /\b(configmap|secret)s? "([^"]{1,253})" not found/.exec(message);
  if (whole === null) return undefined;
  const [, kind, name] = whole;
  const found = wanted.find((each) => each.name === name && each.kind.toLowerCase() === kind);
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
