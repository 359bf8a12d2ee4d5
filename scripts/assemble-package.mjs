import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { compile } from 'json-schema-to-typescript';
import ts from 'typescript';
import { bundlePrograms } from './bundle-programs.mjs';
import { emptyFolder } from './empty-folder.mjs';

/**
 * Writes the npm package into FOLDER, which must be absent or empty: the command line without `doctor`, the library with
 * its types, and the licences of what is bundled. The package has no dependencies.
 * `node scripts/assemble-package.mjs FOLDER [REPOSITORY]`, then `npm pack FOLDER`. npm proves where a package was built
 * only for one that names its REPOSITORY, such as `https://git.example/acme/rollout-doctor`.
 */
const root = fileURLToPath(new URL('..', import.meta.url));
const folder = emptyFolder('assemble-package');

const packages = await bundlePrograms({
  folder: join(folder, 'dist'),
  entryPoints: { 'rollout-doctor': 'src/npm-cli.ts', library: 'src/library.ts' },
  sourcemap: false,
});
const unwanted = packages.filter((path) => /node_modules\/(@slack|bullmq|ioredis|@napi-rs)/.test(path));
if (unwanted.length > 0) throw new Error(`the package would hold ${unwanted.join(', ')}`);
chmodSync(join(folder, 'dist/rollout-doctor.js'), 0o755);

mkdirSync(join(folder, 'dist/edges/library'), { recursive: true });
writeFileSync(join(folder, 'dist/library.d.ts'), declarationsOf('src/library.ts'));
writeFileSync(join(folder, 'dist/edges/library/shapes.d.ts'), await typesOfShapes());

const repository = process.argv[3];
const { name, version, license, engines, type, publishConfig } = JSON.parse(
  readFileSync(join(root, 'package.json'), 'utf8'),
);
const manifest = {
  name,
  version,
  description:
    'Proves why a Kubernetes rollout is stuck, and computes the smallest fix. Command line and library',
  license,
  type,
  engines,
  publishConfig,
  ...(repository === undefined ? {} : { repository: { type: 'git', url: `git+${repository}.git` } }),
  keywords: ['kubernetes', 'rollout', 'deployment', 'deadlock', 'kubectl-plugin', 'mcp'],
  bin: {
    'rollout-doctor': 'dist/rollout-doctor.js',
    'kubectl-rollout_doctor': 'dist/rollout-doctor.js',
  },
  exports: {
    '.': { types: './dist/library.d.ts', default: './dist/library.js' },
    './schema.json': './dist/schema.json',
    './package.json': './package.json',
  },
  files: ['dist'],
};
writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, undefined, 2)}\n`);
cpSync(join(root, 'docs/public/rollout-doctor-v1.schema.json'), join(folder, 'dist/schema.json'));
cpSync(join(root, 'LICENSE'), join(folder, 'LICENSE'));
writeFileSync(
  join(folder, 'README.md'),
  withoutRelativeLinks(readFileSync(join(root, 'docs/npm.md'), 'utf8')),
);

/** The declarations of one file whose exports all have explicit types. */
function declarationsOf(file) {
  const { outputText, diagnostics } = ts.transpileDeclaration(readFileSync(join(root, file), 'utf8'), {
    compilerOptions: { isolatedDeclarations: true, removeComments: false },
    fileName: file,
    reportDiagnostics: true,
  });
  if (diagnostics.length > 0) {
    throw new Error(ts.formatDiagnostics(diagnostics, ts.createCompilerHost({})));
  }
  return outputText;
}

/** The types of the answers, from the same schemas that the MCP server declares. */
async function typesOfShapes() {
  const made = mkdtempSync(join(tmpdir(), 'rollout-doctor-shapes-'));
  try {
    await build({
      absWorkingDir: root,
      stdin: {
        contents: "export * from './src/edges/library/shapes.ts'; export { z } from 'zod';",
        resolveDir: root,
      },
      // A package in CommonJS asks for Node.js's own modules this way.
      banner: {
        js: "import { createRequire } from 'node:module';\nconst require = createRequire(import.meta.url);",
      },
      outfile: join(made, 'shapes.mjs'),
      bundle: true,
      platform: 'node',
      format: 'esm',
      logLevel: 'warning',
    });
    const { z, ...shapes } = await import(pathToFileURL(join(made, 'shapes.mjs')).href);
    const texts = await Promise.all(
      Object.entries(shapes).map(([shape, schema]) =>
        compile(z.toJSONSchema(schema, { io: 'input', reused: 'inline' }), shape, {
          additionalProperties: false,
          bannerComment: '',
          format: false,
        }),
      ),
    );
    return texts.join('\n');
  } finally {
    rmSync(made, { recursive: true });
  }
}

/** On the page of the registry, paths of the repository lead nowhere. */
function withoutRelativeLinks(page) {
  return page.replaceAll(/\[([^\]]+)\]\((?!https?:)[^)]+\)/g, '$1');
}
