import { spawn } from 'node:child_process';

/**
 * A shell that outlives a crash of the test runner: it receives each component's pid. When its input ends
 * without `done`, because the runner was killed, it kills those processes and removes the data folder.
 */
const script = `
pids=
while read -r line; do
  [ "$line" = done ] && exit 0
  pids="$pids $line"
done
for pid in $pids; do kill -KILL "$pid" 2>/dev/null; done
rm -rf -- "$1"
`;

export interface Guard {
  /** Puts one more process under guard. */
  watch(pid: number): void;
  /** Everything was stopped in order: the guard ends without an action. */
  release(): void;
}

/** Guards the processes that use `folder`, a folder which belongs to them alone. */
export function startGuard(folder: string): Guard {
  const shell = spawn('/bin/sh', ['-c', script, 'guard', folder], {
    stdio: ['pipe', 'ignore', 'ignore'],
    // A group of its own: Ctrl-C reaches the runner and not the guard.
    detached: true,
  });
  shell.unref();
  const input = shell.stdin;
  // A guard that has already ended does not fail the test.
  input.on('error', () => {});
  return {
    watch: (pid) => {
      input.write(`${pid}\n`);
    },
    release: () => {
      input.end('done\n');
    },
  };
}
