import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type ContainerImage, manifestType } from './container-image.js';

/** Always the same one: recordings contain it. */
const port = 20_450;

/** What the registry does with requests for a repository. */
export type Behaviour =
  | 'serve'
  | 'missing'
  | 'unauthorised'
  /** Serves clients that send a name and a password. */
  | 'password'
  | 'limited'
  | 'broken'
  | 'overloaded'
  | 'hang'
  | 'lie';

export interface Registry {
  /** `127.0.0.1:PORT`. */
  readonly host: string;
  /** From now on; repositories that were never named are missing. */
  behave(repository: string, behaviour: Behaviour): void;
  stop(): Promise<void>;
}

const refusals: Readonly<
  Record<Exclude<Behaviour, 'serve' | 'hang' | 'lie' | 'password'>, readonly [number, string, string]>
> = {
  missing: [404, 'NAME_UNKNOWN', 'repository name not known to registry'],
  unauthorised: [401, 'UNAUTHORIZED', 'authentication required'],
  limited: [429, 'TOOMANYREQUESTS', 'You have reached your pull rate limit.'],
  broken: [500, 'UNKNOWN', 'internal error'],
  overloaded: [503, 'UNAVAILABLE', 'try again later'],
};

/**
 * A registry on the loopback address with one image, tag `1`, in each repository, and with a behaviour for
 * each.
 */
export async function startRegistry({ manifest, blobs }: ContainerImage): Promise<Registry> {
  const behaviours = new Map<string, Behaviour>();
  const server = createServer((request, response) => {
    const path = /^\/v2\/(?<repository>.{1,200})\/(?:manifests|blobs)\/(?<reference>[^/]{1,200})$/.exec(
      request.url ?? '',
    )?.groups;
    if (path === undefined) return response.end('{}');
    const { repository = '', reference = '' } = path;
    const named = behaviours.get(repository) ?? 'missing';
    const shown = request.headers.authorization === undefined ? 'unauthorised' : 'serve';
    const behaviour = named === 'password' ? shown : named;
    if (behaviour === 'hang') return undefined;
    if (behaviour !== 'serve' && behaviour !== 'lie') return refuse(response, refusals[behaviour]);
    const isManifest = reference === '1' || reference === manifest;
    const digest = reference === '1' ? manifest : reference;
    return serve(request, response, digest, behaviour === 'lie' && !isManifest);
  });
  function serve(
    request: IncomingMessage,
    response: ServerResponse,
    digest: string,
    isFalse: boolean,
  ): unknown {
    const promised = blobs.get(digest);
    const blob = promised && isFalse ? Buffer.alloc(promised.length) : promised;
    if (blob === undefined) return refuse(response, [404, 'MANIFEST_UNKNOWN', 'manifest unknown']);
    response.writeHead(200, {
      'Content-Type': digest === manifest ? manifestType : 'application/octet-stream',
      'Content-Length': blob.length,
      'Docker-Content-Digest': digest,
    });
    return response.end(request.method === 'HEAD' ? undefined : blob);
  }
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    host: `127.0.0.1:${port}`,
    behave: (repository, behaviour) => void behaviours.set(repository, behaviour),
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function refuse(
  response: ServerResponse,
  [status, code, message]: readonly [number, string, string],
): unknown {
  const headers = status === 401 ? { 'WWW-Authenticate': 'Basic realm="node"' } : {};
  response.writeHead(status, { 'Content-Type': 'application/json', ...headers });
  return response.end(JSON.stringify({ errors: [{ code, message }] }));
}
