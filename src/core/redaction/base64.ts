/** Decodes base64 or base64url when it holds printable ASCII text; anything else is `undefined`. */
export function decodeBase64(encoded: string): string | undefined {
  const chars: string[] = [];
  let bits = 0;
  let held = 0;
  for (let i = 0; i < encoded.length; i += 1) {
    const code = encoded.charCodeAt(i);
    if (code === 61) break;
    const six = sixBits(code);
    if (six === undefined) return undefined;
    held = ((held << 6) | six) & 0xffff;
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    const byte = (held >> bits) & 0xff;
    if (!isPrintable(byte)) return undefined;
    chars.push(String.fromCharCode(byte));
  }
  return chars.length === 0 ? undefined : chars.join('');
}

function sixBits(code: number): number | undefined {
  if (code >= 65 && code <= 90) return code - 65;
  if (code >= 97 && code <= 122) return code - 71;
  if (code >= 48 && code <= 57) return code + 4;
  if (code === 43 || code === 45) return 62;
  if (code === 47 || code === 95) return 63;
  return undefined;
}

function isPrintable(byte: number): boolean {
  return (byte >= 32 && byte <= 126) || byte === 9 || byte === 10 || byte === 13;
}
