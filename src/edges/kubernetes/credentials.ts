import { execFile } from 'node:child_process';
import type { RequestOptions } from 'node:https';
import { basename } from 'node:path';
import { createSecureContext, type SecureContextOptions } from 'node:tls';
import { isDeepStrictEqual, promisify } from 'node:util';
import type { Cluster, User } from '@kubernetes/client-node';
import { Agent, type Dispatcher } from 'undici';
import * as z from 'zod';
import { readNamedFile } from '../files/read-settings.js';
import { given } from './kubeconfig.js';

/** What a request must carry, and the connections it may use. */
interface Credentials {
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

/** A plug-in that takes longer, or writes more, is ended: all requests to its cluster wait for it. */
const maxRunMs = 30_000;
const maxOutputBytes = 1_000_000;
/** Characters of its name that are quoted. */
const maxName = 60;

const run = promisify(execFile);

const Exec = z.looseObject({
  command: z.string().min(1),
  args: z.array(z.string()).nullish(),
  env: z.array(z.object({ name: z.string(), value: z.string() })).nullish(),
});
const Credential = z.looseObject({
  status: z.looseObject({
    token: z.string().optional(),
    clientCertificateData: z.string().optional(),
    clientKeyData: z.string().optional(),
    expirationTimestamp: z.string().optional(),
  }),
});
type Credential = z.output<typeof Credential>;

interface ExecCredential {
  isAuthProvider(user: User): boolean;
  applyAuthentication(user: User, options: RequestOptions): Promise<void>;
}

/**
 * Credentials from an exec plug-in of the kubeconfig, kept until they expire. client-node's own part keeps
 * all that a plug-in writes and waits for it for ever.
 */
function createExecCredential(): ExecCredential {
  let kept: Credential | undefined;
  const isCurrent = ({ status: { expirationTimestamp: until } }: Credential): boolean =>
    until === undefined || Date.parse(until) > Date.now();
  return {
    isAuthProvider: (user) => execOf(user) !== undefined,
    async applyAuthentication(user, options) {
      if (kept === undefined || !isCurrent(kept)) kept = await ask(user);
      const { token, clientCertificateData, clientKeyData } = kept.status;
      if (clientCertificateData) options.cert = clientCertificateData;
      if (clientKeyData) options.key = clientKeyData;
      if (token) options.headers = { ...options.headers, Authorization: `Bearer ${token}` };
    },
  };
}

function execOf({ exec, authProvider }: User): unknown {
  return exec ?? authProvider?.config?.exec ?? undefined;
}

/** @throws Error without a word of what the plug-in wrote: it may be a credential */
async function ask(user: User): Promise<Credential> {
  const exec = Exec.safeParse(execOf(user));
  if (!exec.success) throw new Error('the exec plug-in of the kubeconfig names no command');
  const { command, args, env } = exec.data;
  const given = Object.fromEntries((env ?? []).map(({ name, value }) => [name, value]));
  const outcome = await run(command, args ?? [], {
    env: { ...process.env, ...given },
    timeout: maxRunMs,
    killSignal: 'SIGKILL',
    maxBuffer: maxOutputBytes,
  }).catch((error: unknown) => problemOf(error));
  const plugin = `the exec plug-in "${basename(command).slice(0, maxName)}" of the kubeconfig`;
  if (typeof outcome === 'string') throw new Error(`${plugin} ${outcome}`);
  try {
    return Credential.parse(JSON.parse(outcome.stdout));
  } catch {
    throw new Error(`${plugin} wrote no ExecCredential`);
  }
}

function problemOf(error: unknown): string {
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
  if (code === 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER') return `wrote more than ${maxOutputBytes} bytes`;
  if (code === 'ENOENT' || code === 'EACCES') return `could not be started (${code})`;
  if (typeof code === 'number') return `failed with status ${code}`;
  return `did not end within ${maxRunMs / 1_000} seconds`;
}
