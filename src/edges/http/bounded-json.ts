/** Objects and lists in the body of a request. A body of the smallest alerts has a third. */
const maxBrackets = 210_000;

const [quote, backslash, list, object] = [0x22, 0x5c, 0x5b, 0x7b];

/**
 * Whether a text of JSON has no more objects and lists than are read. Each one becomes an object in memory,
 * so that two megabytes of brackets cost ten times as much as two megabytes of text.
 */
export function isBoundedJson(bytes: Uint8Array): boolean {
  let brackets = 0;
  let isText = false;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (isText) {
      if (byte === backslash) at += 1;
      else if (byte === quote) isText = false;
    } else if (byte === quote) isText = true;
    else if (byte === list || byte === object) brackets += 1;
  }
  return brackets <= maxBrackets;
}
