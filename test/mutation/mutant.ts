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

/** Stryker's instrumenter counts lines and columns from 0. */
export function mutantFrom({ fileName, location, mutatorName, replacement }: StrykerMutant): Mutant {
  return {
    file: fileName,
    line: location.start.line + 1,
    column: location.start.column + 1,
    endLine: location.end.line + 1,
    endColumn: location.end.column + 1,
    mutator: mutatorName,
    replacement: replacement ?? '',
  };
}

/** The first offset of the mutated text, and the first after it. */
export function offsetsOf({ line, column, endLine, endColumn }: Mutant, source: string): [number, number] {
  const starts = [0];
  for (const { index } of source.matchAll(/\n/g)) starts.push(index + 1);
  return [(starts[line - 1] ?? 0) + column - 1, (starts[endLine - 1] ?? 0) + endColumn - 1];
}
