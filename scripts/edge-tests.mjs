/**
 * Which tests run on the oldest Node, too: those that themselves import a module of the product which uses Node's own
 * interfaces to the network, to threads, streams and processes, and some of the built programs. Computed from
 * the imports, so that a new test is found without a list.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const interfaces =
  /^(?:undici|ws|node:(?:https?2?|net|tls|dns|stream|zlib|worker_threads|child_process)(?:\/\w+)?)$/;
const inProcess = ['test/unit', 'test/integration'];
/** README's commands, the examples of the command line, its stream of answers, and one story of app and worker. */
const builtPrograms = ['readme/demo', 'cli/docs', 'cli/watch', 'faults/poison'].map(
  (name) => `test/system/${name}.test.ts`,
);

/** @returns {readonly string[]} paths of test files below the root of the project */
export function edgeTests() {
  const isEdge = new Map();
  const reachesEdge = (file) =>
    importsOf(join(root, file)).some((name) => {
      const path = sourceOf(file, name);
      if (path === undefined) return false;
      if (!isEdge.has(path)) isEdge.set(path, usesInterfaces(path));
      return isEdge.get(path);
    });
  return [...inProcess.flatMap(testsIn).filter(reachesEdge), ...builtPrograms];
}

const usesInterfaces = (path) => importsOf(path).some((each) => interfaces.test(each));

function testsIn(folder) {
  return readdirSync(join(root, folder), { recursive: true })
    .filter((name) => name.endsWith('.test.ts'))
    .map((name) => `${folder}/${name}`)
    .sort();
}

const importsOf = (path) =>
  [...readFileSync(path, 'utf8').matchAll(/\b(?:from|import)\b\s*\(?\s*'([^']+)'/g)].map(([, name]) => name);

/** Path of an imported module of the product; a test reaches it by `#src/` or by a relative path. */
function sourceOf(file, name) {
  const path = name.startsWith('#src/')
    ? join(root, 'src', name.slice('#src/'.length))
    : name.startsWith('.')
      ? join(root, dirname(file), name)
      : undefined;
  if (path === undefined || !/[\\/](?:src|workers)[\\/]/.test(path.slice(root.length - 1))) return undefined;
  const source = path.replace(/\.js$/, '.ts');
  return existsSync(source) ? source : undefined;
}
