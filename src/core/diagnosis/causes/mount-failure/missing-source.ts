import type { Pod } from '../../../cluster/pod.js';
import type { Volume } from '../../../cluster/pod-spec.js';
import { objectNotFound } from '../../object-not-found.js';

/** What a volume of the pod is made of and the kubelet does not find. */
export interface MissingSource {
  readonly volume: string;
  readonly kind: 'ConfigMap' | 'Secret';
  readonly name: string;
  /** A key that the object lacks; absent where the whole object is missing. */
  readonly key: string | undefined;
}

/** The volume's name that a FailedMount message speaks of, of those the pod has. */
export function volumeNamed({ spec }: Pod, message: string): string | undefined {
  const named = /volume "([^"]+)"/.exec(message)?.[1] ?? '';
  const listed = /(?:unmounted|unattached) volumes=\[([^\][]*)\]/.exec(message)?.[1]?.split(/[ ,]+/) ?? [];
  const candidates = new Set([named, ...listed]);
  return spec.volumes.find(({ name }) => candidates.has(name))?.name;
}

/**
 * The ConfigMap or Secret that a mount misses (kubernetes `pkg/volume/configmap`, `pkg/volume/secret`):
 * `configmap "n" not found`, `secret "n" not found`, `references non-existent config key: k`. Only objects
 * that a volume of the pod really names are believed.
 */
export function missingSource(pod: Pod, message: string): MissingSource | undefined {
  const whole = objectNotFound(message);
  const key = /references non-existent (config|secret) key: (\S+)/.exec(message)?.[2];
  const sources = pod.spec.volumes.flatMap(sourcesOf);
  if (whole !== undefined) {
    const found = sources.find(({ kind, name }) => name === whole.name && kind.toLowerCase() === whole.kind);
    return found && { ...found, key: undefined };
  }
  if (key === undefined) return undefined;
  const volume = volumeNamed(pod, message);
  const found = sources.find((source) => source.volume === volume && source.keys.includes(key));
  return found && { ...found, key };
}

interface Source extends Omit<MissingSource, 'key'> {
  readonly keys: readonly string[];
}

function sourcesOf({ name: volume, configMap, secret, projected }: Volume): readonly Source[] {
  const source = (
    kind: Source['kind'],
    name: string,
    items: readonly { readonly key: string }[],
  ): Source => ({
    volume,
    kind,
    name,
    keys: items.map(({ key }) => key),
  });
  return [
    ...(configMap === undefined ? [] : [source('ConfigMap', configMap.name, configMap.items)]),
    ...(secret === undefined ? [] : [source('Secret', secret.secretName, secret.items)]),
    ...(projected?.sources ?? []).flatMap((each) => [
      ...(each.configMap === undefined
        ? []
        : [source('ConfigMap', each.configMap.name, each.configMap.items)]),
      ...(each.secret === undefined ? [] : [source('Secret', each.secret.name, each.secret.items)]),
    ]),
  ];
}
