import { execFile, execFileSync, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { promisify } from 'node:util';

const execute = promisify(execFile);

/** The installer of go.dev puts Go here, and many machines leave it off PATH. */
const places = ['go', '/usr/local/go/bin/go'];

/** The `go` command to use, or `undefined` where this machine has none. */
export function findGo(): string | undefined {
  return places.find((place) => {
    if (place !== 'go' && !existsSync(place)) return false;
    try {
      execFileSync(place, ['version'], { stdio: 'ignore' });
      return true;
    } catch {
      return false;
    }
  });
}

/** Module mode with the network rules of the person's own `go env`; a toolchain is never downloaded. */
function goEnvironment(): NodeJS.ProcessEnv {
  return { ...process.env, GOTOOLCHAIN: 'local', GOWORK: 'off', GOFLAGS: '-buildvcs=false' };
}

/**
 * Output of a quick `go` command (`go mod download -json`). Rejects with what Go wrote on its error output.
 */
export async function askGo(go: string, folder: string, args: readonly string[]): Promise<string> {
  const { stdout } = await execute(go, args, {
    cwd: folder,
    env: goEnvironment(),
    maxBuffer: 64 * 1024 * 1024,
    timeout: maxGoMs,
  });
  return stdout;
}

/**
 * Compilers that collect garbage less often need 15 % less processor time (`go build -a std` with Go 1.26).
 */
const forCompilers = { GOGC: '400' };

/** A cold build of everything takes fifteen minutes; a download that stalls would wait for ever. */
const maxGoMs = 2_400_000;

/**
 * Runs a long `go` command. At low priority, beside the other tiers, a build of eight minutes took more than
 * half an hour. Rejects with the last lines of its output.
 */
export function runGo(go: string, folder: string, args: readonly string[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(go, args, {
      cwd: folder,
      env: { ...goEnvironment(), ...forCompilers },
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: maxGoMs,
    });
    const output: string[] = [];
    const keep = (chunk: Buffer): void => {
      output.push(chunk.toString('utf8'));
    };
    child.stdout.on('data', keep);
    child.stderr.on('data', keep);
    child.on('error', reject);
    child.on('close', (code, signal) => {
      if (code === 0) return resolve();
      const last = output.join('').trimEnd().split('\n').slice(-20).join('\n');
      reject(new Error(`go ${args.join(' ')} ended with ${code ?? signal}:\n${last}`));
    });
  });
}
