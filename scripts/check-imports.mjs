/**
 * The direction of imports, by the rules of `.dependency-cruiser.cjs`, and what a process loads when it starts: the app can
 * write to no cluster and to no repository, so its modules do not reach those that write. Fails also where it saw too little.
 */
import { execFileSync } from 'node:child_process';

const folders = ['src', 'workers', 'demo', 'bench', 'test'];
/** Everything that writes to a cluster or a repository. */
const writers = [
  'src/edges/kubernetes/workload-patcher.ts',
  'src/edges/kubernetes/change-body.ts',
  'src/edges/kubernetes/second-step.ts',
  'src/edges/git-hosts/github-host.ts',
  'src/service/git/git-writer.ts',
];
/** A process loads more than this; fewer modules were not found, or not followed. */
const fewestLoaded = 100;

const output = execFileSync(
  'npx',
  ['--no-install', 'depcruise', '--config', '.dependency-cruiser.cjs', '--output-type', 'json', ...folders],
  { maxBuffer: 256 * 1024 * 1024, stdio: ['ignore', 'pipe', 'inherit'] },
);
const { summary, modules } = JSON.parse(output.toString());
const bySource = new Map(modules.map((each) => [each.source, each]));

/** Every module that a process loads when it starts at `root`, directly or indirectly; types included. */
function reachableFrom(root) {
  const reached = new Set();
  const next = [root];
  for (let source = next.pop(); source !== undefined; source = next.pop()) {
    if (reached.has(source)) continue;
    reached.add(source);
    next.push(...(bySource.get(source)?.dependencies ?? []).map(({ resolved }) => resolved));
  }
  return reached;
}

const [app, worker] = ['src/main.ts', 'workers/main.ts'].map(reachableFrom);
const faults = [
  ...summary.violations.map(({ rule, from, to }) => `${rule.name}: ${from} -> ${to}`),
  ...folders
    .filter((folder) => !modules.some(({ source }) => source.startsWith(`${folder}/`)))
    .map((folder) => `no module of ${folder} was seen`),
  ...writers.filter((each) => app.has(each)).map((each) => `the app reaches ${each}, which writes`),
  ...writers
    .filter((each) => !worker.has(each))
    .map((each) => `the worker does not reach ${each}: name the modules that write in this file`),
];
for (const [name, { size }] of Object.entries({ app, worker })) {
  if (size < fewestLoaded) faults.push(`only ${size} modules of the ${name} were seen`);
}
process.stdout.write(`${[...faults, `${modules.length} modules, ${faults.length} faults`].join('\n')}\n`);
process.exit(faults.length === 0 ? 0 : 1);
