import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { allMutants } from './all-mutants.js';
import { mutatedFiles, partsOf } from './parts.js';
import { type PartResult, survivors, table } from './report.js';
import { runStryker } from './run-stryker.js';
import { sample } from './sample.js';

const usage = `npm run mutation -- [--folder core/placement]… [--sample 50] [--seed 1] [--all] [--concurrency 1]

  --folder       a part of core/; may be given again; all parts when absent
  --sample       mutants to try in each part
  --seed         which ones; the same seed takes the same ones
  --all          every mutant: hours
  --concurrency  test runners at once
  --count        only count the mutants
  --table        try nothing: print what was tried last of each part
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
    table: { type: 'boolean', default: false },
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
const saved = (folder: string): string => join('reports/mutation', `${folder.replaceAll('/', '-')}.json`);
const results: PartResult[] = [];
for (const part of parts.filter(({ folder }) => folders.length === 0 || folders.includes(folder))) {
  if (values.table) {
    const text = await readFile(saved(part.folder), 'utf8').catch(() => undefined);
    if (text !== undefined) results.push(JSON.parse(text) as PartResult);
    continue;
  }
  const mutants = await allMutants(mutatedFiles(part, paths));
  const chosen = values.all ? mutants : sample(mutants, size, seed, part.folder);
  writeLine(`core/${part.folder}: ${values.count ? 0 : chosen.length} of ${mutants.length} mutants …`);
  const tried = values.count ? [] : await runStryker(chosen, part.tests, concurrency);
  const result = { folder: part.folder, mutants: mutants.length, tried };
  results.push(result);
  for (const line of survivors(tried)) writeLine(`  ${line}`);
  if (values.count) continue;
  await mkdir('reports/mutation', { recursive: true });
  const of = { takenAt: new Date().toISOString(), ...(values.all ? {} : { seed }) };
  await writeFile(saved(part.folder), JSON.stringify({ ...of, ...result }, undefined, 2));
}
process.stdout.write(`${table(results)}\n`);

function writeLine(line: string): void {
  process.stderr.write(`${line}\n`);
}
