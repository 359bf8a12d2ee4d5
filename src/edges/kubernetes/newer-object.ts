interface Versioned {
  readonly metadata: { readonly uid: string; readonly resourceVersion: string };
}

/**
 * Whether `other` is an older state of the same object. The resourceVersions of one kind are integers that
 * grow (KEP-5504); those that are not are taken for equal.
 */
export function isOlderState(other: Versioned, known: Versioned): boolean {
  if (other.metadata.uid !== known.metadata.uid) return false;
  const [left, right] = [other.metadata.resourceVersion, known.metadata.resourceVersion];
  return isVersion(left) && isVersion(right) && !isAtLeast(left, right);
}

/** Whether a resourceVersion is this one or a later one; false for those that are no integers. */
export function isAtLeast(version: string, earliest: string): boolean {
  if (!isVersion(version) || !isVersion(earliest)) return false;
  return version.length === earliest.length ? version >= earliest : version.length > earliest.length;
}

function isVersion(text: string): boolean {
  return /^[1-9][0-9]{0,19}$/u.test(text);
}
