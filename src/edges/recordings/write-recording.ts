import { closeSync, fsyncSync, linkSync, openSync, renameSync, rmSync, statSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { FileError } from '../files/regular-file.js';
import type { RecordingHeader } from './collect-objects.js';

/** A recording holds the names and images of a cluster: only its owner may read it. */
const ownerOnly = 0o600;
/** Characters that are written at once. */
const pieceLength = 1_000_000;

/** Why a file can hold no recording, or `undefined`. Checked before a cluster is read. */
export function whyNotWritable(
  path: string,
  mayReplace: boolean,
): 'exists' | 'not-a-file' | 'no-folder' | undefined {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found !== undefined && !found.isFile()) return 'not-a-file';
  if (found !== undefined && !mayReplace) return 'exists';
  return statSync(dirname(path), { throwIfNoEntry: false })?.isDirectory() === true ? undefined : 'no-folder';
}

/**
 * Writes a List with one object a line, the header first. The file is complete or absent: it is written under
 * another name in the same folder, then takes its own.
 *
 * @returns false where a file of that name appeared meanwhile and may not be replaced
 * @throws FileError
 */
export function writeRecording(
  path: string,
  header: RecordingHeader,
  objects: Iterable<unknown>,
  mayReplace: boolean,
): boolean {
  const part = `${path}.${process.pid}.part`;
  try {
    const descriptor = openSync(part, 'wx', ownerOnly);
    try {
      for (const piece of pieces(header, objects)) writeWhole(descriptor, piece);
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
    // A link takes the name only if no file has it; a rename would replace one.
    if (mayReplace) renameSync(part, path);
    else linkSync(part, path);
    return true;
  } catch (error) {
    if (!(error instanceof Error) || !('code' in error)) throw error;
    if (error.code === 'EEXIST' && !mayReplace) return false;
    throw new FileError({ key: 'unwritable', values: { code: String(error.code) } });
  } finally {
    rmSync(part, { force: true });
  }
}

function* pieces(header: RecordingHeader, objects: Iterable<unknown>): Generator<string> {
  let piece = `{"apiVersion":"v1","kind":"List","items":[\n${JSON.stringify(header)}`;
  for (const object of objects) {
    piece += `,\n${JSON.stringify(object)}`;
    if (piece.length < pieceLength) continue;
    yield piece;
    piece = '';
  }
  yield `${piece}\n]}\n`;
}

function writeWhole(descriptor: number, text: string): void {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; ) at += writeSync(descriptor, bytes, at);
}
