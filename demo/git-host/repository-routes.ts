import type { BareRepository } from './bare-repository.js';

export interface HostAnswer {
  readonly status: number;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface PullRequest {
  readonly number: number;
  readonly title: string;
  readonly body: string;
  readonly head: string;
  readonly base: string;
  readonly state: 'open' | 'closed';
  readonly merged_at: string | null;
  /** As people and checks left it; worked out from the branches when absent. */
  readonly mergeable_state?: string;
}

/** What a ruleset of the repository forbids. */
export interface BranchRule {
  /** Beginning of the names that nobody may create. */
  readonly branches: string;
}

interface Served {
  readonly name: string;
  readonly url: string;
  readonly store: BareRepository;
  readonly pulls: PullRequest[];
  readonly rule: BranchRule | undefined;
}

interface Request {
  readonly method: string;
  /** After the name of the repository. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly body: Readonly<Record<string, unknown>>;
}

/** The routes below `/repos/{owner}/{repo}`. */
export function repositoryRoutes(served: Served, request: Request): HostAnswer {
  const { store, pulls, name } = served;
  const { method, path, query, body } = request;
  const [, kind = '', sub = '', ...rest] = path.split('/');
  const last = rest.join('/');
  switch (`${method} ${[kind, sub].filter(Boolean).join('/')}`) {
    case 'GET ':
      return ok({ full_name: name, default_branch: 'main', private: true });
    case 'GET git/ref':
      return refAnswer(served, last.replace(/^heads\//u, ''));
    case 'GET git/commits':
      if (!store.exists(last)) return notFound;
      return ok({ sha: last, tree: { sha: store.treeOf(last) }, message: store.messageOf(last) });
    case 'GET commits':
      return store.exists(query.get('sha') ?? '') ? ok(commitsAnswer(store, query)) : notFound;
    case 'GET git/trees':
      return store.exists(last) ? ok({ sha: last, truncated: false, tree: store.entriesOf(last) }) : notFound;
    case 'GET git/blobs':
      if (!store.exists(last)) return notFound;
      return ok({ sha: last, encoding: 'base64', content: store.blobOf(last).toString('base64') });
    case 'POST git/blobs':
      return created({ sha: store.storeBlob(Buffer.from(String(body.content), 'base64')) });
    case 'POST git/trees':
      return treeAnswer(store, body);
    case 'POST git/commits':
      return commitAnswer(store, body);
    case 'POST git/refs':
      return newRef(served, body);
    case 'GET pulls': {
      const head = query.get('head')?.split(':')[1];
      return ok(
        pulls
          .filter((pull) => pull.head === head)
          .toReversed()
          .map((pull) => shown(served, pull)),
      );
    }
    case 'POST pulls':
      return newPull(served, body);
    default: {
      const pull =
        kind === 'pulls' && method === 'GET' ? pulls.find(({ number }) => String(number) === sub) : undefined;
      return pull === undefined ? notFound : ok(shown(served, pull));
    }
  }
}

function refAnswer({ store }: Served, branch: string): HostAnswer {
  const sha = store.headOf(branch);
  return sha === undefined ? notFound : ok({ ref: `refs/heads/${branch}`, object: { type: 'commit', sha } });
}

function commitsAnswer(store: BareRepository, query: URLSearchParams) {
  const most = Number(query.get('per_page') ?? 30);
  return store
    .commitsOf(query.get('sha') ?? '', query.get('path') ?? '')
    .slice(0, most)
    .map(({ sha, at }) => ({ sha, commit: { committer: { date: at } } }));
}

function treeAnswer(store: BareRepository, { base_tree, tree }: Request['body']): HostAnswer {
  const entries = (Array.isArray(tree) ? tree : []) as { path: string; mode: string; sha: string }[];
  const isWhole = entries.every(({ sha }) => store.exists(sha)) && store.exists(String(base_tree));
  return isWhole
    ? created({ sha: store.storeTree(String(base_tree), entries) })
    : invalid('tree.sha is not valid');
}

function commitAnswer(store: BareRepository, { tree, message, parents }: Request['body']): HostAnswer {
  const known = (Array.isArray(parents) ? parents : []).map(String);
  if (![String(tree), ...known].every((sha) => store.exists(sha))) return invalid('Tree SHA does not exist');
  return created({
    sha: store.storeCommit({ tree: String(tree), message: String(message), parents: known }),
  });
}

function newRef(served: Served, { ref, sha }: Request['body']): HostAnswer {
  const branch = String(ref).replace(/^refs\/heads\//u, '');
  if (!served.store.exists(String(sha))) return invalid('Object does not exist');
  if (served.rule !== undefined && branch.startsWith(served.rule.branches)) {
    return invalid(
      'Repository rule violations found\n\nCannot create ref due to creations being restricted.',
    );
  }
  if (served.store.headOf(branch) !== undefined) return invalid('Reference already exists');
  served.store.setBranch(branch, String(sha));
  return { ...refAnswer(served, branch), status: 201 };
}

function newPull(served: Served, body: Request['body']): HostAnswer {
  const { store, pulls, name } = served;
  const [head, base] = [String(body.head), String(body.base)];
  const [from, onto] = [store.headOf(head), store.headOf(base)];
  if (from === undefined || onto === undefined) return invalid('Validation Failed: head is not valid');
  if (store.isAncestor(from, onto)) return invalid(`No commits between ${base} and ${head}`);
  if (pulls.some((pull) => pull.head === head && pull.state === 'open')) {
    return invalid(`A pull request already exists for ${name.split('/')[0]}:${head}.`);
  }
  const pull: PullRequest = {
    ...{ number: pulls.length + 1, title: String(body.title), body: String(body.body), head, base },
    ...{ state: 'open', merged_at: null },
  };
  pulls.push(pull);
  return created(shown(served, pull));
}

function shown({ name, url, store }: Served, { head, base, mergeable_state, ...pull }: PullRequest) {
  const html_url = `${url}/${name}/pull/${pull.number}`;
  const state = mergeable_state ?? (store.mergedTree(base, head) === undefined ? 'dirty' : 'clean');
  return { ...pull, html_url, head: { ref: head }, base: { ref: base }, mergeable_state: state };
}

const notFound: HostAnswer = { status: 404, body: { message: 'Not Found' } };
const ok = (body: unknown): HostAnswer => ({ status: 200, body });
const created = (body: unknown): HostAnswer => ({ status: 201, body });
const invalid = (message: string): HostAnswer => ({ status: 422, body: { message } });
