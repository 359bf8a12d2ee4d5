/**
 * `npm run faults [-- PATH ...]`: the tests that docs/faults.md names, each file alone and with all rounds, or only
 * these paths. It runs after `npm run test:nightly`. With `--write`, what each printed becomes its row of *Counts* on
 * that page. `--share 10` makes a tenth of the rounds; `--read LOG` takes what an earlier run of one path printed.
 */
import { execFileSync, spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { parseArgs, stripVTControlCharacters } from 'node:util';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    share: { type: 'string', default: '1' },
    read: { type: 'string' },
    write: { type: 'boolean', default: false },
  },
});
const partOf = (rounds) => String(Math.max(1, Math.ceil(rounds / Number(values.share))));

/** A round without an approval is a review of each of four kinds. */
const kindsWithoutApproval = 4;
/** Breadth beyond that of the usual run. */
const settings = {
  'random-kills': { KILL_ROUNDS: partOf(40) },
  'kills-without-approval': { KILL_ROUNDS: partOf(40 / kindsWithoutApproval) },
  'cluster-failover': { REDIS_FAILOVERS: 'all' },
  'redis-link': { LINK_ROUNDS: partOf(8) },
  shutdown: { CLICK_FAULTS: 'all' },
  'slack-down': { SLACK_FAULTS: 'all' },
  'storm-soak': { SOAK_MINUTES: partOf(60) },
};
const settingsOf = (path) => (path.startsWith('test/system/faults/') && settings[nameOf(path)]) || {};
const wordsOf = (env) =>
  Object.entries(env)
    .map((each) => each.join('='))
    .join(' ');
const nameOf = (path) => path.replace(/^.*\//, '').replace('.test.ts', '');

const page = 'docs/faults.md';
const start = '<!-- counts: npm run faults -- --write makes what follows -->';
const [told, kept = ''] = readFileSync(page, 'utf8').split(start);
const named = [...new Set([...told.matchAll(/`(test\/[\w/-]+\.test\.ts)`/g)].map(([, path]) => path))];
const git = (...args) => execFileSync('git', args, { encoding: 'utf8' }).trim();
const product = ['src', 'workers', 'package-lock.json'];

/** Rows of this run. */
const written = new Map();
let failed = 0;
for (const path of positionals.length > 0 ? positionals : named) {
  if (!named.includes(path)) throw new Error(`${page} does not name ${path}`);
  const { output, status } = values.read ? { output: readFileSync(values.read, 'utf8') } : await run(path);
  if (status) failed += 1;
  const row = rowOf(path, stripVTControlCharacters(output));
  process.stdout.write(`${row}\n`);
  if (values.write) keep(path, row);
}
process.exitCode = failed > 0 ? 1 : 0;

async function run(path) {
  const env = { ...process.env, NIGHTLY_TESTS: 'yes', ...settingsOf(path) };
  const args = ['vitest', 'run', '--project', path.split('/')[1], path];
  const child = spawn('npx', args, { env, stdio: ['ignore', 'pipe', 'inherit'] });
  let output = `${headOf(path)}\n`;
  child.stdout.on('data', (data) => {
    output += data;
    process.stdout.write(data);
  });
  const status = await new Promise((resolve) => child.once('close', resolve));
  return { output, status };
}

/** What the output itself does not say: the last commit of the product that was tested, the day and the machine. */
function headOf(path) {
  const changed = git('status', '--porcelain', '--', ...product) === '' ? '' : ' with changes';
  const commit = `${git('log', '-1', '--format=%h', '--', ...product)}${changed}`;
  const machine = `${cpus().length} × ${cpus()[0]?.model ?? process.arch}, Node ${process.version}`;
  const set = wordsOf(settingsOf(path));
  return `faults: ${JSON.stringify({ set, commit, day: new Date().toISOString().slice(0, 10), machine })}`;
}

function rowOf(path, output) {
  const { set, commit, day, machine } = JSON.parse(/^faults: (.*)$/mu.exec(output)?.[1] ?? '{}');
  const tests = /^\s*Tests\s+(.*)$/mu.exec(output)?.[1];
  if (tests === undefined || commit === undefined) throw new Error(`${path} printed no result`);
  const count = (word) => Number(new RegExp(`(\\d+) ${word}`, 'u').exec(tests)?.[1] ?? 0);
  const lines = output
    .split('\n')
    .filter((line) => /^(?:killed|failovers|answers of Redis|faults of|soak)\b/u.test(line));
  const counted = lines.join('; ').replaceAll('|', '\\|');
  const cells = [`\`${path}\``, set, count('passed'), count('failed'), counted, commit, day, machine];
  return `| ${cells.join(' | ')} |`;
}

/** Rows stand in the order in which the page names their tests. */
function keep(path, row) {
  written.set(path, row);
  const before = kept.split('\n').map((line) => [/^\| `([^`]+)`/u.exec(line)?.[1], line]);
  const rows = new Map([...before, ...written]);
  const head = [
    '| test | settings | passed | failed | what it counted | commit | day | machine |',
    '| --- | --- | --- | --- | --- | --- | --- | --- |',
  ];
  const missing = (each) => {
    const set = wordsOf(settingsOf(each));
    return set === '' ? [] : `| \`${each}\` | ${set} | | | not counted yet | | | |`;
  };
  const body = named.flatMap((each) => rows.get(each) ?? missing(each));
  writeFileSync(page, `${told}${start}\n\n${[...head, ...body].join('\n')}\n`);
}
