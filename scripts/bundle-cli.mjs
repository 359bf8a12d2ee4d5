import { chmodSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

/**
 * Puts the command line into one file beside what `tsc` wrote: to find and read its 600 modules one by one takes longer
 * than most of its answers. The packages that each start needs are in it too, the others stay where they are. What is
 * loaded only on demand stays apart. `node scripts/bundle-cli.mjs [FOLDER]`, `dist` when absent.
 */
const root = fileURLToPath(new URL('..', import.meta.url));
const folder = join(root, process.argv[2] ?? 'dist', 'src');

const bundled = new Set(['commander', 'js-yaml', 'undici', 'wrap-ansi', 'yaml', 'zod']);

/** Packages that are found by name when the program runs. */
const otherPackages = {
  name: 'other-packages',
  setup({ onResolve }) {
    onResolve({ filter: /^[@a-z]/ }, ({ path, importer }) => {
      if (path.startsWith('node:') || importer.includes('/node_modules/')) return undefined;
      const [scope = '', name = ''] = path.split('/');
      return bundled.has(scope.startsWith('@') ? `${scope}/${name}` : scope)
        ? undefined
        : { path, external: true };
    });
  },
};

/** Of undici only what sends a request: fetch, mocks and caches, which `undici` loads as well, take longer than all else. */
const smallUndici = {
  name: 'small-undici',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^undici$/ }, () => ({ path: 'undici', namespace: 'small' }));
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

rmSync(join(folder, 'cli-parts'), { recursive: true, force: true });
await build({
  entryPoints: [`${root}src/cli.ts`],
  outdir: folder,
  chunkNames: 'cli-parts/[name]-[hash]',
  bundle: true,
  splitting: true,
  plugins: [smallUndici, otherPackages],
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
  logLevel: 'warning',
});
chmodSync(join(folder, 'cli.js'), 0o755);
