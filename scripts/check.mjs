/** All static checks, one after the other; every one runs even when an earlier one failed. */
import { spawnSync } from 'node:child_process';

const checks = [
  ['types', ['tsc', '--noEmit', '-p', 'tsconfig.json']],
  ['core uses nothing of Node or the browser', ['tsc', '--noEmit', '-p', 'tsconfig.core.json']],
  ['types of the demo page', ['tsc', '--noEmit', '-p', 'demo/slack/page/tsconfig.json']],
  ['no decision by sentences', ['node', 'scripts/check-statements.mjs']],
  ['format and lint', ['biome', 'check', '.']],
  [
    'direction of imports',
    ['depcruise', '--config', '.dependency-cruiser.cjs', 'src', 'workers', 'demo', 'bench', 'test'],
  ],
  ['dead files and exports', ['knip']],
  ['documentation site and its links', ['node', 'scripts/build-docs.mjs']],
];
const failed = checks.filter(([name, [program, ...args]]) => {
  process.stderr.write(`check: ${name}\n`);
  const command = program === 'node' ? [process.execPath, args] : ['npx', ['--no-install', program, ...args]];
  return spawnSync(...command, { stdio: 'inherit' }).status !== 0;
});
for (const [name] of failed) process.stderr.write(`failed: ${name}\n`);
process.exit(failed.length === 0 ? 0 : 1);
