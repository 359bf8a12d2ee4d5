import { chmodSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

/**
 * Puts the app, the worker, the thread that computes and the command line into one folder, with the packages they use:
 * to find and read thousands of modules one by one takes longer than most answers. What is loaded only on demand stays
 * apart. The folder is flat, because `start-doctor.ts` finds the thread's file beside itself.
 * `node scripts/bundle.mjs [FOLDER]`: FOLDER must be absent or empty; without it, `dist` is made anew.
 */
const root = fileURLToPath(new URL('..', import.meta.url));
const [asked] = process.argv.slice(2);
const folder = resolve(root, asked ?? 'dist');
if (asked !== undefined && existsSync(folder) && readdirSync(folder).length > 0) {
  process.stderr.write(`${asked} is not empty: name a folder that is absent or empty.\n`);
  process.exit(2);
}

const entryPoints = {
  app: 'src/main.ts',
  worker: 'workers/main.ts',
  'doctor-thread': 'src/doctor-thread.ts',
  'rollout-doctor': 'src/cli.ts',
};

/** Of undici only what sends a request: fetch, mocks and caches, which `undici` loads as well, take longer than all else. */
const smallUndici = {
  name: 'small-undici',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^undici$/ }, ({ importer }) =>
      importer.includes('/node_modules/') ? undefined : { path: 'undici', namespace: 'small' },
    );
    onLoad({ filter: /^undici$/, namespace: 'small' }, () => ({
      resolveDir: root,
      contents: `
        import Agent from 'undici/lib/dispatcher/agent.js';
        import send from 'undici/lib/api/api-request.js';
        export { Agent };
        let usual;
        export function request({ origin, pathname, search }, options) {
          const { dispatcher = (usual ??= new Agent()) } = options;
          return send.call(dispatcher, { method: 'GET', ...options, origin, path: pathname + search });
        }`,
    }));
  },
};

/**
 * Of zod only what is used: esbuild leaves out what nobody reads of a namespace, if the module that reads it imports it
 * as one. And ASCII alone: with a single other character V8 keeps the text of a whole file in twice the memory, and
 * esbuild does not escape the characters of templates.
 */
const smallSources = {
  name: 'small-sources',
  setup({ onLoad }) {
    onLoad({ filter: /\/(src|workers)\/.*\.ts$/ }, async ({ path }) => {
      const text = await readFile(path, 'utf8');
      const contents = text
        .replace(/^import \{ z \} from 'zod';$/m, "import * as z from 'zod';")
        .replace(
          /(?<!\\)[^\0-\x7f]/g,
          (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
        );
      return { contents, loader: 'ts' };
    });
  },
};

/** The licence of each package whose code is in the bundle, which its authors ask to be kept beside it. */
function licencesOf({ inputs }) {
  const packages = new Set(
    Object.keys(inputs).flatMap((file) => file.match(/^.*node_modules\/(?:@[^/]+\/)?[^/]+/)?.[0] ?? []),
  );
  return [...packages].sort().map((path) => {
    const { name, version, license } = JSON.parse(readFileSync(join(root, path, 'package.json'), 'utf8'));
    const texts = readdirSync(join(root, path))
      .filter((file) => /^(licen[cs]e|notice|copying)/i.test(file))
      .map((file) => readFileSync(join(root, path, file), 'utf8').trim());
    return `${name} ${version}: ${license}\n\n${texts.join('\n\n')}\n`;
  });
}

if (asked === undefined) rmSync(folder, { recursive: true, force: true });
const { metafile } = await build({
  absWorkingDir: root,
  entryPoints,
  outdir: folder,
  chunkNames: '[name]-[hash]',
  bundle: true,
  splitting: true,
  plugins: [smallUndici, smallSources],
  // A native module, and fonts that are read as files.
  external: ['@napi-rs/canvas', '@fontsource/*'],
  platform: 'node',
  format: 'esm',
  target: 'node20',
  // Packages in CommonJS ask for Node.js's own modules this way.
  banner: {
    js: "import { createRequire as requireFrom } from 'node:module';\nconst require = requireFrom(import.meta.url);",
  },
  minifySyntax: true,
  minifyWhitespace: true,
  sourcemap: true,
  sourcesContent: false,
  metafile: true,
  logLevel: 'warning',
});
writeFileSync(join(folder, 'third-party-licences.txt'), licencesOf(metafile).join('\n\n'));
chmodSync(join(folder, 'rollout-doctor.js'), 0o755);
