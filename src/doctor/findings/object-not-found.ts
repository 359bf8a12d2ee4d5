/** A ConfigMap or Secret, or the key of one, that a workload needs and that does not exist. */
export type NeededObject = {
  readonly workload: string;
  readonly kind: string;
  readonly name: string;
  readonly key: string | undefined;
};

/** Longer than every word before the name, `configmaps `. */
const maxKindWord = 12;

/**
 * The ConfigMap or Secret of which a kubelet message says `configmap "n" not found` or
 * `secrets "n" not found`; `undefined` for every other message.
 */
export function objectNotFound(
  message: string,
): { readonly kind: 'configmap' | 'secret'; readonly name: string } | undefined {
  const end = message.indexOf('" not found');
  const start = end < 1 ? -1 : message.lastIndexOf('"', end - 1);
  if (start < 0) return undefined;
  const [, kind] =
    /\b(configmap|secret)s? $/.exec(message.slice(Math.max(0, start - maxKindWord), start)) ?? [];
  if (kind !== 'configmap' && kind !== 'secret') return undefined;
  return { kind, name: message.slice(start + 1, end) };
}
