import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Builds `dist` of a version, so that what is measured is what ships. */
export async function buildProduct(folder: string = root): Promise<void> {
  const build = spawn('npm', ['run', '--silent', 'build'], {
    cwd: folder,
    stdio: ['ignore', process.stderr, process.stderr],
  });
  const [status] = await once(build, 'exit');
  if (status !== 0) throw new Error(`npm run build failed in ${folder}`);
}
