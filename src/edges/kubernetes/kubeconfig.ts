import { existsSync } from 'node:fs';
import { isIPv6 } from 'node:net';
import { homedir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import type { Cluster, Context, User } from '@kubernetes/client-node';
import * as z from 'zod';
import { InputError } from '../../doctor/input/input-error.js';
import { nearestName } from '../../engine/language/nearest-name.js';
import { readSettings } from '../files/read-settings.js';

/** Contexts in the message of an error. */
const maxNamed = 20;

/** A context that was named and is not in the kubeconfig. */
export class ContextUnknown extends Error {
  override readonly name = 'ContextUnknown';
  readonly context: string;
  /** The contexts of the kubeconfig. */
  readonly known: readonly string[];
  /** What may have been meant. */
  readonly nearest: string | undefined;

  constructor(context: string, known: readonly string[]) {
    const nearest = nearestName(context, known);
    const meant = nearest === undefined ? '' : ` (did you mean "${nearest}"?)`;
    const more = known.length > maxNamed ? ` and ${known.length - maxNamed} more` : '';
    const names = known.slice(0, maxNamed).join(', ') || 'none';
    super(`the kubeconfig has no context "${context}"${meant}; its contexts: ${names}${more}`);
    this.context = context;
    this.known = known;
    this.nearest = nearest;
  }
}

/** What the kubeconfig files state, in client-node's own types. */
export interface Kubeconfig {
  readonly clusters: readonly Cluster[];
  readonly users: readonly User[];
  readonly contexts: readonly Context[];
  readonly currentContext: string;
}

const required = z.string().min(1);
const optional = z
  .string()
  .nullish()
  .transform((text) => text ?? undefined);

const File = z.object({
  clusters: z
    .array(
      z.object({
        name: required,
        cluster: z.object({
          server: required,
          'certificate-authority': optional,
          'certificate-authority-data': optional,
          'insecure-skip-tls-verify': z.unknown().optional(),
          'tls-server-name': optional,
          'proxy-url': optional,
        }),
      }),
    )
    .nullish(),
  users: z
    .array(
      z.object({
        name: required,
        user: z
          .object({
            'client-certificate': optional,
            'client-certificate-data': optional,
            'client-key': optional,
            'client-key-data': optional,
            token: optional,
            tokenFile: optional,
            username: optional,
            password: optional,
            as: optional,
            exec: z.unknown(),
            'auth-provider': z.unknown(),
          })
          .partial()
          .nullish(),
      }),
    )
    .nullish(),
  contexts: z
    .array(
      z.object({
        name: required,
        context: z.object({ cluster: required, user: optional, namespace: optional }),
      }),
    )
    .nullish(),
  'current-context': optional,
});
type File = z.output<typeof File>;

const serviceAccount = '/var/run/secrets/kubernetes.io/serviceaccount';

/**
 * The named file; without it those of KUBECONFIG, `~/.kube/config`, or the ServiceAccount of the pod we run
 * in, whichever comes first. Of several files, the first to name something decides, as with kubectl.
 *
 * client-node's own `KubeConfig` does the same, but loads every API and model: ARCHITECTURE.md has the
 * figures.
 *
 * @throws InputError when a file cannot be read or is no kubeconfig, or when there is none
 */
export function loadKubeconfig(path: string | undefined): Kubeconfig {
  if (path !== undefined) return readFile(path);
  const named = (process.env.KUBECONFIG ?? '').split(delimiter).filter((each) => each !== '');
  if (named.length > 0) return merged(named.map(readFile));
  const usual = join(homedir(), '.kube', 'config');
  if (existsSync(usual)) return readFile(usual);
  const { KUBERNETES_SERVICE_HOST: host, KUBERNETES_SERVICE_PORT: port = '443' } = process.env;
  if (host === undefined || !existsSync(`${serviceAccount}/token`)) {
    throw new InputError('', undefined, { key: 'no-kubeconfig', values: { usual } });
  }
  return ofServiceAccount(host, port);
}

function readFile(path: string): Kubeconfig {
  const file = File.safeParse(readSettings(path));
  if (!file.success) {
    const [{ path: place } = { path: [] }] = file.error.issues;
    const where = place.map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`)).join('');
    throw new InputError(path, undefined, { key: 'not-kubeconfig', values: { field: where.slice(1) } });
  }
  const folder = dirname(resolve(path));
  const absolute = (name: string | undefined): string | undefined => (name ? resolve(folder, name) : name);
  const { clusters, users, contexts } = file.data;
  return {
    clusters: (clusters ?? []).map((each) => clusterOf(each, absolute)),
    users: (users ?? []).map((each) => userOf(each, absolute)),
    contexts: (contexts ?? []).map(({ name, context: { cluster, user = '', namespace } }) => ({
      name,
      cluster,
      user,
      ...given({ namespace }),
    })),
    currentContext: file.data['current-context'] ?? '',
  };
}

type Absolute = (name: string | undefined) => string | undefined;

function clusterOf({ name, cluster }: NonNullable<File['clusters']>[number], absolute: Absolute): Cluster {
  return {
    name,
    server: cluster.server.replace(/\/$/u, ''),
    skipTLSVerify: cluster['insecure-skip-tls-verify'] === true,
    ...given({
      caFile: absolute(cluster['certificate-authority']),
      caData: cluster['certificate-authority-data'],
      tlsServerName: cluster['tls-server-name'],
      proxyUrl: cluster['proxy-url'],
    }),
  };
}

/** A token file takes the form in which client-node keeps that of a ServiceAccount. */
function userOf({ name, user }: NonNullable<File['users']>[number], absolute: Absolute): User {
  const tokenFile = absolute(user?.tokenFile);
  return {
    name,
    ...given({
      certFile: absolute(user?.['client-certificate']),
      certData: user?.['client-certificate-data'],
      keyFile: absolute(user?.['client-key']),
      keyData: user?.['client-key-data'],
      token: user?.token,
      username: user?.username,
      password: user?.password,
      impersonateUser: user?.as,
      exec: user?.exec,
      authProvider: user?.['auth-provider'],
    }),
    ...(tokenFile === undefined ? {} : fromTokenFile(tokenFile)),
  };
}

type Given<Fields> = { readonly [Key in keyof Fields]?: NonNullable<Fields[Key]> };

/** The fields that have a value. */
export function given<Fields extends object>(fields: Fields): Given<Fields> {
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined && value !== null);
  return Object.fromEntries(entries) as Given<Fields>;
}

function fromTokenFile(tokenFile: string): Pick<User, 'authProvider'> {
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
