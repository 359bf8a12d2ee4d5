import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, extname, isAbsolute, join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { findMissingImports } from './missing-imports.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));

/**
 * Bundles programs into one flat folder, with the packages they use, and puts the licences of those packages beside
 * them. What is loaded only on demand stays in a file of its own.
 *
 * @param {{ folder: string, entryPoints: Readonly<Record<string, string>>, sourcemap?: boolean }} asked
 * @returns {Promise<readonly string[]>} the paths of the packages whose code is in the bundle
 */
export async function bundlePrograms({ folder, entryPoints, sourcemap = true }) {
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints,
    outdir: folder,
    chunkNames: '[name]-[hash]',
    bundle: true,
    splitting: true,
    plugins: [smallUndici, smallClient, namesOfCommonJs, asciiOnly],
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
    sourcemap,
    sourcesContent: false,
    metafile: true,
    logLevel: 'warning',
  });
  const placed = Object.keys(metafile.inputs).filter((file) => file.includes(root));
  if (placed.length > 0) throw new Error(`the bundle would depend on its folder: ${placed.join(', ')}`);
  const missing = findMissingImports(folder);
  if (missing.length > 0)
    throw new Error(`the bundle would fail where it loads on demand:\n${missing.join('\n')}`);
  writeFileSync(join(folder, 'third-party-licences.txt'), noticesOf(metafile).join('\n\n'));
  return packagesIn(metafile);
}

/** The licences of the packages and the data whose code is in a bundle. */
export function noticesOf(metafile) {
  return [
    ...packagesIn(metafile).map(licenceOf),
    ...embeddedIn(metafile).map(embeddedLicenceOf),
    ...licencesOfData(metafile),
  ];
}

const rootOf = (file) => (isAbsolute(file) ? file : join(root, file));

/** Files of the bundle, without those that a plugin made, which are named by its namespace and a colon. */
function filesIn({ outputs }) {
  const files = Object.values(outputs).flatMap(({ inputs }) =>
    Object.entries(inputs).filter(([, { bytesInOutput }]) => bytesInOutput > 0),
  );
  return [...new Set(files.map(([file]) => file))].filter((file) => existsSync(rootOf(file)));
}

/**
 * Packages that the author of a package has bundled into it, whose licences are not installed: bundlers leave a comment with
 * the path of each file, such as `//#region ../node_modules/.pnpm/ajv@8.18.0/node_modules/ajv/dist/ajv.js`.
 */
function embeddedIn(metafile) {
  const found = filesIn(metafile)
    .filter((file) => file.includes('node_modules/'))
    .flatMap((file) => [...readFileSync(rootOf(file), 'utf8').matchAll(regionOfPackage)])
    .map(([, name]) => name);
  return [...new Set(found)].sort();
}

const regionOfPackage =
  /^[ \t]{0,40}\/[/*](?:#region)? [^\n]{0,400}node_modules\/((?:@[\w.-]{1,100}\/)?[\w.-]{1,100})\/[^\n]{1,400}\.[cm]?[jt]s(?: \*\/)?$/gmu;

function embeddedLicenceOf(name) {
  return `${name}, inside another package\n\n${keptLicenceOf(name)}\n`;
}

/** The licence of a package that is not installed, or that is published without its text. */
function keptLicenceOf(name) {
  const file = join(root, 'scripts/licences', `${name.replace('/', '+')}.txt`);
  if (!existsSync(file)) throw new Error(`the bundle contains ${name}: put its licence into ${file}`);
  return readFileSync(file, 'utf8').trim();
}

/** Of data of others, the licence stands beside the file that holds them, as `NAME.license.txt`. */
function licencesOfData(metafile) {
  const folders = new Set(
    filesIn(metafile)
      .filter((file) => !file.includes('node_modules/'))
      .map((file) => dirname(rootOf(file))),
  );
  return [...folders].flatMap((folder) =>
    readdirSync(folder)
      .filter((file) => file.endsWith('.license.txt'))
      .map(
        (file) =>
          `${file.slice(0, -'.license.txt'.length)}\n\n${readFileSync(join(folder, file), 'utf8').trim()}\n`,
      ),
  );
}

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

/** Of the Kubernetes client only what reads old kubeconfigs: its API classes are 3 MB. */
const smallClient = {
  name: 'small-client',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^@kubernetes\/client-node$/ }, ({ kind }) =>
      kind === 'dynamic-import' ? { path: 'client-node', namespace: 'small-client' } : undefined,
    );
    onLoad({ filter: /.*/, namespace: 'small-client' }, () => ({
      resolveDir: root,
      contents: "export { HttpMethod, KubeConfig, RequestContext } from '@kubernetes/client-node';",
    }));
  },
};

