import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { RecordingError } from './recording-error.js';

/**
 * A text file in UTF-8 or, by its byte order mark, in UTF-16, as PowerShell writes it (`kubectl get … > file`).
 *
 * @throws RecordingError when it cannot be read
 */
export async function readText(path: string, shown: string): Promise<string> {
  const bytes = await readFile(path).catch((error: unknown) => {
    throw new RecordingError(shown, '', unreadable(error));
  });
  return new TextDecoder(encodingOf(bytes)).decode(bytes);
}

/** `TextDecoder` drops the mark itself. */
function encodingOf([first, second]: Uint8Array): 'utf-8' | 'utf-16le' | 'utf-16be' {
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  return first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8';
}

/** The .json and .yaml files of a folder, by name, not below it. */
export async function textFilesOf(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder).catch((error: unknown) => {
    throw new RecordingError(folder, '', unreadable(error));
  });
  const names = entries.filter((name) => /\.(json|ya?ml)$/i.test(name)).sort();
  if (names.length === 0) throw new RecordingError(folder, '', 'the folder holds no .json or .yaml file');
  return names.map((name) => join(folder, name));
}

/** Why the file system gives it not, in a few words. */
export function unreadable(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return words[code] ?? `it cannot be read${code === '' ? '' : ` (${code})`}`;
}

const words: Readonly<Record<string, string>> = {
  ELOOP: 'it is a link that leads back to itself',
  ENOENT: 'there is no such file or folder',
  EACCES: 'there is no right to read it',
  EISDIR: 'it is a folder',
};
