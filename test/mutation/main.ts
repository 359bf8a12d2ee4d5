import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { allMutants } from './all-mutants.js';
import { mutatedFiles, partsOf } from './parts.js';
import { outcomeOf, type PartResult, survivors, table } from './report.js';
import { runStryker } from './run-stryker.js';
import { sample } from './sample.js';

const usage = `npm run mutation -- [--folder core/placement]… [--sample 50] [--seed 1] [--all] [--concurrency 1]

  --folder       a part of core/; may be given again; all parts when absent
  --sample       mutants to try in each part
  --seed         which ones; the same seed takes the same ones
  --all          every mutant: hours
  --concurrency  test runners at once
  --count        only count the mutants
`;

const inCore = await readdir('src/core', { withFileTypes: true });
const parts = partsOf(inCore.filter((entry) => entry.isDirectory()).map(({ name }) => name));

const { values } = parseArgs({
  options: {
    folder: { type: 'string', multiple: true, default: [] },
    sample: { type: 'string', default: '50' },
    seed: { type: 'string', default: '1' },
    all: { type: 'boolean', default: false },
    concurrency: { type: 'string', default: '1' },
    count: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});
const [size, seed, concurrency] = [values.sample, values.seed, values.concurrency].map(Number);
const folders = values.folder.map((path) => path.replace(/^(?:src\/)?core\//, '').replace(/\/$/, ''));
const unknown = folders.filter((folder) => parts.every((part) => part.folder !== folder));
const numbersAreWhole = [size, seed, concurrency].every(
  (value) => Number.isInteger(value) && Number(value) >= 0,
);
if (values.help || unknown.length > 0 || !numbersAreWhole || !size || !concurrency || seed === undefined) {
  const names = parts.map(({ folder }) => `core/${folder}`).join(' ');
  process.stderr.write(`${usage}\nParts: ${names}\n`);
  process.exit(values.help ? 0 : 2);
}

const paths = (await readdir('src/core', { recursive: true })).map((path) => join('src/core', path));
const results: PartResult[] = [];
for (const part of parts.filter(({ folder }) => folders.length === 0 || folders.includes(folder))) {
  const mutants = await allMutants(mutatedFiles(part, paths));
  const chosen = values.all ? mutants : sample(mutants, size, seed, part.folder);
  say(`core/${part.folder}: ${values.count ? 0 : chosen.length} of ${mutants.length} mutants …`);
  const tried = values.count ? [] : await runStryker(chosen, part.tests, concurrency);
  results.push({ folder: part.folder, mutants: mutants.length, tried });
  for (const line of survivors(tried)) say(`  ${line}`);
}
const report = {
  apiVersion: 'rollout-doctor/v1',
  kind: 'MutationReport',
  takenAt: new Date().toISOString(),
  seed: values.all ? undefined : seed,
  parts: results.map(({ folder, mutants, tried }) => ({ folder, mutants, ...outcomeOf(tried), tried })),
};
await mkdir('reports', { recursive: true });
await writeFile('reports/mutation.json', JSON.stringify(report, undefined, 2));
process.stdout.write(`${table(results)}\n`);

function say(line: string): void {
  process.stderr.write(`${line}\n`);
}
