import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isDeepStrictEqual, parseArgs } from 'node:util';
import { seed as standardSeed } from './random/extent.js';
import { choose } from './steps/choose.js';
import { compact } from './steps/compact.js';
import { type Branch, engineCoverage } from './steps/engine-coverage.js';
import { type Part, type Pool, partOf, parts, recordPart } from './steps/pool.js';
import { type Engine, type Recorded, readSteps, replay, type Step, stepFiles } from './steps/step-file.js';

/**
 * `npm run record:steps` lets the real controllers and the scheduler act on many random changes, and stores
 * those steps that together run every branch of the engines that any of them runs. The unit tests replay
 * them. Exits with 1 where an engine disagrees with a real program; such steps are stored, too.
 */
const usage = `npm run record:steps -- [--seed N] [--rollouts 250] [--placements 1500] [--quotas 400] [--most 200]

  --part         record only these again: ${parts.join(', ')}
  --rollouts     steps of each kind of workload to choose from
  --again        choose again from the last recorded steps, without a cluster
  --coverage     record nothing: print how much of each engine the stored steps run
  --branches X   record nothing: print each branch of the sources whose path contains X, and the steps that run it
`;
const engines: readonly Engine[] = ['rollout', 'quota', 'placement'];
const folder = 'reports/recorded-steps';

const { values } = parseArgs({
  options: {
    part: { type: 'string', multiple: true, default: [] },
    seed: { type: 'string', default: String(standardSeed) },
    rollouts: { type: 'string', default: '250' },
    placements: { type: 'string', default: '1500' },
    quotas: { type: 'string', default: '400' },
    most: { type: 'string', default: '200' },
    again: { type: 'boolean', default: false },
    coverage: { type: 'boolean', default: false },
    branches: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});
const [seed = 0, rollouts = 0, placements = 0, quotas = 0, most = 0] = [
  values.seed,
  values.rollouts,
  values.placements,
  values.quotas,
  values.most,
].map(Number);
const nameOf = ({ of, step }: Step): string => `${of} ${step.id}`;
const placeOf = ({ file, line, column }: Branch): string => `${file}:${line}:${column}`;

if (values.help) process.stdout.write(usage);
else if (values.coverage || values.branches !== undefined) await printCoverage(values.branches);
else await record();

async function record(): Promise<void> {
  const wanted = values.again
    ? []
    : values.part.length === 0
      ? parts
      : parts.filter((part) => values.part.includes(part));
  await mkdir(folder, { recursive: true });
  for (const part of wanted) {
    const pool = await recordPart(part, { seed, rollouts, placements, quotas });
    await writeFile(fileOf(part), JSON.stringify(pool));
    console.log(`${part}: ${pool.steps.length} steps`);
  }
  const pools = (await Promise.all(parts.map(readPool))).flatMap((pool) => pool ?? []);
  const steps = pools.flatMap((pool) => pool.steps);
  const programs = Object.assign({}, ...pools.map((pool) => pool.programs));
  const recorded = { programs, seed: pools[0]?.seed ?? seed };
  const { covered, byFrequency, branches } = await engineCoverage(recorded, steps);
  const candidates = steps.map((step, position) => {
    const { real, engine } = replay(recorded, step);
    const isWanted = !isDeepStrictEqual(engine, real);
    if (isWanted) {
      process.exitCode = 1;
      console.log(
        `${nameOf(step)}: disagrees\n  real   ${JSON.stringify(real)}\n  engine ${JSON.stringify(engine)}`,
      );
    }
    return { covered: byFrequency[position] ?? [], length: JSON.stringify(step).length, isWanted };
  });
  const chosen = choose(candidates, most).flatMap((position) => steps[position] ?? []);
  for (const engine of engines) {
    const own = chosen.filter(({ of }) => of === engine);
    const head: Recorded = { ...recorded, chosenFrom: steps.filter(({ of }) => of === engine).length };
    const lines = own.map((step) => JSON.stringify(shortened(recorded, step).step));
    await mkdir(dirname(stepFiles[engine]), { recursive: true });
    await writeFile(stepFiles[engine], [JSON.stringify(head), ...lines, ''].join('\n'));
    console.log(`${own.length} steps in ${stepFiles[engine]}`);
  }
  const all = new Set(covered.flat()).size;
  console.log(
    `${chosen.length} of ${steps.length} steps; all of them run ${all} of ${branches.length} branches`,
  );
}

function fileOf(part: Part): string {
  return join(folder, `${part}.json`);
}

/** What was recorded last of this part; where that is not on this machine, the steps that are stored. */
async function readPool(part: Part): Promise<Pool | undefined> {
  const text = await readFile(fileOf(part), 'utf8').catch(() => undefined);
  if (text !== undefined) return JSON.parse(text) as Pool;
  const files = engines.flatMap((engine) => (existsSync(stepFiles[engine]) ? [readSteps(engine)] : []));
  const steps = files.flatMap((file) => file.steps).filter((step) => partOf(step) === part);
  return files[0] && { ...files[0].recorded, steps };
}

function shortened(recorded: Pick<Recorded, 'programs'>, step: Step): Step {
  const short = compact(step);
  if (!isDeepStrictEqual(replay(recorded, short).engine, replay(recorded, step).engine)) {
    throw new Error(`${nameOf(step)}: an engine reads what is left out`);
  }
  return short;
}

async function printCoverage(part: string | undefined): Promise<void> {
  const files = engines.map(readSteps);
  const [first] = files;
  if (first === undefined) return;
  const steps = files.flatMap((file) => file.steps);
  const { branches, covered } = await engineCoverage(first.recorded, steps);
  const stepsOf = new Map<number, string[]>();
  for (const [position, step] of steps.entries()) {
    for (const branch of covered[position] ?? []) {
      stepsOf.set(branch, [...(stepsOf.get(branch) ?? []), nameOf(step)]);
    }
  }
  if (part !== undefined) {
    for (const [position, branch] of branches.entries()) {
      if (!branch.file.includes(part)) continue;
      const [one, two, ...more] = stepsOf.get(position) ?? [];
      const others = more.length === 0 ? '' : ` and ${more.length} more`;
      console.log(`${placeOf(branch)}  ${one === undefined ? 'no step' : [one, two].join(', ') + others}`);
    }
    return;
  }
  for (const file of [...new Set(branches.map((branch) => branch.file))].sort()) {
    const own = branches.flatMap((branch, position) => (branch.file === file ? [position] : []));
    const run = own.filter((position) => stepsOf.has(position));
    const missing = own
      .filter((position) => !stepsOf.has(position))
      .map((position) => branches[position]?.line);
    const lines = missing.length === 0 ? '' : `  not line ${[...new Set(missing)].join(', ')}`;
    console.log(`${run.length} of ${own.length}  ${file}${lines}`);
  }
  console.log(`${stepsOf.size} of ${branches.length} branches by ${steps.length} steps`);
}
