import { closeSync, constants, fstatSync, openSync, readSync, realpathSync, statSync } from 'node:fs';
import { sep } from 'node:path';
import { describeFault, type Fault, type PlainFault, plainFault } from '../../doctor/input/input-error.js';

/** Why a file is not read. */
export class FileError extends Error {
  override readonly name = 'FileError';
  readonly fault: Fault;

  constructor(fault: Fault) {
    super(describeFault(fault, 'en'));
    this.fault = fault;
  }
}

interface OpenFile {
  readonly descriptor: number;
  /** Bytes when it was opened. The size may change while the file is read. */
  readonly size: number;
}

/**
 * Opens a regular file for reading. A pipe, a device, a socket and a folder are refused, and none of them
 * blocks: the file is opened without waiting for a writer, and what was opened is then examined, not its
 * name.
 *
 * @param within absolute path without links: a link that leads out of this folder is refused
 * @throws FileError
 */
export function openRegularFile(path: string, within?: string): OpenFile {
  const { O_RDONLY, O_NONBLOCK = 0, O_NOCTTY = 0 } = constants;
  const descriptor = attempt(() => openSync(path, O_RDONLY | O_NONBLOCK | O_NOCTTY));
  try {
    const found = fstatSync(descriptor);
    if (found.isDirectory()) throw new FileError(plainFault('folder'));
    if (found.isFIFO()) throw new FileError(plainFault('pipe'));
    if (!found.isFile()) throw new FileError(plainFault('not-regular'));
    if (within !== undefined) requireWithin(path, within, found);
    return { descriptor, size: found.size };
  } catch (error) {
    closeSync(descriptor);
    throw error;
  }
}

/**
 * The bytes of a regular file.
 *
 * @throws FileError when it holds more than `maxBytes`, also when it grows while it is read
 */
export function readRegularFile(path: string, maxBytes: number, within?: string): Buffer {
  const { descriptor, size } = openRegularFile(path, within);
  try {
    if (size > maxBytes) throw new FileError(tooLarge(maxBytes));
    return readToEnd(descriptor, size, maxBytes);
  } finally {
    closeSync(descriptor);
  }
}

/** The last bytes of a regular file, and whether there are more before them. @throws FileError */
export function readFileTail(
  path: string,
  maxBytes: number,
  within?: string,
): { readonly bytes: Buffer; readonly truncated: boolean } {
  const { descriptor, size } = openRegularFile(path, within);
  try {
    const bytes = Buffer.alloc(Math.min(size, maxBytes));
    const from = size - bytes.length;
    let length = 0;
    while (length < bytes.length) {
      const read = attempt(() => readSync(descriptor, bytes, length, bytes.length - length, from + length));
      if (read === 0) break;
      length += read;
    }
    return { bytes: bytes.subarray(0, length), truncated: from > 0 };
  } finally {
    closeSync(descriptor);
  }
}

/** Of input that holds more than it may. */
export function tooLarge(maxBytes: number): Fault {
  return { key: 'too-large', values: { mebibytes: maxBytes / 1024 / 1024 } };
}

const firstBytes = 64 * 1024;

/** The size is only a first guess: the files of /proc have none, and a log grows. */
function readToEnd(descriptor: number, size: number, maxBytes: number): Buffer {
  let bytes = Buffer.allocUnsafe(Math.min(Math.max(size, firstBytes), maxBytes) + 1);
  let length = 0;
  for (;;) {
    const read = attempt(() => readSync(descriptor, bytes, length, bytes.length - length, null));
    if (read === 0) return bytes.subarray(0, length);
    length += read;
    if (length > maxBytes) throw new FileError(tooLarge(maxBytes));
    if (length === bytes.length) {
      bytes = Buffer.concat([bytes], Math.min(bytes.length * 2, maxBytes + 1));
    }
  }
}

/**
 * The name is resolved after the file was opened and must lead to the very file that is open, so that nothing
 * is won by exchanging a link in between.
 */
function requireWithin(
  path: string,
  within: string,
  opened: { readonly dev: number; readonly ino: number },
): void {
  const real = attempt(() => realpathSync(path));
  const now = attempt(() => statSync(real));
  if (!isWithin(real, within)) throw new FileError(plainFault('link-outside'));
  if (now.dev !== opened.dev || now.ino !== opened.ino) throw new FileError(plainFault('replaced'));
}

/** Both without links. */
export function isWithin(path: string, folder: string): boolean {
  return path.startsWith(folder.endsWith(sep) ? folder : `${folder}${sep}`);
}

/** The path without links. @throws FileError */
export function resolveLinks(path: string): string {
  return attempt(() => realpathSync(path));
}

/** Runs a call of the file system; what it refuses becomes a FileError. */
export function attempt<Result>(call: () => Result): Result {
  try {
    return call();
  } catch (error) {
    if (!(error instanceof Error) || !('code' in error)) throw error;
    const code = String(error.code);
    const known = reasons[code];
    throw new FileError(known === undefined ? { key: 'unreadable', values: { code } } : plainFault(known));
  }
}

const reasons: Readonly<Record<string, PlainFault>> = {
  ELOOP: 'link-loop',
  ENOENT: 'no-such-file',
  ENOTDIR: 'no-such-file',
  ENAMETOOLONG: 'name-too-long',
  ERR_INVALID_ARG_VALUE: 'nul-in-name',
  EACCES: 'no-right',
  EPERM: 'no-right',
  EISDIR: 'folder',
  ENXIO: 'not-regular',
  ENODEV: 'not-regular',
};
