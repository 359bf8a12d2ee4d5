/** One change of the source that Stryker can make. Lines and columns count from 1. */
export interface Mutant {
  /** Path from the root of the project. */
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly endLine: number;
  readonly endColumn: number;
  /** Stryker's name for the kind of change. */
  readonly mutator: string;
  readonly replacement: string;
}

/** The same for the same change, however Stryker numbers it in this run. */
export function keyOf({ file, line, column, endLine, endColumn, mutator, replacement }: Mutant): string {
  return JSON.stringify([file, line, column, endLine, endColumn, mutator, replacement]);
}

interface StrykerMutant {
  readonly fileName: string;
  readonly location: { readonly start: Position; readonly end: Position };
  readonly mutatorName: string;
  readonly replacement?: string;
}

interface Position {
  readonly line: number;
  readonly column: number;
}

/** @param first what Stryker calls the first line here: 0 in its instrumenter and checkers, 1 in its results */
export function mutantFrom(
  { fileName, location, mutatorName, replacement }: StrykerMutant,
  first: 0 | 1,
): Mutant {
  return {
    file: fileName.slice(Math.max(0, fileName.lastIndexOf('src/core/'))),
    line: location.start.line + 1 - first,
    column: location.start.column + 1 - first,
    endLine: location.end.line + 1 - first,
    endColumn: location.end.column + 1 - first,
    mutator: mutatorName,
    replacement: replacement ?? '',
  };
}
