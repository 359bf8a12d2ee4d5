/** `×` is a ratio; `B`, `kB` and `MB` are bytes, in powers of ten. */
export type Unit = 'ms' | 's' | 'MB' | 'kB' | 'B' | '×' | '';

/** One measured figure, and what it should stay below where that was promised. */
export interface Figure {
  readonly value: number;
  readonly unit: Unit;
  readonly below?: number;
}

export interface Row {
  readonly name: string;
  /** One a column; `undefined` where there is nothing to measure. */
  readonly figures: readonly (Figure | undefined)[];
}

/** Figures that were measured in one run and belong side by side. */
export interface Table {
  readonly id: string;
  readonly title: string;
  /** What was measured and how, in a sentence or two. */
  readonly about: string;
  readonly columns: readonly string[];
  readonly rows: readonly Row[];
}

export function ms(value: number, below?: number): Figure {
  return figure(value, 'ms', below);
}

/** @param bytes shown as megabytes of 1,000,000 bytes */
export function megabytes(bytes: number, below?: number): Figure {
  return figure(bytes / 1_000_000, 'MB', below);
}

export function bytes(value: number, below?: number): Figure {
  return figure(Math.round(value), 'B', below);
}

export function ratio(value: number): Figure {
  return figure(value, '×');
}

export function count(value: number, below?: number): Figure {
  return figure(value, '', below);
}

function figure(value: number, unit: Unit, below?: number): Figure {
  return { value, unit, ...(below === undefined ? {} : { below }) };
}

/** Whether a promise was kept; `undefined` where none was made. */
export function isMet({ value, below }: Figure): boolean | undefined {
  return below === undefined ? undefined : value < below;
}
