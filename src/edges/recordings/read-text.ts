import { opendirSync } from 'node:fs';
import { join } from 'node:path';
import { plainFault } from '../../doctor/input/fault-text.js';
import { attempt, FileError, readRegularFile } from '../files/regular-file.js';
import { RecordingError } from './recording-error.js';

/** Files of one folder that are read. */
const maxFiles = 1_000;
/** Names that a folder may hold, whatever they are. */
const maxNames = 100_000;

/**
 * A text file in UTF-8 or, by its byte order mark, in UTF-16, as PowerShell writes it
 * (`kubectl get … > file`).
 *
 * @param within absolute path without links; the file must lie in that folder
 * @throws RecordingError when it cannot be read or is no text
 */
export function readText(path: string, shown: string, maxBytes: number, within?: string): string {
  return decodeText(
    inWords(shown, () => readRegularFile(path, maxBytes, within)),
    shown,
  );
}

/** @throws RecordingError when it holds what text does not */
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

/** The .json and .yaml files of a folder, by name, not below it: what `kubectl apply -f` reads. */
export function textFilesOf(folder: string): readonly string[] {
  const names = namesIn(folder, /\.(json|ya?ml)$/i, maxFiles);
  if (names.length === 0) throw new RecordingError(folder, undefined, plainFault('no-files'));
  return names.map((name) => join(folder, name));
}

/**
 * The names in a folder that match, sorted.
 *
 * @throws RecordingError when there are more than `max`, or more names of any kind than are looked at
 */
function namesIn(folder: string, pattern: RegExp, max: number): readonly string[] {
  return inWords(folder, () => {
    const names: string[] = [];
    const entries = opendirSync(folder);
    try {
      let seen = 0;
      for (let entry = entries.readSync(); entry !== null; entry = entries.readSync()) {
        seen += 1;
        if (seen > maxNames) throw new FileError({ key: 'too-many-names', values: { max: maxNames } });
        if (!pattern.test(entry.name)) continue;
        names.push(entry.name);
        if (names.length > max) throw new FileError({ key: 'too-many-files', values: { max } });
      }
    } finally {
      entries.closeSync();
    }
    return names.sort();
  });
}

/** Runs what reads a file. Why it cannot be read becomes a RecordingError. */
export function inWords<Result>(shown: string, read: () => Result): Result {
  try {
    return attempt(read);
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
    throw new RecordingError(shown, undefined, error.fault);
  }
}
