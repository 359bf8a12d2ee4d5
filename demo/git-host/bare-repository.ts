import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

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

/** A bare repository on disk, written with the plumbing commands of Git. */
export type BareRepository = ReturnType<typeof createBareRepository>;

/** @param files of the first commit on `main`, by path; a symlink starts with `-> ` */
export function createBareRepository(files: Readonly<Record<string, string>>) {
  const folder = mkdtempSync(join(tmpdir(), 'rollout-doctor-git-'));
  const git = (args: readonly string[], input: string | Buffer = ''): string =>
    execFileSync('git', ['--git-dir', folder, ...args], {
      input,
      encoding: 'utf8',
      stdio: ['pipe', 'pipe', 'pipe'],
      maxBuffer: 64 * 1024 * 1024,
      env: {
        PATH: process.env.PATH ?? '',
        GIT_CONFIG_NOSYSTEM: '1',
        HOME: folder,
        GIT_INDEX_FILE: join(folder, 'scratch-index'),
      },
    }).trimEnd();
  git(['init', '--quiet', '--bare', '--initial-branch=main']);

  /** Each commit is a second after the one before it. */
  let commits = 0;
  const blobs = new Map<string, string>();
  const storeBlob = (content: string | Buffer): string => {
    const text = content.toString();
    const known = typeof content === 'string' ? blobs.get(text) : undefined;
    const sha = known ?? git(['hash-object', '-w', '--stdin'], content);
    if (typeof content === 'string') blobs.set(text, sha);
    return sha;
  };
  const exists = (sha: string): boolean => attempt(() => git(['cat-file', '-e', sha])) !== undefined;
  const headOf = (branch: string): string | undefined =>
    attempt(() => git(['rev-parse', '--verify', '--quiet', `refs/heads/${branch}`]));
  const treeOf = (commit: string): string => git(['rev-parse', `${commit}^{tree}`]);
  /** A tree like `base` with other entries; mode `0` removes one. */
  const storeTree = (
    base: string | undefined,
    entries: readonly { readonly path: string; readonly mode: string; readonly sha: string }[],
  ): string => {
    git(['read-tree', ...(base === undefined ? ['--empty'] : [base])]);
    git(
      ['update-index', '--index-info'],
      entries.map(({ path, mode, sha }) => `${mode} ${sha}\t${path}\n`).join(''),
    );
    return git(['write-tree', '--missing-ok']);
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
    return git(['hash-object', '-w', '-t', 'commit', '--stdin'], text);
  };
  const setBranch = (branch: string, commit: string): string =>
    git(['update-ref', `refs/heads/${branch}`, commit]);

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
      git(['for-each-ref', '--format=%(refname:short)', 'refs/heads']).split('\n').filter(Boolean),
    messageOf: (commit: string): string => git(['log', '-1', '--format=%B', commit]).trimEnd(),
    textOf: (branch: string, path: string): string => execShow(folder, `refs/heads/${branch}:${path}`),
    /** Those that changed a path, the newest first. */
    commitsOf: (commit: string, path: string): readonly { readonly sha: string; readonly at: string }[] =>
      git(['log', '--format=%H %cI', commit, '--', path])
        .split('\n')
        .filter(Boolean)
        .map((line) => ({ sha: line.slice(0, 40), at: new Date(line.slice(41)).toISOString() })),
    blobOf: (sha: string): Buffer =>
      execFileSync('git', ['--git-dir', folder, 'cat-file', 'blob', sha], { maxBuffer: 64 * 1024 * 1024 }),
    /** Changed lines of a branch since it left its base, without the header of the patch. */
    differenceOf(base: string, head: string): readonly string[] {
      const text = attempt(() => git(['diff', '--no-color', '--no-ext-diff', `${base}...${head}`])) ?? '';
      return text.split('\n').filter((line) => !/^(?:diff |index |--- )/u.test(line));
    },
    entriesOf: (tree: string): readonly RepositoryEntry[] =>
      git(['ls-tree', '-r', '-l', '--full-tree', tree])
        .split('\n')
        .filter(Boolean)
        .map((line) => {
          const [meta = '', path = ''] = line.split('\t');
          const [mode = '', type = '', sha = '', size = '-'] = meta.split(/ +/u);
          return { path, mode, type, sha, ...(size === '-' ? {} : { size: Number(size) }) };
        }),
    isAncestor: (older: string, newer: string): boolean =>
      attempt(() => git(['merge-base', '--is-ancestor', older, newer])) !== undefined,
    /** Tree of a merge of the branch into its base; `undefined` where they are in conflict. */
    mergedTree: (base: string, head: string): string | undefined =>
      attempt(() => git(['merge-tree', '--write-tree', base, head])),
    /** A person commits a file to a branch; a symlink starts with `-> `. */
    commitFile: (branch: string, path: string, text: string): string =>
      commitByHand(branch, [entryOf(path, text)]),
    removeFile: (branch: string, path: string): string =>
      commitByHand(branch, [{ path, mode: '0', sha: '0'.repeat(40) }]),
    /** A person adds another repository at a path. */
    commitSubmodule: (branch: string, path: string): string =>
      commitByHand(branch, [{ path, mode: '160000', sha: headOf(branch) ?? '' }]),
    removeBranch: (branch: string): string => git(['update-ref', '-d', `refs/heads/${branch}`]),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

function execShow(folder: string, object: string): string {
  return execFileSync('git', ['--git-dir', folder, 'show', object], { encoding: 'utf8' });
}

function attempt<Result>(run: () => Result): Result | undefined {
  try {
    return run();
  } catch {
    return undefined;
  }
}