/**
 * A package in CommonJS that is loaded on demand gets a file of its own, and esbuild gives that file a default export alone.
 * Here it also exports the names that Node.js finds in the package, so that a program gets the same as from its sources.
 */
const namesOfCommonJs = {
  name: 'names-of-common-js',
  setup(build) {
    const asked = Symbol('asked already');
    build.onResolve({ filter: /.*/ }, async ({ path, kind, pluginData, ...from }) => {
      if (kind !== 'dynamic-import' || pluginData === asked) return undefined;
      const found = await build.resolve(path, { kind, pluginData: asked, ...from });
      const isNamed = found.errors.length === 0 && !found.external && isCommonJs(found.path);
      // esbuild names chunks by the paths in them: those of the folder in which a clone is must not count.
      return isNamed ? { path: relative(root, found.path), namespace: 'common-js' } : found;
    });
    build.onLoad({ filter: /.*/, namespace: 'common-js' }, async ({ path: name }) => {
      const path = join(root, name);
      // Node.js 23 and newer also give `module.exports` as a name.
      const names = Object.keys(await import(pathToFileURL(path).href)).filter((name) =>
        /^[\w$]+$/u.test(name),
      );
      const lines = names
        .filter((name) => name !== 'default')
        .map((name, at) => `const name${at} = all.${name}; export { name${at} as ${name} };`);
      return {
        resolveDir: dirname(path),
        contents: [`const all = require(${JSON.stringify(path)});`, 'export default all;', ...lines].join(
          '\n',
        ),
      };
    });
  },
};

/** How Node.js decides: by the ending, then by the nearest package.json. */
function isCommonJs(path) {
  if (extname(path) !== '.js') return extname(path) === '.cjs';
  let folder = dirname(path);
  while (!existsSync(join(folder, 'package.json')) && folder !== dirname(folder)) folder = dirname(folder);
  const file = join(folder, 'package.json');
  return !existsSync(file) || JSON.parse(readFileSync(file, 'utf8')).type !== 'module';
}

/** V8 holds a text with one Korean letter in two bytes a character. esbuild leaves tagged templates as they are written. */
const asciiOnly = {
  name: 'ascii-only',
  setup({ onLoad }) {
    onLoad({ filter: /[/\\](src|workers)[/\\].*\.ts$/ }, async ({ path }) => {
      const text = await readFile(path, 'utf8');
      const escaped = (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`;
      // biome-ignore lint/suspicious/noControlCharactersInRegex: ASCII is what remains.
      return { loader: 'ts', contents: text.replaceAll(/[^\x00-\x7f]/g, escaped) };
    });
  },
};

function packagesIn({ inputs }) {
  // What a plugin made is named by its namespace and a colon.
  const paths = Object.keys(inputs).flatMap(
    (file) => file.match(/^[^:]*node_modules\/(?:@[^/]+\/)?[^/]+/)?.[0] ?? [],
  );
  return [...new Set(paths)].sort();
}

/** The licence of a package whose code is in the bundle, which its authors ask to be kept beside it. */
function licenceOf(path) {
  const { name, version, license } = JSON.parse(readFileSync(join(root, path, 'package.json'), 'utf8'));
  const texts = readdirSync(join(root, path))
    .filter((file) => /^(licen[cs]e|notice|copying)/i.test(file))
    .map((file) => readFileSync(join(root, path, file), 'utf8').trim());
  const text = texts.length === 0 ? keptLicenceOf(name) : texts.join('\n\n');
  return `${name} ${version}: ${license}\n\n${text}\n`;
}
