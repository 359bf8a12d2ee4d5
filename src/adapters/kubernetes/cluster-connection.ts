import { HttpMethod, KubeConfig, RequestContext } from '@kubernetes/client-node';
import { type Dispatcher, fetch } from 'undici';
import type { ApiAnswer, ApiCall } from './api-call.js';

/** A cluster by the name people use for it: its kubeconfig context. */
export interface ClusterConnection {
  readonly name: string;
  readonly call: ApiCall;
}

export interface ConnectOptions {
  /** Path of a kubeconfig; without it the in-cluster ServiceAccount or the default kubeconfig. */
  readonly kubeconfig?: string | undefined;
  /** Contexts to use, the first one is the default; all when empty. */
  readonly contexts: readonly string[];
}

/** TLS material is read anew this often, so that rotated certificates are taken up. */
const dispatcherMs = 5 * 60_000;

/**
 * Reads the kubeconfig and gives one connection a context, the default one first. Authentication (tokens, client
 * certificates, exec plug-ins) is client-node's; connections to one cluster are kept and reused.
 *
 * @throws when the kubeconfig cannot be read or a named context is not in it
 */
export function connectClusters({ kubeconfig, contexts }: ConnectOptions): readonly ClusterConnection[] {
  const base = new KubeConfig();
  if (kubeconfig === undefined) base.loadFromDefault();
  else base.loadFromFile(kubeconfig);
  const known = base.getContexts().map(({ name }) => name);
  for (const name of contexts) {
    if (!known.includes(name)) {
      throw new Error(
        `there is no context "${name}" in the kubeconfig; it has ${known.join(', ') || 'none'}`,
      );
    }
  }
  const current = base.getCurrentContext();
  const names = contexts.length > 0 ? contexts : [current, ...known.filter((name) => name !== current)];
  return names.map((name) => {
    const config = new KubeConfig();
    config.loadFromString(base.exportConfig());
    config.setCurrentContext(name);
    return { name, call: createApiCall(config) };
  });
}

/** @param config its current context says where to send and who we are */
export function createApiCall(config: KubeConfig): ApiCall {
  const server = (config.getCurrentCluster()?.server ?? '').replace(/\/+$/, '');
  let kept: { readonly dispatcher: Dispatcher | undefined; readonly until: number } | undefined;

  return async ({ method = 'GET', path, query = {}, accept, contentType, body, signal }) => {
    const url = new URL(`${server}${path}`);
    for (const [name, value] of Object.entries(query)) {
      if (value !== undefined) url.searchParams.set(name, String(value));
    }
    const context = new RequestContext(url.toString(), HttpMethod.GET);
    await config.applySecurityAuthentication(context);
    if (kept === undefined || kept.until < Date.now()) {
      kept = {
        dispatcher: context.getDispatcher() as Dispatcher | undefined,
        until: Date.now() + dispatcherMs,
      };
    }
    const response = await fetch(url, {
      method,
      headers: {
        ...context.getHeaders(),
        Accept: accept ?? 'application/json',
        ...(body === undefined ? {} : { 'Content-Type': contentType ?? 'application/json' }),
        'User-Agent': 'rollout-doctor',
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(signal === undefined ? {} : { signal }),
      ...(kept.dispatcher === undefined ? {} : { dispatcher: kept.dispatcher }),
      redirect: 'error',
    });
    return answerOf(response.status, await response.text(), response.headers.get('retry-after'));
  };
}

function answerOf(status: number, text: string, retryAfter: string | null): ApiAnswer {
  const seconds = Number(retryAfter);
  const retryAfterMs =
    retryAfter !== null && Number.isFinite(seconds) ? Math.max(0, seconds) * 1000 : undefined;
  try {
    return { status, body: JSON.parse(text), retryAfterMs };
  } catch {
    return { status, body: text, retryAfterMs };
  }
}
