import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createBareRepository } from './bare-repository.js';
import { type GitLabProject, gitLabRoutes } from './gitlab-routes.js';
import type { Fault } from './local-git-host.js';
import type { HostAnswer, PullRequest } from './repository-routes.js';

export type LocalGitLabHost = Awaited<ReturnType<typeof startLocalGitLabHost>>;

/**
 * The REST surface of GitLab that the product uses, over real bare repositories. It refuses what GitLab
 * refuses: requests without a token (401), projects that the token may not read (404), a branch or a merge
 * request that exists (400, 409).
 */
export async function startLocalGitLabHost({
  repositories,
}: {
  /** Files of each project by its path. */
  readonly repositories: Readonly<Record<string, Readonly<Record<string, string>>>>;
}) {
  const projects = new Map<string, GitLabProject>(
    Object.entries(repositories).map(([name, files], at) => [
      name,
      { id: at + 1, name, store: createBareRepository(files), pulls: [] },
    ]),
  );
  let token = `glpat-${randomBytes(15).toString('base64url')}`;
  const first = token;
  const hidden = new Set<string>();
  const faults: Fault[] = [];
  const requests: { readonly method: string; readonly path: string; readonly authorization: string }[] = [];
  let isAway = false;
  let url = '';

  function answer(request: IncomingMessage, path: string, query: URLSearchParams, body: unknown): HostAnswer {
    if (request.headers['private-token'] !== token) {
      return { status: 401, body: { message: '401 Unauthorized' } };
    }
    const [, encoded = '', rest = ''] = /^\/api\/v4\/projects\/([^/]+)(\/.*)?$/u.exec(path) ?? [];
    const project = projects.get(decodeURIComponent(encoded));
    if (project === undefined || hidden.has(project.name)) {
      return { status: 404, body: { message: '404 Project Not Found' } };
    }
    const method = request.method ?? 'GET';
    return gitLabRoutes(project, { method, path: rest, query, body: bodyOf(body), url });
  }

  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (isAway) {
      request.destroy();
      return;
    }
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
    const method = request.method ?? 'GET';
    requests.push({ method, path: pathname, authorization: String(request.headers['private-token'] ?? '') });
    let text = '';
    for await (const chunk of request) text += String(chunk);
    const body: unknown = text === '' ? {} : JSON.parse(text);
    const at = faults.findIndex(({ on }) => {
      const [verb, end = ''] = on.split(' ');
      return verb === method && pathname.endsWith(end);
    });
    const fault = at === -1 ? undefined : faults.splice(at, 1)[0];
    const isCarriedOut = fault === undefined || fault.afterwards === true;
    const real = isCarriedOut ? answer(request, pathname, searchParams, body) : undefined;
    if (fault?.hangs === true) return;
    const { status, body: content, headers = {} } = fault ?? real ?? { status: 404 };
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(JSON.stringify(content ?? {}));
  };
  const server = createServer((request, response) => void serve(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  const project = (name: string): GitLabProject => {
    const found = projects.get(name);
    if (found === undefined) throw new Error(`no project ${name}`);
    return found;
  };
  const change = (name: string, number: number, changes: Partial<PullRequest>): void => {
    const found = project(name).pulls.find((each) => each.number === number);
    if (found === undefined) throw new Error(`no merge request ${number}`);
    Object.assign(found, changes);
  };
  return {
    url,
    access: { apiUrl: `${url}/api/v4`, token: first },
    requests,
    repository: (name: string) => project(name).store,
    pulls: (name: string): readonly PullRequest[] => project(name).pulls,
    fail: (fault: Fault) => void faults.push(fault),
    /** A person revokes the token; there is no other one until the settings change. */
    revokeTokens(): void {
      token = '';
    },
    uninstall: (name: string) => void hidden.add(name),
    install: (name: string) => void hidden.delete(name),
    goAway(away: boolean): void {
      isAway = away;
    },
    holdBack: (name: string, number: number, mergeable_state: string) =>
      change(name, number, { mergeable_state }),
    /** A person merges by a squash: the commit on the base is none of the branch. */
    merge(name: string, number: number): void {
      const { store, pulls } = project(name);
      const pull = pulls.find((each) => each.number === number);
      const base = store.headOf(pull?.base ?? '');
      const tree = store.mergedTree(pull?.base ?? '', pull?.head ?? '');
      if (pull === undefined || base === undefined || tree === undefined)
        throw new Error('it cannot be merged');
      const parents = [base];
      store.setBranch(pull.base, store.storeCommit({ tree, message: pull.title, parents, author: 'kim' }));
      change(name, number, { state: 'closed', merged_at: new Date().toISOString() });
    },
    decline: (name: string, number: number) => change(name, number, { state: 'closed' }),
    async close(): Promise<void> {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      for (const { store } of projects.values()) store.remove();
    },
  };
}

function bodyOf(body: unknown): Readonly<Record<string, unknown>> {
  return typeof body === 'object' && body !== null ? { ...body } : {};
}
