/** Longer texts are hardly ever the same. */
const longest = 64;
const slots = 4_096;

/**
 * Reads UTF-8, and gives texts that come again and again (label keys, condition types) as the same string: of
 * thousands of objects only what differs takes room.
 */
export function createTexts(): (bytes: Buffer, start: number, end: number) => string {
  const known = new Array<string>(slots).fill('');
  return (bytes, start, end) => {
    if (end - start > longest) return bytes.toString('utf8', start, end);
    let hash = end - start;
    for (let at = start; at < end; at += 1) hash = (Math.imul(hash, 31) + (bytes[at] ?? 0)) | 0;
    const slot = hash & (slots - 1);
    const kept = known[slot] ?? '';
    if (isSame(kept, bytes, start, end)) return kept;
    const text = bytes.toString('utf8', start, end);
    known[slot] = text;
    return text;
  };
}

/** Only ever true for ASCII, where bytes and characters are the same. */
function isSame(text: string, bytes: Buffer, start: number, end: number): boolean {
  if (text.length !== end - start) return false;
  for (let at = 0; at < text.length; at += 1) {
    const byte = bytes[start + at] ?? 0;
    if (byte >= 0x80 || text.charCodeAt(at) !== byte) return false;
  }
  return true;
}
