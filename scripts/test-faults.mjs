/**
 * `npm run faults`: the faults of docs/faults.md at full breadth, one file after the other, and what they count. It runs
 * after `npm run test:nightly`. `--share 10` makes a tenth of the rounds.
 */
import { spawn } from 'node:child_process';
import { parseArgs } from 'node:util';

const { values } = parseArgs({ options: { share: { type: 'string', default: '1' } } });
const partOf = (rounds) => String(Math.max(1, Math.ceil(rounds / Number(values.share))));

/** A round without an approval is a review of each of four kinds. */
const kindsWithoutApproval = 4;
const faults = 'test/system/faults';
const runs = [
  { files: [`${faults}/random-kills.test.ts`], env: { KILL_ROUNDS: partOf(40) } },
  {
    files: [`${faults}/kills-without-approval.test.ts`],
    env: { KILL_ROUNDS: partOf(40 / kindsWithoutApproval) },
  },
  {
    files: [`${faults}/cluster-failover.test.ts`, 'test/system/sentinel-redis.test.ts'],
    env: { REDIS_FAILOVERS: 'all' },
  },
  { files: [`${faults}/redis-link.test.ts`], env: { LINK_ROUNDS: partOf(8) } },
  {
    files: [
      `${faults}/shutdown.test.ts`,
      `${faults}/redis-down.test.ts`,
      `${faults}/clocks-apart.test.ts`,
      `${faults}/rotated-credentials.test.ts`,
      'test/integration/kubernetes/rotated-certificates.test.ts',
      'test/integration/redis/silent-worker.test.ts',
      'test/integration/slack/silent-connection.test.ts',
    ],
    env: {},
  },
];

const counted = [];
let failed = 0;
for (const { files, env } of runs) {
  const projects = new Set(files.map((file) => file.split('/')[1]));
  const args = ['vitest', 'run', ...[...projects].flatMap((each) => ['--project', each]), ...files];
  const child = spawn('npx', args, { env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  child.stdout.on('data', (data) => {
    output += data;
    process.stdout.write(data);
  });
  const status = await new Promise((resolve) => child.once('close', resolve));
  if (status !== 0) failed += 1;
  const lines = output.split('\n').filter((line) => /^(?:killed|failovers|answers of Redis)\b/u.test(line));
  const settings = Object.entries(env).map(([name, value]) => `${name}=${value} `);
  counted.push(`${settings.join('')}${files.join(' ')}: ${status === 0 ? 'passed' : 'failed'}`, ...lines);
}
process.stdout.write(`\n${counted.join('\n')}\n`);
process.exitCode = failed > 0 ? 1 : 0;
