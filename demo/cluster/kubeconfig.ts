import { stringify } from 'yaml';

/** One context, of the same name as its cluster. */
export interface KubeconfigEntry {
  readonly name: string;
  readonly url: string;
  readonly user: string;
  readonly token: string;
  /** Namespace of commands that name none. */
  readonly namespace?: string;
}

/**
 * A kubeconfig in YAML; the first context is the current one. client-node speaks plain HTTP only where the
 * kubeconfig gives up TLS verification.
 */
export function kubeconfigYaml(entries: readonly KubeconfigEntry[]): string {
  return stringify({
    apiVersion: 'v1',
    kind: 'Config',
    preferences: {},
    'current-context': entries[0]?.name ?? '',
    clusters: entries.map(({ name, url }) => ({
      name,
      cluster: { server: url, 'insecure-skip-tls-verify': true },
    })),
    users: entries.map(({ name, user, token }) => ({ name: `${user}@${name}`, user: { token } })),
    contexts: entries.map(({ name, user, namespace }) => ({
      name,
      context: { cluster: name, user: `${user}@${name}`, ...(namespace === undefined ? {} : { namespace }) },
    })),
  });
}
