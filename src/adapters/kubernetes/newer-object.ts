interface Versioned {
  readonly metadata: { readonly uid: string; readonly resourceVersion: string };
}

/**
 * Whether `other` is an older state of the same object. The resourceVersions of one kind are integers that grow
 * (KEP-5504); those that are not are taken for equal.
 */
export function isOlderState(other: Versioned, known: Versioned): boolean {
  if (other.metadata.uid !== known.metadata.uid) return false;
  const [left, right] = [other.metadata.resourceVersion, known.metadata.resourceVersion];
  if (!isVersion(left) || !isVersion(right)) return false;
  return left.length === right.length ? left < right : left.length < right.length;
}

function isVersion(text: string): boolean {
  return /^[1-9][0-9]{0,19}$/u.test(text);
}
