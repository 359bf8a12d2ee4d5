import { plainFault } from '../../doctor/input/fault-text.js';
import { RecordingError } from './recording-error.js';

/**
 * Text in UTF-8 or, by its byte order mark, in UTF-16, as PowerShell writes it (`kubectl get … > file`).
 *
 * @throws RecordingError when it holds what text does not
 */
export function decodeText(bytes: Uint8Array, shown: string): string {
  const encoding = encodingOf(bytes);
  const unpack = commandToUnpack(bytes, shown);
  if (unpack !== undefined) {
    throw new RecordingError(shown, undefined, { key: 'packed', values: { command: unpack } });
  }
  if (encoding === 'utf-8' && bytes.includes(0)) {
    throw new RecordingError(shown, undefined, plainFault('nul-byte'));
  }
  return new TextDecoder(encoding).decode(bytes);
}

/** By the marks that these formats begin with (RFC 1952, PKZIP APPNOTE, POSIX ustar). */
function commandToUnpack(bytes: Uint8Array, shown: string): string | undefined {
  const [first, second] = bytes;
  if (first === 0x1f && second === 0x8b) {
    return /\.(?:tgz|tar\.gz)$/iu.test(shown) ? `tar -xzf ${shown}` : `gunzip -k ${shown}`;
  }
  if (first === 0x50 && second === 0x4b && bytes[2] === 3) return `unzip ${shown}`;
  const isTar = new TextDecoder('latin1').decode(bytes.subarray(257, 262)) === 'ustar';
  return isTar ? `tar -xf ${shown}` : undefined;
}

/** `TextDecoder` drops the mark itself. */
function encodingOf([first, second]: Uint8Array): 'utf-8' | 'utf-16le' | 'utf-16be' {
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  return first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8';
}
