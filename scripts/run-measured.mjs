/**
 * Runs a program and measures what it cost: seconds, and processor seconds of it and of every process below it that was
 * waited for. Node.js has no such figure for children that have ended; the shell's `times` has.
 */
import { spawn, spawnSync } from 'node:child_process';

const measured = '"$@" 3>&-; status=$?; times >&3; exit $status';

/**
 * @typedef {{ seconds: number, processorSeconds: number }} Cost
 * @param {readonly string[]} command program and arguments
 * @param {import('node:child_process').SpawnOptions} options `stdio` names input, output and error output
 * @returns {Promise<Cost & { status: number }>}
 */
export function runMeasured(command, { stdio = ['ignore', 'inherit', 'inherit'], ...options } = {}) {
  const started = performance.now();
  const child = spawn('sh', ['-c', measured, 'sh', ...command], { ...options, stdio: [...stdio, 'pipe'] });
  let times = '';
  child.stdio[3].on('data', (chunk) => {
    times += chunk;
  });
  return new Promise((resolve) => {
    const end = (status) =>
      resolve({
        status: status ?? 1,
        seconds: (performance.now() - started) / 1000,
        processorSeconds: processorSecondsOf(times),
      });
    child.once('error', () => end(1));
    child.once('close', end);
  });
}

/** @param {string} times what `times` of the shell printed: user and system time of the shell, then of its children */
function processorSecondsOf(times) {
  const parts = [...times.matchAll(/(\d+)m([\d.,]+)s/g)];
  return parts.reduce(
    (sum, [, minutes, seconds]) => sum + 60 * Number(minutes) + Number(seconds.replace(',', '.')),
    0,
  );
}

/** @param {Cost} a @param {Cost} b one after the other */
export function addCosts(a, b) {
  return {
    seconds: a.seconds + b.seconds,
    processorSeconds: a.processorSeconds + b.processorSeconds,
  };
}

/** One line for the end of a run; `scripts/run-beside.mjs` finds it by its first word. */
export const costLine = (name, what, cost) => `tier ${name}: ${what}, ${describeCost(cost)}`;

/** @param {Cost} cost */
export function describeCost({ seconds, processorSeconds }) {
  return `${Math.round(seconds)} s, ${Math.round(processorSeconds)} processor seconds`;
}

/** Kills all processes that this one started: one that never returns to its event loop does not end with its parent. */
export function killProcessesBelow(pid) {
  const { stdout } = spawnSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' });
  const pairs = stdout
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/ +/).map(Number));
  const below = (parent) => pairs.flatMap(([child, of]) => (of === parent ? [child, ...below(child)] : []));
  for (const child of below(pid)) {
    try {
      process.kill(child, 'SIGKILL');
    } catch {
      // It has ended by itself.
    }
  }
}
