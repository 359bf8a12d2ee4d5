import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { allMutants } from './all-mutants.js';
import { findKept, type KeptMutant, keepMutants } from './kept-sample.js';
import type { Mutant } from './mutant.js';
import { mutatedFiles, type Part, partOf, partsOf, pureRooms } from './parts.js';
import { lineOf, type PartResult, table } from './report.js';
import { proportionalSizes, sample } from './sample.js';
import { tryMutants } from './try-mutants.js';

const usage = `npm run mutation -- [--folder engine/scheduler]… [--size 50] [--seed 1] [--all]
npm run mutation -- --sample FILE [--folder engine/scheduler]… [--result FILE]

  --folder  a room of engine/ or doctor/; may be given again; all rooms when absent
  --size    mutants to try in each part
  --seed    which ones; the same seed takes the same ones
  --all     every mutant: hours
  --sample  try the mutants that this file keeps
  --draw    write --size mutants to this file, spread over all parts by their size
  --result  write the result of each mutant to this file
  --count   only count the mutants
  --table   try nothing: print what was tried last of each part
`;

const parts = partsOf(pureRooms());

const { values } = parseArgs({
  options: {
    folder: { type: 'string', multiple: true, default: [] },
    size: { type: 'string', default: '50' },
    seed: { type: 'string', default: '1' },
    all: { type: 'boolean', default: false },
    sample: { type: 'string' },
    draw: { type: 'string' },
    result: { type: 'string' },
    count: { type: 'boolean', default: false },
    table: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});
const [size = 0, seed = 0] = [values.size, values.seed].map(Number);
const folders = values.folder.map((path) => path.replace(/^src\//, '').replace(/\/$/, ''));
const unknown = folders.filter((folder) => parts.every((part) => part.folder !== folder));
if (values.help || unknown.length > 0 || !(size > 0) || !Number.isInteger(size) || !Number.isInteger(seed)) {
  const names = parts.map(({ folder }) => folder).join(' ');
  process.stderr.write(`${usage}\nParts: ${names}\n`);
  process.exit(values.help ? 0 : 2);
}

const paths = (await readdir('src', { recursive: true })).map((path) => join('src', path));
const wanted = parts.filter(({ folder }) => folders.length === 0 || folders.includes(folder));
const saved = (folder: string): string => join('reports/mutation', `${folder.replaceAll('/', '-')}.json`);

if (values.draw !== undefined) {
  const mutants = await Promise.all(parts.map((part) => allMutants(mutatedFiles(part, paths))));
  const sizes = proportionalSizes(
    mutants.map(({ length }) => length),
    size,
  );
  const kept = await Promise.all(
    parts.map(({ folder }, index) =>
      keepMutants(folder, sample(mutants[index] ?? [], sizes[index] ?? 0, seed, folder)),
    ),
  );
  await writeFile(values.draw, `${JSON.stringify(kept.flat(), undefined, 2)}\n`);
} else if (values.sample !== undefined) {
  const inFile = JSON.parse(await readFile(values.sample, 'utf8')) as KeptMutant[];
  const kept = inFile.filter(({ part }) => folders.length === 0 || folders.includes(part));
  const files = wanted.flatMap((part) => mutatedFiles(part, paths));
  const found = await findKept(kept, files);
  const gone = found.flatMap(({ kept: each, mutant }) => (mutant === undefined ? [each] : []));
  for (const { file, line, mutator } of gone) writeLine(`gone: ${file}:${line} ${mutator}`);
  const results: PartResult[] = [];
  for (const part of wanted) {
    const mutants = found.flatMap(({ mutant }) =>
      mutant !== undefined && partOf(mutant.file, parts) === part ? [mutant] : [],
    );
    if (mutants.length > 0) results.push(await tryPart(part, mutants, mutants.length));
    await writeResult(results, gone);
  }
  process.stdout.write(`${table(results)}\n`);
} else {
  const results: PartResult[] = [];
  for (const part of wanted) {
    if (values.table) {
      const text = await readFile(saved(part.folder), 'utf8').catch(() => undefined);
      if (text !== undefined) results.push(JSON.parse(text) as PartResult);
      continue;
    }
    const mutants = await allMutants(mutatedFiles(part, paths));
    if (values.count) {
      results.push({ folder: part.folder, mutants: mutants.length, tried: [] });
      continue;
    }
    const chosen = values.all ? mutants : sample(mutants, size, seed, part.folder);
    const result = await tryPart(part, chosen, mutants.length);
    results.push(result);
    await mkdir('reports/mutation', { recursive: true });
    const of = { takenAt: new Date().toISOString(), ...(values.all ? {} : { seed }) };
    await writeFile(saved(part.folder), JSON.stringify({ ...of, ...result }, undefined, 2));
    await writeResult(results, []);
  }
  process.stdout.write(`${table(results)}\n`);
}

async function tryPart(part: Part, mutants: readonly Mutant[], all: number): Promise<PartResult> {
  writeLine(`${part.folder}: ${mutants.length} of ${all} mutants …`);
  const tried = await tryMutants(mutants, part.tests, (each) => writeLine(`  ${lineOf(each)}`));
  return { folder: part.folder, mutants: all, tried };
}

async function writeResult(results: readonly PartResult[], gone: readonly KeptMutant[]): Promise<void> {
  if (values.result === undefined) return;
  await writeFile(values.result, `${JSON.stringify({ results, gone }, undefined, 2)}\n`);
}

function writeLine(line: string): void {
  process.stderr.write(`${line}\n`);
}
