import { type AccessRule, admin, type ClusterUser } from './api/access.js';
import type { ObservedRequest } from './api/answer.js';
import { type ApiServer, startApiServer } from './api/api-server.js';
import type { Faults } from './api/faults.js';
import { type ApiObject, objectKey } from './api-object.js';
import { type ClusterClock, createClock } from './clock.js';
import { createClusterState } from './cluster-state.js';
import type { JsonObject } from './json.js';
import { kubeconfigYaml } from './kubeconfig.js';
import { allLoops } from './loops/all-loops.js';
import { kubernetesVersion } from './loops/cluster-view.js';
import type { KubeletOptions } from './loops/kubelet-adoption.js';
import { runLoops } from './loops/run-loops.js';
import type { LogStore } from './recording/log-store.js';
import { readRecording } from './recording/read-recording.js';
import { shiftTimes } from './recording/shift-times.js';
import { createObject } from './registry/create-object.js';
import type { Registry } from './registry/registry.js';
import { resourceTypeOfKind } from './resources/resource-types.js';

export interface LocalClusterOptions {
  /** Name of cluster and kubeconfig context. */
  readonly name?: string;
  /** 0 for any free port. */
  readonly port?: number;
  readonly namespaces?: readonly string[];
  /** Besides `admin`, whose token is `admin`. */
  readonly users?: readonly {
    readonly name: string;
    readonly token: string;
    readonly rules: readonly AccessRule[];
  }[];
  /**
   * Who a request without credentials is: kubectl sends no token over plain HTTP. By default `admin`; `none`
   * answers it with 401.
   */
  readonly withoutCredentials?: string | 'none';
  /**
   * Epoch milliseconds at which the clock stands until `clock.follow()`; without it the clock follows at
   * once.
   */
  readonly startAt?: number;
  /** Of names and uids; equal seeds give equal names. */
  readonly seed?: number;
  /** How long pods take to start and to stop, and which of them crash. */
  readonly kubelet?: KubeletOptions;
}

export interface LoadOptions {
  /** Moves every time so that the moment of the recording becomes the cluster's now. True by default. */
  readonly shiftToNow?: boolean;
}

/** A Kubernetes API server in this process, over HTTP on 127.0.0.1. */
export interface LocalCluster {
  readonly name: string;
  readonly url: string;
  readonly clock: ClusterClock;
  readonly registry: Registry;
  readonly faults: Faults;
  readonly logs: LogStore;
  /** The last requests for resources, oldest first: all of a story. */
  readonly requests: readonly ObservedRequest[];
  /** YAML with one context, for `admin` or another user. */
  kubeconfig(user?: string): string;
  /** Stores objects as they are: uids, times and status are kept. */
  load(objects: readonly JsonObject[]): void;
  /** Loads a folder with `objects.json`, `logs/` and `expect.json`. */
  loadRecording(folder: string, options?: LoadOptions): Promise<void>;
  /** Creates objects as a client would, defaults and admission included. */
  create(objects: readonly JsonObject[]): void;
  /** An object as it is stored now; `undefined` when there is none. */
  find(apiVersion: string, kind: string, namespace: string, name: string): ApiObject | undefined;
  list(apiVersion: string, kind: string, namespace?: string): readonly ApiObject[];
  /**
   * Lets controllers, scheduler and kubelets do all that is due now. A cluster whose clock runs does it by
   * itself.
   */
  settle(): void;
  /** Moves a standing clock, with everything that happens on the way. */
  advanceTo(time: number): void;
  /** Closes the port: connections are refused until `accept`. */
  refuse(): Promise<void>;
  accept(): Promise<void>;
  close(): Promise<void>;
}

const version = {
  major: '1',
  minor: '36',
  gitVersion: kubernetesVersion,
  gitCommit: '',
  gitTreeState: 'clean',
  buildDate: '1970-01-01T00:00:00Z',
  goVersion: 'none',
  compiler: 'none',
  platform: 'linux/amd64',
};

