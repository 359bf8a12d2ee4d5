/**
 * `npm run test:cluster`: builds the control plane where it is not built yet, runs the cluster tier against it, and
 * ends with one line `N passed, N failed`. Without Go it says so and ends well, because nothing here can be built; a
 * night fails then.
 *
 * `npm run test:nightly` (`--nightly`) runs every file of `test/cluster`, with all random steps and all offered fixes, a
 * seed of the day, and the comparisons once more on a newer release and the newest one of each former minor version; then recordings and the tier of
 * processes at full breadth, the tier of real nodes and `npm run faults`. It prints what it covered, and fails where a
 * file did not run.
 *
 * Arguments: `--kubernetes VERSION` (`1.36.3`, or `1.35` for its newest release); `--seed NUMBER`,
 * `--placements COUNT`, `--rollout-steps COUNT`, `--large-steps COUNT`, `--lws-steps COUNT`, `--contentions COUNT` and `--queue-orders COUNT`
 * for another or a longer random comparison; `--all-fixes` to apply every offered fix of every form and not only of some that are drawn;
 * test files to run only these, nightly ones too; and `-t 'part of its name'` for some tests of these files.
 */
import { parseArgs } from 'node:util';
import { coverageOf } from './cluster-coverage.mjs';
import { hasGo } from './has-go.mjs';
import { costLine, runMeasured } from './run-measured.mjs';
import { runTier } from './run-tier.mjs';

const otherReleases = ['1.37.2', '1.35', '1.34'];
/** What depends on the release of Kubernetes: its controllers, its scheduler, and what its API server allows. */
const dependOnRelease = [
  'test/cluster/incidents.test.ts',
  'test/cluster/approved-fixes.test.ts',
  'test/cluster/rbac',
  'test/cluster/random/',
];

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    nightly: { type: 'boolean' },
    kubernetes: { type: 'string' },
    seed: { type: 'string' },
    placements: { type: 'string' },
    'rollout-steps': { type: 'string' },
    'large-steps': { type: 'string' },
    'lws-steps': { type: 'string' },
    contentions: { type: 'string' },
    'queue-orders': { type: 'string' },
    'all-fixes': { type: 'boolean' },
    'test-name': { type: 'string', short: 't' },
  },
});

if (!hasGo()) {
  process.stdout.write(
    'The cluster tier needs Go to build the control plane, and none was found: not run.\n',
  );
  process.exit(values.nightly ? 1 : 0);
}

const seedOfDay = new Date().toISOString().slice(0, 10).replaceAll('-', '');
const seed = values.seed ?? (values.nightly ? seedOfDay : undefined);
const variables = {
  RANDOM_SEED: seed,
  RANDOM_PLACEMENTS: values.placements,
  RANDOM_ROLLOUT_STEPS: values['rollout-steps'],
  RANDOM_LARGE_STEPS: values['large-steps'],
  RANDOM_LWS_STEPS: values['lws-steps'],
  RANDOM_CONTENTIONS: values.contentions,
  RANDOM_QUEUE_ORDERS: values['queue-orders'],
  ALL_FIXES: values.nightly || values['all-fixes'] ? 'yes' : undefined,
};
const isNightly = values.nightly || positionals.length > 0;
const given = Object.entries(variables).filter(([, value]) => value !== undefined);
const chosen = values['test-name'] === undefined ? [] : ['-t', values['test-name']];
const runs = [{ kubernetes: values.kubernetes, files: [...positionals, ...chosen] }];
if (values.nightly && values.kubernetes === undefined && positionals.length === 0) {
  runs.push(...otherReleases.map((kubernetes) => ({ kubernetes, files: dependOnRelease })));
}

const totals = { passed: 0, failed: 0 };
const lines = [];
const covered = [];
for (const { kubernetes, files } of runs) {
  const env = { ...process.env, ...Object.fromEntries(given) };
  if (kubernetes !== undefined) env.KUBERNETES_VERSION = kubernetes;
  process.stdout.write(
    'Building the control plane and the tools; the first time takes about eight minutes on two cores.\n',
  );
  const build = [
    'npx',
    '--no-install',
    'tsx',
    'test/cluster/build.ts',
    ...(values.nightly ? ['--nightly'] : []),
  ];
  const { status, ...cost } = await runMeasured(build, { env });
  lines.push(costLine('cluster programs', 'build', cost));
  if (status !== 0) {
    totals.failed += 1;
    lines.push(`failed: the programs of Kubernetes ${kubernetes ?? '(default)'} could not be built`);
    continue;
  }
  const counted = await runTier({ tier: isNightly ? 'nightly' : 'cluster', files, env });
  totals.passed += counted.passed;
  totals.failed += counted.failed;
  lines.push(...counted.lines, counted.cost);
  covered.push({ kubernetes, files: counted.files });
}
if (values.nightly && positionals.length === 0) {
  // Recordings, processes and huge inputs at full breadth, which need no cluster, and real nodes, which fail where containers
  // cannot run.
  for (const tier of ['nightly-scenario', 'nightly-system', 'node']) {
    const counted = await runTier({ tier });
    totals.passed += counted.passed;
    totals.failed += counted.failed;
    lines.push(...counted.lines, counted.cost);
    covered.push({ isWithout: tier !== 'node', files: counted.files });
  }
  const { status, ...cost } = await runMeasured(['node', 'scripts/test-faults.mjs'], { env: process.env });
  if (status !== 0) {
    totals.failed += 1;
    lines.push('failed: npm run faults');
  }
  lines.push(costLine('faults', 'rounds', cost));
}
process.stdout.write('\n');
if (values.nightly) {
  const { lines: coverage, left } = coverageOf(covered, seed);
  process.stdout.write(`${coverage.join('\n')}\n`);
  if (positionals.length === 0) totals.failed += left.length;
}
for (const line of lines) process.stdout.write(`${line}\n`);
process.stdout.write(`${totals.passed} passed, ${totals.failed} failed\n`);
process.exit(totals.failed === 0 && totals.passed > 0 ? 0 : 1);
