import type { RequestOptions } from 'node:https';
import { createSecureContext, type SecureContextOptions } from 'node:tls';
import { isDeepStrictEqual } from 'node:util';
import type { Cluster, User } from '@kubernetes/client-node';
import { Agent, type Dispatcher } from 'undici';
import { readNamedFile } from '../../read-settings.js';
import { createExecCredential } from './exec-credential.js';
import { given } from './kubeconfig.js';

/** What a request must carry, and the connections it may use. */
export interface Credentials {
  readonly headers: Readonly<Record<string, string>>;
  readonly dispatcher: Dispatcher | undefined;
}

/** Certificates are read anew this often. Connections go on while they are the same. */
const readAgainMs = 10_000;
/** The whole client reads them by itself, and its connections are made anew this often. */
const dispatcherMs = 5 * 60_000;
/** Below the idle limit of load balancers, as client-go does it. */
const keepAliveInitialDelay = 30_000;

/**
 * Gives the credentials for the next request. Tokens, token files, client certificates, passwords and exec
 * plug-ins are resolved here. A cluster behind a proxy and the auth providers of old kubeconfigs need
 * client-node, which is only then loaded.
 */
export function createCredentials(cluster: Cluster, user: User | undefined): () => Promise<Credentials> {
  const { name: provider, config = {} } = user?.authProvider ?? {};
  const isOther = provider !== undefined && config.tokenFile === undefined && config.exec === undefined;
  if (isOther || cluster.proxyUrl) return wholeClient(cluster, user);
  if (cluster.server.startsWith('http:') && !cluster.skipTLSVerify) {
    const says = `${cluster.server} is plain HTTP, which needs insecure-skip-tls-verify in the kubeconfig`;
    return async () => {
      throw new Error(says);
    };
  }
  const plugin = createExecCredential();
  const readToken = createTokenReader(config.tokenFile);
  let asking: Promise<RequestOptions> | undefined;
  let kept:
    | { readonly dispatcher: Dispatcher; readonly certificates: Certificates; readonly until: number }
    | undefined;

  /** Requests that come together share one run of a plug-in. */
  const authenticate = async (): Promise<RequestOptions> => {
    const options: RequestOptions = { headers: {} };
    if (user !== undefined && plugin.isAuthProvider(user)) await plugin.applyAuthentication(user, options);
    else if (readToken !== undefined) options.headers = { Authorization: `Bearer ${readToken()}` };
    return options;
  };
  return async () => {
    asking ??= authenticate().finally(() => {
      asking = undefined;
    });
    const options = await asking;
    if (kept === undefined || kept.until < Date.now()) {
      const certificates = certificatesOf(cluster, user, options);
      const until = Date.now() + readAgainMs;
      if (kept === undefined || !isDeepStrictEqual(certificates, kept.certificates)) {
        const connect = { ...tlsOf(cluster, certificates), keepAlive: true, keepAliveInitialDelay };
        kept = { dispatcher: new Agent({ connect }), certificates, until };
      } else kept = { ...kept, until };
    }
    return { headers: headersOf(user, options), dispatcher: kept.dispatcher };
  };
}

/**
 * Kubernetes replaces a ServiceAccount's token well before it expires; client-go reads it every minute as
 * well.
 */
const tokenMs = 60_000;

function createTokenReader(path: unknown): (() => string) | undefined {
  if (typeof path !== 'string') return undefined;
  let kept: { readonly token: string; readonly until: number } | undefined;
  return () => {
    if (kept === undefined || kept.until < Date.now()) {
      kept = { token: readNamedFile(path).toString('utf8').trim(), until: Date.now() + tokenMs };
    }
    return kept.token;
  };
}

function headersOf(user: User | undefined, { headers = {} }: RequestOptions): Record<string, string> {
  const given = Object.entries(headers).map(([name, value]) => [name, String(value).trim()] as const);
  return {
    ...(user?.username
      ? { Authorization: `Basic ${base64(`${user.username}:${user.password ?? ''}`)}` }
      : {}),
    ...Object.fromEntries(given),
    ...(user?.token ? { Authorization: `Bearer ${user.token.trim()}` } : {}),
    ...(user?.impersonateUser ? { 'Impersonate-User': user.impersonateUser } : {}),
  };
}

type Certificates = Pick<SecureContextOptions, 'ca' | 'cert' | 'key'>;

function certificatesOf(
  cluster: Cluster,
  user: User | undefined,
  { cert, key }: RequestOptions,
): Certificates {
  return given({
    ca: material(cluster.caFile, cluster.caData),
    cert: cert ?? material(user?.certFile, user?.certData),
    key: key ?? material(user?.keyFile, user?.keyData),
  });
}

/**
 * The certificates are read into one context for all connections: each would take some milliseconds to read
 * them.
 */
function tlsOf(cluster: Cluster, certificates: Certificates) {
  return {
    secureContext: createSecureContext(certificates),
    ...given({
      servername: cluster.tlsServerName,
      rejectUnauthorized: cluster.skipTLSVerify ? false : undefined,
    }),
  };
}

function material(file: string | undefined, data: string | undefined): Buffer | undefined {
  if (file) return readNamedFile(file);
  return data ? Buffer.from(data, 'base64') : undefined;
}

function readNamedFiles(cluster: Cluster, user: User | undefined): void {
  const token: unknown = user?.authProvider?.config?.tokenFile;
  for (const path of [cluster.caFile, user?.certFile, user?.keyFile, token]) {
    if (typeof path === 'string' && path !== '') readNamedFile(path);
  }
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}

function wholeClient(cluster: Cluster, user: User | undefined): () => Promise<Credentials> {
  let kept: { readonly dispatcher: Dispatcher | undefined; readonly until: number } | undefined;
  const loading = async () => {
    const { HttpMethod, KubeConfig, RequestContext } = await import('@kubernetes/client-node');
    const config = new KubeConfig();
    config.loadFromClusterAndUser(cluster, user ?? { name: '' });
    return { config, context: () => new RequestContext(cluster.server, HttpMethod.GET) };
  };
  let loaded: ReturnType<typeof loading> | undefined;
  return async () => {
    loaded ??= loading();
    // client-node reads these by itself, whatever they are.
    if (kept === undefined || kept.until < Date.now()) readNamedFiles(cluster, user);
    const { config, context: create } = await loaded;
    const context = create();
    await config.applySecurityAuthentication(context);
    if (kept === undefined || kept.until < Date.now()) {
      kept = {
        dispatcher: context.getDispatcher() as Dispatcher | undefined,
        until: Date.now() + dispatcherMs,
      };
    }
    return { headers: context.getHeaders(), dispatcher: kept.dispatcher };
  };
}
