import { type createPublicKey, createVerify, generateKeyPairSync, randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Language } from '#src/engine/language/language.js';
import { requestProblem } from '../slack/server/guard.js';
import { createBareRepository } from './bare-repository.js';
import { hostPage, pageHeaders } from './host-pages.js';
import { type BranchRule, type HostAnswer, type PullRequest, repositoryRoutes } from './repository-routes.js';

export interface LocalGitHostOptions {
  /** Files of each repository by its `owner/name`. */
  readonly repositories: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** Repositories on which the App is installed; all when absent. */
  readonly installedOn?: readonly string[];
  /** Language of the pages for people; English when absent. */
  readonly language?: Language;
}

/** What the next matching request gets in place of its answer. */
export interface Fault extends HostAnswer {
  /** Such as `POST /pulls`: the method and the end of the path. */
  readonly on: string;
  /** The request is carried out first: only its answer is lost. */
  readonly afterwards?: boolean;
  /** No answer comes at all. */
  readonly hangs?: boolean;
}

export type LocalGitHost = Awaited<ReturnType<typeof startLocalGitHost>>;

/**
 * The REST surface of GitHub that the product uses, over real bare repositories. It refuses what GitHub
 * refuses: requests without a valid token of the App, repositories that the App may not see (404), and
 * objects that do not exist.
 */
