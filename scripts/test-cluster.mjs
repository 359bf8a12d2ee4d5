/**
 * `npm run test:cluster`: builds the control plane where it is not built yet, runs the cluster tier against it, and
 * ends with one line `N passed, N failed`. Without Go it says so and ends well, because nothing here can be built.
 *
 * Arguments: `--kubernetes VERSION` (`1.36.3`, or `1.35` for its newest release); `--seed NUMBER`,
 * `--placements COUNT`, `--rollout-steps COUNT`, `--large-steps COUNT`, `--lws-steps COUNT`, `--contentions COUNT` and `--queue-orders COUNT`
 * for another or a longer random comparison; `--all-fixes` to apply every offered fix of every form and not only of some that are drawn;
 * `--owners all` to let the owners act whose programs take minutes to build, too; and test files to run only these.
 */
import { spawnSync } from 'node:child_process';
import { parseArgs } from 'node:util';
import { hasGo } from './has-go.mjs';
import { runTier } from './run-tier.mjs';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    kubernetes: { type: 'string' },
    seed: { type: 'string' },
    placements: { type: 'string' },
    'rollout-steps': { type: 'string' },
    'large-steps': { type: 'string' },
    'lws-steps': { type: 'string' },
    contentions: { type: 'string' },
    'queue-orders': { type: 'string' },
    'all-fixes': { type: 'boolean' },
    owners: { type: 'string' },
  },
});

if (!hasGo()) {
  process.stdout.write(
    'The cluster tier needs Go to build the control plane, and none was found: not run.\n',
  );
  process.exit(0);
}

const variables = {
  KUBERNETES_VERSION: values.kubernetes,
  RANDOM_SEED: values.seed,
  RANDOM_PLACEMENTS: values.placements,
  RANDOM_ROLLOUT_STEPS: values['rollout-steps'],
  RANDOM_LARGE_STEPS: values['large-steps'],
  RANDOM_LWS_STEPS: values['lws-steps'],
  RANDOM_CONTENTIONS: values.contentions,
  RANDOM_QUEUE_ORDERS: values['queue-orders'],
  OWNERS: values.owners,
  ALL_FIXES: values['all-fixes'] ? 'yes' : undefined,
};
const given = Object.entries(variables).filter(([, value]) => value !== undefined);
const env = { ...process.env, ...Object.fromEntries(given) };
const run = (args) =>
  spawnSync('npx', ['--no-install', ...args], { stdio: ['ignore', 'inherit', 'inherit'], env });

process.stdout.write(
  'Building the control plane and the tools; the first time takes about eight minutes on two cores.\n',
);
if (run(['tsx', 'test/cluster/build.ts']).status !== 0) {
  process.stdout.write('0 passed, 1 failed\n');
  process.exit(1);
}

const counted = runTier({ tier: 'cluster', files: positionals, env });
process.stdout.write('\n');
for (const line of counted.lines) process.stdout.write(`${line}\n`);
process.stdout.write(`${counted.passed} passed, ${counted.failed} failed\n`);
process.exit(counted.failed === 0 && counted.passed > 0 ? 0 : 1);
