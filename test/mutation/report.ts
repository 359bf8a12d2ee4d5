import { countedTrials, detected, type Outcome, type Score, totalScore, wilson } from './score.js';
import type { TriedMutant } from './try-mutants.js';

export interface PartResult {
  readonly folder: string;
  /** How many mutants there are in all. */
  readonly mutants: number;
  readonly tried: readonly TriedMutant[];
}

export function outcomeOf(tried: readonly TriedMutant[]): Outcome {
  const count = (status: TriedMutant['status']): number =>
    tried.filter((mutant) => mutant.status === status).length;
  return {
    killed: count('killed'),
    timedOut: count('timed out'),
    survived: count('survived'),
    uncovered: count('not reached'),
  };
}

/** One row for each part and one for all, as Markdown. */
export function table(results: readonly PartResult[]): string {
  const rows = results.map(({ folder, mutants, tried }) => {
    const outcome = outcomeOf(tried);
    const trials = countedTrials(outcome);
    return row(
      `\`${folder}\``,
      mutants,
      outcome,
      wilson(trials === 0 ? 0 : detected(outcome) / trials, trials),
    );
  });
  const all = results.flatMap(({ tried }) => tried);
  const total = totalScore(results.map(({ mutants, tried }) => ({ mutants, outcome: outcomeOf(tried) })));
  const inAll = results.reduce((sum, { mutants }) => sum + mutants, 0);
  return [
    '| part | mutants | tried | killed | timed out | survived | not reached | score | 95 % interval |',
    '| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |',
    ...rows,
    ...(results.length > 1 ? [row('all, by size', inAll, outcomeOf(all), total)] : []),
  ].join('\n');
}

function row(name: string, mutants: number, outcome: Outcome, { share, low, high }: Score): string {
  const percent = (value: number): string => `${Math.round(value * 100)}`;
  const { killed, timedOut, survived, uncovered } = outcome;
  const cells = [mutants.toLocaleString('en'), countedTrials(outcome), killed, timedOut, survived, uncovered];
  const score =
    countedTrials(outcome) === 0 ? ['', ''] : [`${percent(share)} %`, `${percent(low)}–${percent(high)} %`];
  return `| ${[name, ...cells, ...score].join(' | ')} |`;
}

/** What became of a mutant, with its place, its replacement, and the test that detected it. */
export function lineOf({ file, line, column, status, mutator, replacement, by }: TriedMutant): string {
  const shown = replacement.replace(/\s+/g, ' ').slice(0, 80);
  const test = by === undefined ? '' : ` (${by.slice(0, 120)})`;
  return `${file}:${line}:${column} ${status} ${mutator}: ${shown}${test}`;
}
