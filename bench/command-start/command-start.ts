import { builtCommand, type MeasuredProcess, measured } from '../measure/measured-process.js';
import { quantile } from '../measure/quantile.js';
import { megabytes, ms, type Row, type Table } from '../report/table.js';

const runs = 7;

/** Commands that read nothing: what they take is loading the program. */
const commands: readonly (readonly [name: string, words: readonly string[]])[] = [
  ['--version', ['--version']],
  ['explain of one message', ['explain', '0/3 nodes are available: 3 Insufficient nvidia.com/gpu.']],
];

/**
 * The built command line from its start to its end, where it reads nothing.
 *
 * @param version the folder of another version; this one by default
 */
export async function measureStart(version?: string): Promise<Table> {
  const rows: Row[] = [];
  for (const [name, words] of commands) {
    const samples: MeasuredProcess[] = [];
    for (let run = 0; run < runs; run += 1) {
      samples.push(await measured({ program: [await builtCommand(version)], arguments: words }));
    }
    const median = (part: 'processor' | 'peak' | 'seconds'): number =>
      quantile(
        samples.map((each) => each[part]),
        0.5,
      );
    rows.push({
      name,
      figures: [ms(median('seconds') * 1_000), ms(median('processor')), megabytes(median('peak'))],
    });
  }
  return {
    id: 'command-start',
    title: 'Commands that read nothing',
    about: 'The built command line from its start to its end; processor time in steps of 10 ms.',
    columns: ['time p50', 'processor p50', 'memory at most'],
    rows,
  };
}
