import { execFileSync, spawn } from 'node:child_process';
import { connect, createServer, type Server } from 'node:net';

/**
 * `node own-network.ts PORT=SOCKET… -- PROGRAM ARGUMENT…`, run in a network namespace of its own: a program
 * whose ports are fixed cannot meet another one there. What it asks at a loopback port goes through a socket
 * in the file system, behind which somebody outside answers.
 */
const [doors, command] = split(process.argv.slice(2));

function split(words: readonly string[]): readonly [readonly string[], readonly string[]] {
  const end = words.indexOf('--');
  return [words.slice(0, end), words.slice(end + 1)];
}

/** Passes each connection on to the address. */
function relay(to: string): Server {
  return createServer((near) => {
    const far = connect(to);
    far.on('error', () => near.destroy());
    near.on('error', () => far.destroy());
    near.pipe(far).pipe(near);
  });
}

execFileSync('ip', ['link', 'set', 'lo', 'up']);
for (const door of doors) {
  const [port, socket = ''] = door.split('=');
  relay(socket).listen(Number(port), '127.0.0.1');
}
const [file = '', ...args] = command;
const child = spawn(file, args, { stdio: 'inherit' });
child.on('exit', (code) => process.exit(code ?? 1));
