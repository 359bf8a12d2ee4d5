import { code, type Prose, say, word } from '../../core/language/prose.js';

/** Where a tree was refused. */
export type Place = {
  readonly workload: string;
  readonly repository: string;
  readonly branch: string;
  readonly path: string;
  readonly file: string | undefined;
  readonly line: number | undefined;
  /** Names of fields or files; not part of older records. */
  readonly detail?: string | undefined;
};

export const at = ({ file, line, path, repository, branch }: Place): Prose => {
  const place = file === undefined ? path : line === undefined ? file : `${file}:${line}`;
  return say`${code(`${repository}@${branch}`)}${place === '' ? [] : say` ${code(place)}`}`;
};

/** The files that use the same manifest, where there are several. */
export function others({ detail, file }: Place, heading: string): Prose {
  return detail === undefined || detail === file ? [] : say` ${word(heading)} ${code(detail)}.`;
}

/** The last word that `at` shows. */
export function endOf({ file, line, path, repository, branch }: Place): string {
  if (file !== undefined) return line === undefined ? file : String(line);
  return path === '' ? `${repository}@${branch}` : path;
}
