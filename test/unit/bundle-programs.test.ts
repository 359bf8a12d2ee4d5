import { execFileSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { version } from '#src/edges/telemetry/version.js';
import { bundlePrograms } from '../../scripts/bundle-programs.mjs';
import { findMissingImports } from '../../scripts/missing-imports.mjs';
import { repositoryRoot } from '../support/command-line-run.js';

const folder = mkdtempSync(join(tmpdir(), 'rollout-doctor-bundle-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function write(files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
}

const node = (file: string): unknown =>
  JSON.parse(execFileSync(process.execPath, [file], { encoding: 'utf8' }));

/** Packages as their authors publish them, each with what a program reads of it. */
const packages: readonly (readonly [string, Readonly<Record<string, string>>])[] = [
  ['CommonJS', { 'index.js': 'exports.one = () => 1; exports.two = () => 2;' }],
  [
    'CommonJS whose exports are a function',
    { 'index.js': 'module.exports = () => 0; module.exports.one = () => 1; module.exports.two = () => 2;' },
  ],
  [
    'CommonJS compiled from ES modules',
    {
      'index.js':
        "Object.defineProperty(exports, '__esModule', { value: true }); exports.default = () => 7; exports.one = () => 1; exports.two = () => 2;",
    },
  ],
  [
    'CommonJS that hands on another file',
    {
      'index.js': "module.exports = require('./other.js');",
      'other.js': 'exports.one = () => 1; exports.two = () => 2;',
    },
  ],
  [
    'CommonJS beside ES modules',
    {
      'index.cjs': 'exports.one = () => 1; exports.two = () => 2;',
      'package.json':
        '{ "name": "lent", "type": "module", "version": "1.0.0", "license": "MIT", "main": "./index.cjs" }',
    },
  ],
  [
    'ES modules',
    {
      'index.js': 'export const one = () => 1; export const two = () => 2; export default () => 7;',
      'package.json': '{ "name": "lent", "type": "module", "version": "1.0.0", "license": "MIT" }',
    },
  ],
];

/** Each way in which a program takes names from a package that it loads on demand. */
const uses: readonly (readonly [string, string])[] = [
  ['destructured', "const { one, two } = await import('lent'); print(one() + two());"],
  [
    'destructured from several at once',
    "const [{ one }, { two }] = await Promise.all([import('lent'), import('lent')]); print(one() + two());",
  ],
  ['read from the awaited module', "print((await import('lent')).one() + (await import('lent')).two());"],
  ['read from a variable', "const lent = await import('lent'); print(lent.one() + lent.two());"],
  ['taken by a callback', "await import('lent').then(({ one, two }) => print(one() + two()));"],
  [
    'compared with the default',
    "const { default: all, ...rest } = await import('lent'); print(typeof all, Object.keys(rest).filter((name) => name === 'one'));",
  ],
];

describe('a program that loads a package on demand', () => {
  it.each(packages.flatMap(([kind, files]) => uses.map(([use, code]) => [kind, use, files, code] as const)))(
    'gets from %s, %s, what Node gives it from the sources',
    async (kind, use, files, code) => {
      const name = `${kind}-${use}`.replaceAll(' ', '-');
      const manifest = '{ "name": "lent", "version": "1.0.0", "license": "MIT" }';
      const source = `const print = (...values) => console.log(JSON.stringify(values));\n${code}\nexport {};`;
      write({
        [`${name}/main.mjs`]: source,
        [`${name}/node_modules/lent/package.json`]: manifest,
        [`${name}/node_modules/lent/LICENSE`]: 'You may use it.',
        ...Object.fromEntries(
          Object.entries(files).map(([file, text]) => [`${name}/node_modules/lent/${file}`, text]),
        ),
        [`${name}/built/package.json`]: '{ "type": "module" }',
      });
      const built = join(folder, name, 'built');
      await bundlePrograms({ folder: built, entryPoints: { program: join(folder, name, 'main.mjs') } });

      expect(node(join(built, 'program.js'))).toEqual(node(join(folder, name, 'main.mjs')));
    },
  );
});

describe('the licences beside a bundle', () => {
  const inner =
    '//#region ../../node_modules/.pnpm/NAME@1.0.0/node_modules/NAME/dist/index.js\nexport const one = Math.random();\n';
  const programWith = (at: string, name: string) => {
    write({
      [`${at}/main.mjs`]: "import { one } from 'lent'; console.log(one);",
      [`${at}/node_modules/lent/package.json`]:
        '{ "name": "lent", "version": "1.0.0", "license": "MIT", "type": "module" }',
      [`${at}/node_modules/lent/LICENSE`]: 'You may use it.',
      [`${at}/node_modules/lent/index.js`]: inner.replaceAll('NAME', name),
    });
    const built = join(folder, at, 'built');
    return { built, entryPoints: { program: join(folder, at, 'main.mjs') } };
  };

  it('hold that of a package that another one contains', async () => {
    const { built, entryPoints } = programWith('embedded', 'fast-uri');
    await bundlePrograms({ folder: built, entryPoints });
    const notices = readFileSync(join(built, 'third-party-licences.txt'), 'utf8');
    expect(notices).toContain('lent 1.0.0: MIT');
    expect(notices).toContain('fast-uri, inside another package\n\nCopyright');
  });

  it('are refused where that licence is not known', async () => {
    const { built, entryPoints } = programWith('unknown', '@someone/unheard-of');
    await expect(bundlePrograms({ folder: built, entryPoints })).rejects.toThrow(
      'contains @someone/unheard-of',
    );
  });

  it('of the command line name every package inside it, and the rules of tokens', async () => {
    const built = join(folder, 'command-line');
    await bundlePrograms({ folder: built, entryPoints: { cli: 'src/cli.ts' } });
    const notices = readFileSync(join(built, 'third-party-licences.txt'), 'utf8');
    for (const name of [
      'ajv',
      'ajv-formats',
      'content-type',
      'fast-deep-equal',
      'fast-uri',
      'json-schema-traverse',
    ])
      expect(notices).toContain(`${name}, inside another package\n\n`);
    expect(notices).toContain('betterleaks\n\nMIT License');
    for (const [, text = ''] of notices.matchAll(/^\S+ \d[^\n]*: [^\n]+\n\n([^\n]*)/gmu))
      expect(text).not.toBe('');
  });
});

it('the command line prints its version before it loads the program', async () => {
  const built = join(folder, 'version');
  await bundlePrograms({ folder: built, entryPoints: { cli: 'src/npm-cli.ts' } });
  write({ 'version/package.json': '{ "type": "module" }' });
  for (const file of readdirSync(built).filter((name) => name.startsWith('run-process'))) {
    rmSync(join(built, file));
  }
  const printed = execFileSync(process.execPath, [join(built, 'cli.js'), '--version'], { encoding: 'utf8' });
  expect(printed).toBe(`${version}\n`);
});

it('a bundle is the same in whatever folder the sources are', () => {
  const scripts = ['bundle-programs.mjs', 'missing-imports.mjs'];
  const run = `
    import { bundlePrograms } from './scripts/bundle-programs.mjs';
    await bundlePrograms({ folder: 'dist', entryPoints: { program: 'src/program.ts' }, sourcemap: false });`;
  const [one, other] = ['clones/one', 'clones/of/another'].map((clone) => {
    write({
      [`${clone}/package.json`]: '{ "type": "module" }',
      [`${clone}/src/program.ts`]: "import('lent').then(({ one }) => console.log(one()));",
      [`${clone}/node_modules/lent/index.js`]: 'exports.one = () => 1;',
      [`${clone}/node_modules/lent/package.json`]: '{ "name": "lent", "version": "1.0.0", "license": "MIT" }',
      [`${clone}/node_modules/lent/LICENSE`]: 'MIT License',
      [`${clone}/bundle.mjs`]: run,
      ...Object.fromEntries(
        scripts.map((name) => [
          `${clone}/scripts/${name}`,
          readFileSync(join(repositoryRoot, 'scripts', name), 'utf8'),
        ]),
      ),
    });
    for (const name of ['esbuild', 'typescript'])
      symlinkSync(join(repositoryRoot, 'node_modules', name), join(folder, clone, 'node_modules', name));
    execFileSync(process.execPath, ['bundle.mjs'], { cwd: join(folder, clone) });
    const built = join(folder, clone, 'dist');
    return Object.fromEntries(
      readdirSync(built).map((name) => [name, readFileSync(join(built, name), 'utf8')]),
    );
  });
  expect(Object.keys(one ?? {})).toHaveLength(3);
  expect(other).toEqual(one);
});

/** A chunk in which a bundler left of a package in CommonJS nothing but its default export. */
const broken = 'var all = { stringify() {} };\nexport default all;\n';
const whole = 'function stringify() {}\nvar all = { stringify };\nexport { all as default, stringify };\n';

describe('the check of a built folder', () => {
  it.each([
    ["const { stringify } = await import('./chunk.js');", 'stringify'],
    ["const { stringify: write } = await import('./chunk.js');", 'stringify'],
    [
      "const [{ a }, { stringify }] = await Promise.all([import('./other.js'), import('./chunk.js')]);",
      'stringify',
    ],
    ["(await import('./chunk.js')).stringify();", 'stringify'],
    ["(await import('./chunk.js'))['stringify']();", 'stringify'],
    ["import('./chunk.js').then(({ stringify }) => stringify());", 'stringify'],
    ["import('./chunk.js').then((chunk) => chunk.stringify());", 'stringify'],
    [
      "async function f() { const chunk = await import('./chunk.js'); return chunk.stringify(); }",
      'stringify',
    ],
    ["export const load = () => import('./chunk.js');", undefined],
  ])('refuses a chunk with a default export alone for %s', (code, name) => {
    const at = join('checked', String(code.length));
    write({
      [`${at}/program.js`]: code,
      [`${at}/other.js`]: 'export const a = 1;',
      [`${at}/chunk.js`]: broken,
    });
    expect(findMissingImports(join(folder, at))).toEqual([
      name === undefined
        ? 'program.js reads all of chunk.js, which exports a default alone'
        : `program.js takes ${name} from chunk.js, which does not export it`,
    ]);

    write({ [`${at}/chunk.js`]: whole });
    expect(findMissingImports(join(folder, at))).toEqual([]);
  });

  it.each([
    "const { default: all } = await import('./chunk.js');",
    "await import('./chunk.js');",
    "const chunk = await import('./chunk.js'); export const stringify = chunk.default.stringify;",
    "const { stringify } = await import('yaml');",
  ])('accepts %s beside the same chunk', (code) => {
    const at = join('accepted', String(code.length));
    write({ [`${at}/program.js`]: code, [`${at}/chunk.js`]: broken });

    expect(findMissingImports(join(folder, at))).toEqual([]);
  });

  it('refuses a chunk that is not in the folder', () => {
    write({ 'lost/program.js': "await import('./gone.js');" });

    expect(findMissingImports(join(folder, 'lost'))).toEqual([
      'program.js loads gone.js, which is not in the folder',
    ]);
  });

  it('ends the build when a name would be missing', async () => {
    write({
      'refused/main.mjs': "const { gone } = await import('./part.mjs'); console.log(gone); export {};",
      'refused/part.mjs': 'export const here = 1;',
    });
    const built = bundlePrograms({
      folder: join(folder, 'refused/built'),
      entryPoints: { program: join(folder, 'refused/main.mjs') },
    });

    await expect(built).rejects.toThrow(
      /program\.js takes gone from part-\w+\.js, which does not export it/u,
    );
  });
});
