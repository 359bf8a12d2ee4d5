import type { BareRepository } from './bare-repository.js';
import type { HostAnswer, PullRequest } from './repository-routes.js';

export interface GitLabProject {
  readonly id: number;
  /** Its path, such as `group/sub/deploy`. */
  readonly name: string;
  readonly store: BareRepository;
  readonly pulls: PullRequest[];
}

interface Request {
  readonly method: string;
  /** After the path of the project. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly body: Readonly<Record<string, unknown>>;
  readonly url: string;
}

/** The routes below `/projects/:id`. */
export function gitLabRoutes(project: GitLabProject, request: Request): HostAnswer {
  const { store, pulls } = project;
  const { method, path, query, body } = request;
  const [, kind = '', sub = '', last = ''] = path.split('/').map(decodeURIComponent);
  const shownHere = (pull: PullRequest) => shown(project, pull, request.url);
  switch (`${method} ${kind === 'repository' ? `${kind}/${sub}` : kind}`) {
    case 'GET ':
      return ok({ id: project.id, path_with_namespace: project.name, default_branch: 'main' });
    case 'GET repository/branches': {
      const id = store.headOf(last);
      return id === undefined
        ? missing('404 Branch Not Found')
        : ok({ name: last, commit: { id, message: store.messageOf(id) } });
    }
    case 'GET repository/commits':
      if (last === '') return ok(commitsOf(store, query));
      return store.exists(last) ? ok({ id: last }) : missing('404 Commit Not Found');
    case 'GET repository/tree':
      return treeAnswer(store, query);
    case 'GET repository/blobs':
      if (!store.exists(last)) return missing('404 Blob Not Found');
      return ok({ sha: last, encoding: 'base64', content: store.blobOf(last).toString('base64') });
    case 'POST repository/commits':
      return newCommit(store, body);
    case 'GET merge_requests': {
      if (sub !== '') {
        const pull = pulls.find(({ number }) => String(number) === sub);
        return pull === undefined ? missing('404 Not found') : ok(shownHere(pull));
      }
      const source = query.get('source_branch');
      return ok(
        pulls
          .filter(({ head }) => head === source)
          .toReversed()
          .map(shownHere),
      );
    }
    case 'POST merge_requests':
      return newMergeRequest(project, body, request.url);
    default:
      return missing('404 Not Found');
  }
}

function commitsOf(store: BareRepository, query: URLSearchParams) {
  return store
    .commitsOf(query.get('ref_name') ?? 'main', query.get('path') ?? '')
    .slice(0, Number(query.get('per_page') ?? 20))
    .map(({ sha, at }) => ({ id: sha, committed_date: at }));
}

/** Page by page, without the sizes that GitLab does not report. */
function treeAnswer(store: BareRepository, query: URLSearchParams): HostAnswer {
  const ref = query.get('ref') ?? '';
  if (!store.exists(ref)) return missing('404 Tree Not Found');
  const size = Math.min(Number(query.get('per_page') ?? 20), 100);
  const page = Number(query.get('page') ?? 1);
  const all = store.entriesOf(ref).map(({ path, mode, type, sha }) => ({ id: sha, path, mode, type }));
  const next = page * size < all.length ? String(page + 1) : '';
  return { ...ok(all.slice((page - 1) * size, page * size)), headers: { 'x-next-page': next } };
}

/** One call makes the commit and its branch. */
function newCommit(store: BareRepository, body: Request['body']): HostAnswer {
  const { branch, start_sha, commit_message, actions } = body;
  const [action] = (Array.isArray(actions) ? actions : []) as { file_path: string; content: string }[];
  const name = String(branch);
  const onto = String(start_sha);
  if (store.headOf(name) !== undefined) return refused(400, `A branch called '${name}' already exists.`);
  if (!store.exists(onto)) return refused(400, 'Invalid reference name');
  const entry = store.entriesOf(onto).find(({ path }) => path === action?.file_path);
  if (action === undefined || entry === undefined) return refused(400, "A file with this name doesn't exist");
  const sha = store.storeBlob(Buffer.from(action.content, 'base64'));
  const tree = store.storeTree(store.treeOf(onto), [{ ...entry, sha }]);
  const id = store.storeCommit({ tree, message: String(commit_message), parents: [onto] });
  store.setBranch(name, id);
  return { status: 201, body: { id } };
}

function newMergeRequest(project: GitLabProject, body: Request['body'], url: string): HostAnswer {
  const { store, pulls } = project;
  const { source_branch, target_branch, title, description } = body;
  const [head, base] = [String(source_branch), String(target_branch)];
  if (store.headOf(head) === undefined || store.headOf(base) === undefined) {
    return refused(400, 'source_branch does not exist');
  }
  const other = pulls.find((pull) => pull.head === head && pull.state === 'open');
  if (other !== undefined) {
    return refused(409, `Another open merge request already exists for this source branch: !${other.number}`);
  }
  const pull: PullRequest = {
    ...{ number: pulls.length + 1, title: String(title), body: String(description), head, base },
    ...{ state: 'open', merged_at: null },
  };
  pulls.push(pull);
  return { status: 201, body: shown(project, pull, url) };
}

function shown({ id, name, store }: GitLabProject, pull: PullRequest, url: string) {
  const { number, head, base, state, merged_at, mergeable_state } = pull;
  const has_conflicts = state === 'open' && store.mergedTree(base, head) === undefined;
  return {
    ...{ iid: number, title: pull.title, source_branch: head, target_branch: base },
    ...{ source_project_id: id, target_project_id: id, has_conflicts },
    web_url: `${url}/${name}/-/merge_requests/${number}`,
    state: merged_at === null ? (state === 'open' ? 'opened' : 'closed') : 'merged',
    detailed_merge_status: mergeable_state ?? (has_conflicts ? 'conflict' : 'mergeable'),
    head_pipeline: null,
  };
}

const ok = (body: unknown): HostAnswer => ({ status: 200, body });
const refused = (status: number, message: string): HostAnswer => ({ status, body: { message } });
const missing = (message: string): HostAnswer => refused(404, message);