const keptRequests = 20_000;
const systemNamespaces = ['default', 'kube-system', 'kube-public', 'kube-node-lease'];

/** Starts a cluster that holds its system namespaces and nothing else. */
export async function createLocalCluster(options: LocalClusterOptions = {}): Promise<LocalCluster> {
  const {
    name = 'local',
    port = 0,
    namespaces = [],
    seed = 1,
    startAt,
    withoutCredentials = 'admin',
  } = options;
  const clock = createClock(startAt ?? Date.now());
  if (startAt === undefined) clock.follow();
  const state = createClusterState(clock, seed);
  const { registry, faults, logs } = state;
  const users = new Map<string, ClusterUser>([
    [admin.token, admin],
    ...(options.users ?? []).map(
      (user) => [user.token, { groups: ['system:authenticated'], ...user }] as const,
    ),
  ]);
  const userNamed = (wanted: string): ClusterUser | undefined =>
    [...users.values()].find((user) => user.name === wanted);
  const requests: ObservedRequest[] = [];
  const create = (objects: readonly JsonObject[]): void => {
    for (const object of objects) createAs(registry, object);
  };
  create([...systemNamespaces, ...namespaces].map(namespaceObject));
  const loops = runLoops(state, allLoops(options.kubelet ?? {}));
  loops.settle();
  const server: ApiServer = await startApiServer(
    {
      registry,
      faults,
      logs,
      users,
      anonymous: withoutCredentials === 'none' ? undefined : userNamed(withoutCredentials),
      version,
      observe(request) {
        requests.push(request);
        if (requests.length > keptRequests) requests.shift();
      },
    },
    port,
  );
  return {
    name,
    url: server.url,
    clock,
    registry,
    faults,
    logs,
    requests,
    kubeconfig(userName = admin.name) {
      const user = userNamed(userName);
      if (user === undefined) throw new Error(`the cluster has no user ${userName}`);
      return kubeconfigYaml([{ name, url: server.url, user: user.name, token: user.token }]);
    },
    load: (objects) => state.load(objects),
    async loadRecording(folder, { shiftToNow = true } = {}) {
      const recording = await readRecording(folder);
      const byMs = shiftToNow && recording.takenAt !== undefined ? clock.now() - recording.takenAt : 0;
      logs.load(recording.logs);
      state.load(shiftTimes(recording.objects, byMs));
    },
    create,
    find(apiVersion, kind, namespace, objectName) {
      const type = typeOf(apiVersion, kind);
      return registry.store.get(type.storage, objectKey(type.namespaced ? namespace : undefined, objectName));
    },
    list(apiVersion, kind, namespace) {
      const objects = registry.store.list(typeOf(apiVersion, kind).storage);
      return namespace === undefined
        ? objects
        : objects.filter(({ metadata }) => metadata.namespace === namespace);
    },
    settle: () => loops.settle(),
    advanceTo(time) {
      loops.settle();
      clock.advanceTo(time);
      loops.settle();
    },
    refuse: () => server.refuse(),
    accept: () => server.accept(),
    async close() {
      loops.stop();
      clock.stop();
      await server.close();
    },
  };
}

function typeOf(apiVersion: string, kind: string) {
  const type = resourceTypeOfKind(apiVersion, kind);
  if (type === undefined) throw new Error(`the local cluster serves no ${kind} of ${apiVersion}`);
  return type;
}

function namespaceObject(name: string): JsonObject {
  return { apiVersion: 'v1', kind: 'Namespace', metadata: { name } };
}

/** Creates as `kubectl create` by the administrator does, but for the HTTP. */
function createAs(registry: Registry, object: JsonObject): void {
  const type = typeOf(String(object.apiVersion), String(object.kind));
  const metadata = object.metadata as { readonly namespace?: string } | undefined;
  createObject(registry, type, metadata?.namespace ?? 'default', object, {
    manager: 'kubectl-create',
    user: admin.name,
    dryRun: false,
  });
}
