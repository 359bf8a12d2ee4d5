import { existsSync } from 'node:fs';
import { isIPv6 } from 'node:net';
import { homedir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import {
  type Cluster,
  type Context,
  newClusters,
  newContexts,
  newUsers,
  type User,
} from '@kubernetes/client-node/dist/config_types.js';
import { z } from 'zod';
import { readSettings } from '../../read-settings.js';

/** What the kubeconfig files say, in client-node's own types. */
export interface Kubeconfig {
  readonly clusters: readonly Cluster[];
  readonly users: readonly User[];
  readonly contexts: readonly Context[];
  readonly currentContext: string;
}

const File = z.object({
  clusters: z.array(z.unknown()).nullish(),
  users: z.array(z.unknown()).nullish(),
  contexts: z.array(z.unknown()).nullish(),
  'current-context': z.string().nullish(),
});

const serviceAccount = '/var/run/secrets/kubernetes.io/serviceaccount';

/**
 * The named file; without it those of KUBECONFIG, `~/.kube/config`, or the ServiceAccount of the pod we run in, whichever
 * comes first. Of several files, the first to name something decides, as with kubectl.
 *
 * client-node's own `KubeConfig` does the same, but brings every API and model with it: 85 MB and a second of start.
 *
 * @throws when a file cannot be read or is no kubeconfig, or when there is none
 */
export function loadKubeconfig(path: string | undefined): Kubeconfig {
  if (path !== undefined) return readFile(path);
  const named = (process.env.KUBECONFIG ?? '').split(delimiter).filter((each) => each !== '');
  if (named.length > 0) return merged(named.map(readFile));
  const usual = join(homedir(), '.kube', 'config');
  if (existsSync(usual)) return readFile(usual);
  const { KUBERNETES_SERVICE_HOST: host, KUBERNETES_SERVICE_PORT: port = '443' } = process.env;
  if (host === undefined || !existsSync(`${serviceAccount}/token`)) {
    throw new Error(`KUBECONFIG is not set, ${usual} does not exist, and this process does not run in a pod`);
  }
  return ofServiceAccount(host, port);
}

function readFile(path: string): Kubeconfig {
  const file = File.safeParse(readSettings(path));
  if (!file.success) throw new Error(`${path} is not a kubeconfig`);
  const folder = dirname(resolve(path));
  const absolute = (name: string | undefined): string | undefined => (name ? resolve(folder, name) : name);
  const { clusters, users, contexts } = file.data;
  return {
    clusters: newClusters(clusters).map((cluster) =>
      Object.assign(cluster, { caFile: absolute(cluster.caFile) }),
    ),
    users: newUsers(users).map((user) =>
      Object.assign(user, {
        certFile: absolute(user.certFile),
        keyFile: absolute(user.keyFile),
        ...tokenFileOf(users, user.name, absolute),
      }),
    ),
    contexts: newContexts(contexts),
    currentContext: file.data['current-context'] ?? '',
  };
}

const NamedUser = z.object({ name: z.string(), user: z.object({ tokenFile: z.string() }) });

/** client-node leaves `tokenFile` out; it reads the same from an auth provider of that name. */
function tokenFileOf(
  users: readonly unknown[] | null | undefined,
  name: string,
  absolute: (path: string) => string | undefined,
): Pick<User, 'authProvider'> {
  for (const entry of users ?? []) {
    const user = NamedUser.safeParse(entry);
    if (user.success && user.data.name === name) return fromTokenFile(absolute(user.data.user.tokenFile));
  }
  return {};
}

function fromTokenFile(tokenFile: string | undefined): Pick<User, 'authProvider'> {
  return { authProvider: { name: 'tokenFile', config: { tokenFile } } };
}

function merged(files: readonly Kubeconfig[]): Kubeconfig {
  return {
    clusters: firstOfEachName(files.flatMap(({ clusters }) => clusters)),
    users: firstOfEachName(files.flatMap(({ users }) => users)),
    contexts: firstOfEachName(files.flatMap(({ contexts }) => contexts)),
    currentContext: files.find(({ currentContext }) => currentContext !== '')?.currentContext ?? '',
  };
}

function firstOfEachName<Named extends { readonly name: string }>(all: readonly Named[]): readonly Named[] {
  return [...new Map(all.toReversed().map((each) => [each.name, each])).values()].toReversed();
}

function ofServiceAccount(host: string, port: string): Kubeconfig {
  const name = 'in-cluster';
  return {
    clusters: [
      {
        name,
        server: `https://${isIPv6(host) ? `[${host}]` : host}:${port}`,
        caFile: `${serviceAccount}/ca.crt`,
        skipTLSVerify: false,
      },
    ],
    users: [{ name, ...fromTokenFile(`${serviceAccount}/token`) }],
    contexts: [{ name, cluster: name, user: name }],
    currentContext: name,
  };
}
