import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { deflateSync, inflateSync } from 'node:zlib';

type ObjectType = 'blob' | 'tree' | 'commit';

interface StoredObject {
  readonly type: ObjectType;
  readonly content: Buffer;
}

export interface TreeEntry {
  readonly path: string;
  readonly mode: string;
  readonly sha: string;
}

/**
 * The loose objects of a repository, in the format of gitrepository-layout(5), so that Git reads what is
 * written here and the reverse. A process of Git for each object takes a hundred times as long.
 */
export function createLooseObjects(folder: string) {
  const known = new Map<string, StoredObject>();
  const fileOf = (sha: string) => join(folder, 'objects', sha.slice(0, 2), sha.slice(2));

  const store = (type: ObjectType, content: Buffer): string => {
    const whole = Buffer.concat([Buffer.from(`${type} ${content.length}\0`), content]);
    const sha = createHash('sha1').update(whole).digest('hex');
    const file = fileOf(sha);
    if (!existsSync(file)) {
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, deflateSync(whole, { level: 1 }), { mode: 0o444 });
    }
    known.set(sha, { type, content });
    return sha;
  };

  const read = (sha: string): StoredObject | undefined => {
    const found = known.get(sha);
    if (found !== undefined || !/^[0-9a-f]{40}$/u.test(sha) || !existsSync(fileOf(sha))) return found;
    const whole = inflateSync(readFileSync(fileOf(sha)));
    const end = whole.indexOf(0);
    const type = whole.toString('latin1', 0, whole.indexOf(' ')) as ObjectType;
    const object = { type, content: whole.subarray(end + 1) };
    known.set(sha, object);
    return object;
  };

  const contentOf = (type: ObjectType, sha: string): Buffer => {
    const object = read(sha);
    if (object?.type !== type) throw new Error(`${sha} is no ${type}`);
    return object.content;
  };

  /** All files below a tree, by path. */
  const filesOf = (tree: string, prefix = ''): readonly TreeEntry[] =>
    [...entriesIn(contentOf('tree', tree))].flatMap(({ path, mode, sha }) =>
      mode === treeMode ? filesOf(sha, `${prefix}${path}/`) : [{ path: prefix + path, mode, sha }],
    );

  const storeTree = (files: readonly TreeEntry[]): string => {
    const here: TreeEntry[] = [];
    const below = new Map<string, TreeEntry[]>();
    for (const { path, ...entry } of files) {
      const [name = '', ...rest] = path.split('/');
      if (rest.length === 0) here.push({ path: name, ...entry });
      else below.set(name, [...(below.get(name) ?? []), { path: rest.join('/'), ...entry }]);
    }
    for (const [path, inside] of below) here.push({ path, mode: treeMode, sha: storeTree(inside) });
    // Git compares bytes, and takes the name of a folder with a slash at its end.
    const sortKey = ({ path, mode }: TreeEntry) => Buffer.from(mode === treeMode ? `${path}/` : path);
    here.sort((one, other) => Buffer.compare(sortKey(one), sortKey(other)));
    return store(
      'tree',
      Buffer.concat(
        here.flatMap(({ path, mode, sha }) => [Buffer.from(`${mode} ${path}\0`), Buffer.from(sha, 'hex')]),
      ),
    );
  };

  return { store, read, contentOf, filesOf, storeTree };
}

const treeMode = '40000';

function* entriesIn(content: Buffer): Generator<TreeEntry> {
  let at = 0;
  while (at < content.length) {
    const end = content.indexOf(0, at);
    const [mode = '', ...path] = content.toString('utf8', at, end).split(' ');
    yield { mode, path: path.join(' '), sha: content.toString('hex', end + 1, end + 21) };
    at = end + 21;
  }
}
