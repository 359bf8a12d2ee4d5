import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createLooseObjects, type TreeEntry } from './loose-objects.js';

export interface CommitInput {
  readonly tree: string;
  readonly message: string;
  readonly parents: readonly string[];
  readonly author?: string;
}

export interface RepositoryEntry {
  readonly path: string;
  readonly mode: string;
  readonly type: string;
  readonly sha: string;
  readonly size?: number;
}

/**
 * A bare repository on disk. Objects and branches are files that Git reads; what needs its rules (merges,
 * differences, the history of a path) is asked of Git itself.
 */
export type BareRepository = ReturnType<typeof createBareRepository>;

/** @param files of the first commit on `main`, by path; a symlink starts with `-> ` */
export function createBareRepository(files: Readonly<Record<string, string>>) {
  const folder = mkdtempSync(join(tmpdir(), 'rollout-doctor-git-'));
  for (const name of ['objects', 'refs/heads']) mkdirSync(join(folder, name), { recursive: true });
  writeFileSync(join(folder, 'HEAD'), 'ref: refs/heads/main\n');
  writeFileSync(join(folder, 'config'), '[core]\n\trepositoryformatversion = 0\n\tbare = true\n');
  const git = (...args: readonly string[]): string =>
    execFileSync('git', ['--git-dir', folder, ...args], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
      maxBuffer: 64 * 1024 * 1024,
      env: { PATH: process.env.PATH ?? '', GIT_CONFIG_NOSYSTEM: '1', HOME: folder },
    }).trimEnd();
  const objects = createLooseObjects(folder);

  /** Each commit is a second after the one before it. */
  let commits = 0;
  const storeBlob = (content: string | Buffer): string => objects.store('blob', Buffer.from(content));
  const heads = join(folder, 'refs/heads');
  const headOf = (branch: string): string | undefined => {
    const file = join(heads, branch);
    const isBranch = file.startsWith(`${heads}/`) && existsSync(file) && statSync(file).isFile();
    return isBranch ? readFileSync(file, 'utf8').trim() : undefined;
  };
  const exists = (name: string): boolean =>
    objects.read(name) !== undefined || (name !== '' && headOf(name) !== undefined);
  const headerOf = (commit: string): readonly string[] =>
    objects.contentOf('commit', commit).toString().split('\n\n', 1)[0]?.split('\n') ?? [];
  const namedIn = (commit: string, field: string): readonly string[] =>
    headerOf(commit).flatMap((line) => (line.startsWith(`${field} `) ? [line.slice(field.length + 1)] : []));
  const treeOf = (commit: string): string => namedIn(commit, 'tree')[0] ?? '';
  const filesOf = (name: string): readonly TreeEntry[] => {
    const sha = headOf(name) ?? name;
    return objects.filesOf(objects.read(sha)?.type === 'commit' ? treeOf(sha) : sha);
  };
  /** A tree like `base` with other entries; mode `0` removes one. */
  const storeTree = (base: string | undefined, entries: readonly TreeEntry[]): string => {
    const inside = new Map((base === undefined ? [] : filesOf(base)).map((entry) => [entry.path, entry]));
    for (const entry of entries) {
      if (entry.mode === '0') inside.delete(entry.path);
      else inside.set(entry.path, entry);
    }
    return objects.storeTree([...inside.values()]);
  };
  const storeCommit = ({ tree, message, parents, author = 'rollout-doctor[bot]' }: CommitInput): string => {
    commits += 1;
    const name = `${author} <${author}@git.example> ${1_790_000_000 + commits} +0000`;
    const text = [
      `tree ${tree}`,
      ...parents.map((parent) => `parent ${parent}`),
      `author ${name}`,
      `committer ${name}`,
      '',
      message,
      '',
    ].join('\n');
    return objects.store('commit', Buffer.from(text));
  };
  const setBranch = (branch: string, commit: string): void => {
    mkdirSync(dirname(join(heads, branch)), { recursive: true });
    writeFileSync(join(heads, branch), `${commit}\n`);
  };

  const entryOf = (path: string, text: string) => ({
    path,
    mode: text.startsWith('-> ') ? '120000' : '100644',
    sha: storeBlob(text.replace(/^-> /u, '')),
  });
  const commitByHand = (branch: string, entries: Parameters<typeof storeTree>[1]): string => {
    const head = headOf(branch);
    if (head === undefined) throw new Error(`no branch ${branch}`);
    const tree = storeTree(treeOf(head), entries);
    const commit = storeCommit({ tree, message: 'by hand', parents: [head], author: 'kim' });
    setBranch(branch, commit);
    return commit;
  };

  const merged = new Map<string, string | undefined>();
  const first = storeTree(
    undefined,
    Object.entries(files).map(([path, text]) => entryOf(path, text)),
  );
  setBranch('main', storeCommit({ tree: first, message: 'start', parents: [], author: 'kim' }));

  return {
    headOf,
    treeOf,
    storeBlob,
    storeTree,
    storeCommit,
    setBranch,
    exists,
    branches: (): readonly string[] =>
      readdirSync(heads, { recursive: true, encoding: 'utf8' })
        .filter((name) => headOf(name) !== undefined)
        .sort(),
    messageOf: (commit: string): string => {
      const text = objects.contentOf('commit', commit).toString();
      return text.slice(text.indexOf('\n\n') + 2).trimEnd();
    },
    textOf(branch: string, path: string): string {
      const entry = filesOf(branch).find((each) => each.path === path);
      if (entry === undefined) throw new Error(`${branch} has no file ${path}`);
      return objects.contentOf('blob', entry.sha).toString();
    },
    /** Those that changed a path, the newest first. */
    commitsOf: (commit: string, path: string): readonly { readonly sha: string; readonly at: string }[] =>
      git('log', '--format=%H %cI', commit, '--', path)
        .split('\n')
        .filter(Boolean)
        .map((line) => ({ sha: line.slice(0, 40), at: new Date(line.slice(41)).toISOString() })),
    blobOf: (sha: string): Buffer => objects.contentOf('blob', sha),
    /** Changed lines of a branch since it left its base, without the header of the patch. */
    differenceOf(base: string, head: string): readonly string[] {
      const text = attempt(() => git('diff', '--no-color', '--no-ext-diff', `${base}...${head}`)) ?? '';
      return text.split('\n').filter((line) => !/^(?:diff |index |--- )/u.test(line));
    },
    entriesOf: (tree: string): readonly RepositoryEntry[] =>
      filesOf(tree).map(({ path, mode, sha }) => {
        const isSubmodule = mode === '160000';
        const size = isSubmodule ? {} : { size: objects.contentOf('blob', sha).length };
        return { path, mode, type: isSubmodule ? 'commit' : 'blob', sha, ...size };
      }),
    isAncestor(older: string, newer: string): boolean {
      const seen = new Set<string>();
      const waiting = [newer];
      for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
        if (at === older) return true;
        if (!seen.has(at)) waiting.push(...namedIn(at, 'parent'));
        seen.add(at);
      }
      return false;
    },
    /** Tree of a merge of the branch into its base; `undefined` where they are in conflict. */
    mergedTree(base: string, head: string): string | undefined {
      const key = `${headOf(base)} ${headOf(head)}`;
      if (!merged.has(key))
        merged.set(
          key,
          attempt(() => git('merge-tree', '--write-tree', base, head)),
        );
      return merged.get(key);
    },
    /** What Git finds wrong in the repository; throws where it finds something. */
    check: (): string => git('fsck', '--full', '--strict'),
    /** A person commits a file to a branch; a symlink starts with `-> `. */
    commitFile: (branch: string, path: string, text: string): string =>
      commitByHand(branch, [entryOf(path, text)]),
    removeFile: (branch: string, path: string): string =>
      commitByHand(branch, [{ path, mode: '0', sha: '0'.repeat(40) }]),
    /** A person adds another repository at a path. */
    commitSubmodule: (branch: string, path: string): string =>
      commitByHand(branch, [{ path, mode: '160000', sha: headOf(branch) ?? '' }]),
    removeBranch: (branch: string): void => rmSync(join(heads, branch)),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

function attempt<Result>(run: () => Result): Result | undefined {
  try {
    return run();
  } catch {
    return undefined;
  }
}
