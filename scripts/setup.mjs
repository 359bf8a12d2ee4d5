/**
 * Makes a fresh clone ready: packages, and `redis-server` unless REDIS_URL names one. Runs before demo and tests with
 * nothing installed but Node, so it uses nothing but Node.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { hasPackages } from './installed-packages.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  fail(`Node ${process.versions.node} is too old: Rollout Doctor needs Node 20.19 or newer.`);
}
installPackages();
installRedis();

function installPackages() {
  const stamp = join(root, 'node_modules', '.cache', 'rollout-doctor', 'lock');
  const lock = createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === lock) return;
  // Somebody who ran `npm ci` has them already.
  if (hasPackages(root)) return;
  say('Installing packages (npm ci) …');
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
  const done = spawnSync(npm, ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, NODE_ENV: 'development' },
  });
  if (done.status !== 0) fail('npm ci did not succeed; its messages are above.');
  mkdirSync(dirname(stamp), { recursive: true });
  writeFileSync(stamp, lock);
}

function installRedis() {
  if (process.env.REDIS_URL || has('redis-server')) return;
  const asRoot = typeof process.getuid === 'function' && process.getuid() === 0;
  const byHand =
    'Install redis-server yourself (it is packaged as `redis-server` or `redis`), or set REDIS_URL to one you have.';
  if (process.platform === 'darwin' && has('brew')) {
    say('Installing Redis (brew install redis) …');
    run('brew', ['install', 'redis']);
  } else if (process.platform === 'linux' && has('apt-get')) {
    const sudo = asRoot ? [] : has('sudo') && run('sudo', ['-n', 'true'], true) ? ['sudo', '-n'] : undefined;
    if (sudo === undefined) fail(`redis-server is not installed and installing it needs root. ${byHand}`);
    say('Installing Redis (apt-get install redis-server) …');
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' };
    const apt = (...args) => {
      const [command, ...rest] = [...sudo, 'apt-get', '-y', '-q', ...args];
      return spawnSync(command, rest, { stdio: ['ignore', 'ignore', 'inherit'], env }).status === 0;
    };
    if (!apt('install', '--no-install-recommends', 'redis-server')) {
      apt('update');
      apt('install', '--no-install-recommends', 'redis-server');
    }
  }
  if (!has('redis-server')) fail(`redis-server is not installed, and could not be installed here. ${byHand}`);
}

function has(program) {
  return spawnSync('sh', ['-c', `command -v ${program}`], { stdio: 'ignore' }).status === 0;
}

function run(program, args, quiet = false) {
  return (
    spawnSync(program, args, { stdio: quiet ? 'ignore' : ['ignore', 'inherit', 'inherit'] }).status === 0
  );
}

function say(line) {
  process.stderr.write(`${line}\n`);
}

function fail(line) {
  say(line);
  process.exit(1);
}