export async function startLocalGitHost({ repositories, installedOn, language = 'en' }: LocalGitHostOptions) {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const appId = 4711;
  const stores = new Map(
    Object.entries(repositories).map(([name, files]) => [name, createBareRepository(files)]),
  );
  const pulls = new Map<string, PullRequest[]>([...stores.keys()].map((name) => [name, []]));
  /** Repository of each installation token. */
  const tokens = new Map<string, string>();
  const faults: Fault[] = [];
  const removedFrom = new Set<string>();
  const rules = new Map<string, BranchRule>();
  let isAway = false;
  const requests: { readonly method: string; readonly path: string; readonly authorization: string }[] = [];
  const installed = (name: string): boolean =>
    stores.has(name) && !removedFrom.has(name) && (installedOn?.includes(name) ?? true);
  let url = '';

  function answer(
    method: string,
    path: string,
    query: URLSearchParams,
    body: Body,
    authorization: string,
  ): HostAnswer {
    const installation = /^\/repos\/([^/]+\/[^/]+)\/installation$/u.exec(path);
    if (installation !== null || path.startsWith('/app/')) {
      if (!isSigned(authorization, publicKey, appId)) return unauthorized;
      const name = installation?.[1] ?? '';
      if (installation !== null)
        return installed(name) ? { status: 200, body: { id: 42, app_id: appId } } : notFound;
      if (path !== '/app/installations/42/access_tokens' || method !== 'POST') return notFound;
      return issueToken(body);
    }
    const repository = /^\/repos\/([^/]+\/[^/]+)(\/.*)?$/u.exec(path);
    const token = /^token (.+)$/u.exec(authorization)?.[1] ?? '';
    const allowed = tokens.get(token);
    if (allowed === undefined) return unauthorized;
    const name = repository?.[1] ?? '';
    const store = stores.get(name);
    if (store === undefined || allowed !== name) return notFound;
    const rest = decodeURIComponent(repository?.[2] ?? '');
    return repositoryRoutes(
      { name, url, store, pulls: pulls.get(name) ?? [], rule: rules.get(name) },
      { method, path: rest, query, body },
    );
  }

  function issueToken({ repositories: names, permissions }: Body): HostAnswer {
    const [short] = Array.isArray(names) ? names : [];
    const name = [...stores.keys()].find((each) => each.split('/')[1] === short && installed(each));
    if (name === undefined)
      return { status: 422, body: { message: 'There is at least one repository that does not exist' } };
    const token = `ghs_4711_${randomBytes(30).toString('base64url')}`;
    tokens.set(token, name);
    const expires_at = new Date(Date.now() + 3_600_000).toISOString();
    return { status: 201, body: { token, expires_at, permissions, repository_selection: 'selected' } };
  }

  function servePage(
    request: IncomingMessage,
    response: ServerResponse,
    asked: { readonly method: string; readonly path: string },
  ): void {
    if (requestProblem(request, Number(new URL(url).port)) !== undefined) {
      response.writeHead(403, pageHeaders).end();
      return;
    }
    const hosted = [...stores].map(([name, store]) => ({
      ...{ name, store, pulls: pulls.get(name) ?? [] },
      merge: (number: number) => merge(name, number),
      decline: (number: number) => decline(name, number),
    }));
    const { status, html, location } = hostPage(hosted, asked, language);
    response.writeHead(status, { ...pageHeaders, ...(location === undefined ? {} : { location }) }).end(html);
  }

  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (isAway) {
      request.destroy();
      return;
    }
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
    const method = request.method ?? 'GET';
    if (!pathname.startsWith('/repos/') && !pathname.startsWith('/app/')) {
      servePage(request, response, { method, path: pathname });
      return;
    }
    const authorization = request.headers.authorization ?? '';
    requests.push({ method, path: pathname, authorization });
    const body = await bodyOf(request);
    const at = faults.findIndex(({ on }) => {
      const [verb, end = ''] = on.split(' ');
      return verb === method && pathname.endsWith(end);
    });
    const fault = at === -1 ? undefined : faults.splice(at, 1)[0];
    const real =
      fault === undefined || fault.afterwards === true
        ? answer(method, pathname, searchParams, body, authorization)
        : undefined;
    if (fault?.hangs === true) return;
    const { status, body: content, headers = {} } = fault ?? real ?? notFound;
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(JSON.stringify(content ?? {}));
  };
  const server = createServer((request, response) => void serve(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  const pullRequest = (name: string, number: number): PullRequest => {
    const found = pulls.get(name)?.find((each) => each.number === number);
    if (found === undefined) throw new Error(`no pull request ${number}`);
    return found;
  };
  const repository = (name: string) => {
    const store = stores.get(name);
    if (store === undefined) throw new Error(`no repository ${name}`);
    return store;
  };
  /** A person merges by a squash: the commit on the base is none of the branch. */
  function merge(name: string, number: number): void {
    const store = repository(name);
    const pull = pullRequest(name, number);
    const base = store.headOf(pull.base);
    const tree = store.mergedTree(pull.base, pull.head);
    if (tree === undefined || base === undefined) throw new Error('it cannot be merged');
    const commit = store.storeCommit({
      tree,
      message: pull.title,
      parents: [base],
      author: 'kim',
    });
    store.setBranch(pull.base, commit);
    Object.assign(pull, { state: 'closed', merged_at: new Date().toISOString() });
  }
  /** A person closes it without a merge. */
  function decline(name: string, number: number): void {
    Object.assign(pullRequest(name, number), { state: 'closed' });
  }
  /** What checks and protection of the branch say, such as `unstable`. */
  function holdBack(name: string, number: number, mergeable_state: string): void {
    Object.assign(pullRequest(name, number), { mergeable_state });
  }
  return {
    url,
    holdBack,
    app: { appId, privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(), apiUrl: url },
    requests,
    repository,
    pulls: (name: string): readonly PullRequest[] => pulls.get(name) ?? [],
    fail: (fault: Fault) => void faults.push(fault),
    revokeTokens: () => tokens.clear(),
    /** A person removes the App from a repository: its tokens end at once. */
    uninstall(name: string): void {
      removedFrom.add(name);
      for (const [token, of] of tokens) if (of === name) tokens.delete(token);
    },
    /** A person installs the App again. */
    install: (name: string) => void removedFrom.delete(name),
    protect: (name: string, rule: BranchRule) => void rules.set(name, rule),
    /** While it is away, every connection is closed without an answer. */
    goAway(away: boolean): void {
      isAway = away;
    },
    merge,
    decline,
    async close(): Promise<void> {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      for (const store of stores.values()) store.remove();
    },
  };
}

type Body = Readonly<Record<string, unknown>>;

const notFound: HostAnswer = { status: 404, body: { message: 'Not Found' } };
const unauthorized: HostAnswer = { status: 401, body: { message: 'Bad credentials' } };

async function bodyOf(request: IncomingMessage): Promise<Body> {
  let text = '';
  for await (const chunk of request) text += String(chunk);
  return text === '' ? {} : (JSON.parse(text) as Body);
}

/** A JSON web token that the App signed for itself. */
function isSigned(
  authorization: string,
  publicKey: ReturnType<typeof createPublicKey>,
  appId: number,
): boolean {
  const [header, payload, signature] = authorization.replace(/^bearer /iu, '').split('.');
  if (header === undefined || payload === undefined || signature === undefined) return false;
  const verify = createVerify('RSA-SHA256').update(`${header}.${payload}`);
  const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as { readonly iss?: unknown };
  return verify.verify(publicKey, signature, 'base64url') && String(claims.iss) === String(appId);
}
