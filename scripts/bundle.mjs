import { chmodSync, existsSync, readdirSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundlePrograms } from './bundle-programs.mjs';

/**
 * Puts the app, the worker, the threads that compute and the command line into one folder, with the packages they use:
 * to find and read thousands of modules one by one takes longer than most answers. What is loaded only on demand stays
 * apart. The folder is flat, because `thread-beside.ts` finds the file of a thread there.
 * `node scripts/bundle.mjs [FOLDER]`: FOLDER must be absent or empty; without it, `dist` is made anew.
 */
const root = fileURLToPath(new URL('..', import.meta.url));
const [asked] = process.argv.slice(2);
const folder = resolve(root, asked ?? 'dist');
if (asked !== undefined && existsSync(folder) && readdirSync(folder).length > 0) {
  process.stderr.write(`${asked} is not empty: name a folder that is absent or empty.\n`);
  process.exit(2);
}

if (asked === undefined) rmSync(folder, { recursive: true, force: true });
await bundlePrograms({
  folder,
  entryPoints: {
    app: 'src/main.ts',
    worker: 'workers/main.ts',
    'doctor-thread': 'src/roots/doctor-thread.ts',
    'git-thread': 'workers/git-thread.ts',
    'manifest-thread': 'src/roots/manifest-thread.ts',
    'rollout-doctor': 'src/cli.ts',
  },
});
chmodSync(join(folder, 'rollout-doctor.js'), 0o755);
