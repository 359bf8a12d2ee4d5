import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { KubernetesObject, V1Deployment } from '@kubernetes/client-node';
import { stringify } from 'yaml';
import { Application } from '#src/engine/objects/gitops.js';
import { freePorts } from '../../../demo/free-ports.js';
import { startPrivateRedis } from '../../../demo/redis/private-redis.js';
import type { Cluster } from '../harness/cluster.js';
import { type Component, startComponent, untilReady } from '../harness/component.js';
import { startGuard } from '../harness/guard.js';
import { answersOk } from '../harness/readiness.js';
import { ensureTool } from '../harness/tools.js';
import { type CustomObject, createDefinitions, readCustom, untilCustom } from './harness/custom-objects.js';
import type { WorkloadOwner } from './harness/owner.js';
import { mustRun } from './harness/run-tool.js';
import type { Stage } from './harness/stage.js';

const namespace = 'argocd';

/** The running application controller and repository server. */
export interface ArgoCd {
  logs(): string;
  stop(): Promise<void>;
}

/**
 * Starts Argo CD's two programs that compare an Application with Git and put it back, with a Redis of their
 * own.
 */
export async function startArgoCd(cluster: Cluster): Promise<ArgoCd> {
  const tool = await ensureTool('argo-cd');
  await createDefinitions(cluster, join(tool.definitions, 'application-crd.yaml'));
  await createDefinitions(cluster, join(tool.definitions, 'appproject-crd.yaml'));
  for (const object of settings) await cluster.objects.create(object as KubernetesObject);
  const redis = await startPrivateRedis();
  const folder = await mkdtemp(join(tmpdir(), 'rollout-doctor-argo-cd-'));
  const guard = startGuard(folder);
  const [repositories = 0, repositoryMetrics = 0, metrics = 0] = await freePorts(3);
  const env = {
    // In place of the account of a pod: the controller takes KUBECONFIG for its own cluster.
    ARGOCD_FAKE_IN_CLUSTER: 'true',
    ARGOCD_GPG_ENABLED: 'false',
    KUBECONFIG: cluster.controlPlane.adminKubeconfig,
    HOME: folder,
    TMPDIR: folder,
  };
  const start = (name: string, args: readonly string[]): Promise<Component> =>
    startComponent(
      {
        name,
        file: tool.file,
        logFile: join(folder, `${name}.log`),
        args: [name, ...args, '--redis', new URL(redis.url).host, '--loglevel', 'warn'],
        env,
      },
      guard,
    );
  const running: Component[] = [];
  const stop = async (): Promise<void> => {
    for (const component of running) await component.stop();
    await redis.stop();
    guard.release();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    const server = await start('repo-server', [
      ...['--address', '127.0.0.1', '--port', String(repositories), '--disable-tls'],
      ...['--metrics-address', '127.0.0.1', '--metrics-port', String(repositoryMetrics)],
    ]);
    running.push(server);
    await untilReady(server, () =>
      answersOk({ url: `http://127.0.0.1:${repositoryMetrics}/healthz?full=true` }),
    );
    const controller = await start('application-controller', [
      ...['--namespace', namespace, '--repo-server', `127.0.0.1:${repositories}`, '--repo-server-plaintext'],
      ...['--metrics-port', String(metrics)],
    ]);
    running.unshift(controller);
    await untilReady(controller, () => answersOk({ url: `http://127.0.0.1:${metrics}/healthz` }));
  } catch (error) {
    await stop();
    throw error;
  }
  return { logs: () => running.map((component) => component.lastLines()).join('\n'), stop };
}

const partOf = { 'app.kubernetes.io/part-of': 'argocd' };

/** What an installation has before its first Application. */
const settings = [
  { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } },
  { apiVersion: 'v1', kind: 'ConfigMap', metadata: { namespace, name: 'argocd-cm', labels: partOf } },
  {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { namespace, name: 'argocd-secret', labels: partOf },
    stringData: { 'server.secretkey': 'of-a-test' },
  },
  {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'AppProject',
    metadata: { namespace, name: 'default' },
    spec: { sourceRepos: ['*'], destinations: [{ server: '*', namespace: '*' }] },
  },
];

const applicationOf = ({ workload }: Stage) => ({
  apiVersion: 'argoproj.io/v1alpha1',
  kind: 'Application',
  metadata: { namespace, name: workload.namespace },
});

/** Commits what the stage declares by now, and returns the revision. */
async function commit(stage: Stage): Promise<string> {
  const repository = join(stage.folder, 'repository');
  const git = (...args: string[]): Promise<string> => mustRun('git', ['-C', repository, ...args], identity);
  await mkdir(repository, { recursive: true });
  await git('init', '--quiet', '--initial-branch', 'main');
  await writeFile(join(repository, 'deployment.yaml'), stringify(stage.manifest()));
  await git('add', '.');
  await git('commit', '--quiet', '--allow-empty', '--message', 'Declare the workload');
  return (await git('rev-parse', 'HEAD')).trim();
}

const identity = {
  GIT_AUTHOR_NAME: 'test',
  GIT_AUTHOR_EMAIL: 'test@example.com',
  GIT_COMMITTER_NAME: 'test',
  GIT_COMMITTER_EMAIL: 'test@example.com',
};

interface Status {
  readonly sync?: { readonly status: string; readonly revision: string };
  readonly operationState?: {
    readonly phase: string;
    readonly message?: string;
    readonly operation: {
      readonly initiatedBy?: { readonly username?: string };
      readonly sync?: { readonly autoHealAttemptsCount?: number };
    };
  };
}

const statusOf = ({ status }: CustomObject): Status => (status ?? {}) as Status;

const patch = (stage: Stage, body: object): Promise<string> =>
  stage.mustRun('kubectl', [
    ...['patch', '-n', namespace, `applications.argoproj.io/${applicationOf(stage).metadata.name}`],
    ...['--type=merge', '-p', JSON.stringify(body)],
  ]);

let syncs = 0;

/** A sync as a person starts it. */
async function sync(stage: Stage, syncOptions: readonly string[]): Promise<string> {
  syncs += 1;
  const username = `person-${syncs}`;
  const revision = await commit(stage);
  await patch(stage, { operation: { initiatedBy: { username }, sync: { revision, syncOptions } } });
  const done = await untilCustom(stage.cluster, applicationOf(stage), (object) => {
    const { operationState } = statusOf(object);
    const isOurs = operationState?.operation.initiatedBy?.username === username;
    return isOurs && !['Running', 'Terminating'].includes(operationState.phase);
  });
  const { phase, message } = statusOf(done).operationState ?? {};
  if (phase !== 'Succeeded') throw new Error(`${phase}: ${message}`);
  return `${phase}: ${message}`;
}

/** The watch of the workload tells the controller of a change within this time. */
const noticedMs = 2_000;

/**
 * Waits until the controller has compared the newest revision and the workload as it is now, and put back
 * what differs.
 */
async function untilHealed(stage: Stage): Promise<string> {
  const revision = await commit(stage);
  await delay(noticedMs);
  await patch(stage, { metadata: { annotations: { [refresh]: 'normal' } } });
  const healed = await untilCustom(stage.cluster, applicationOf(stage), (object) => {
    const { sync: compared, operationState } = statusOf(object);
    const isBusy = 'operation' in object || operationState?.phase === 'Running';
    const isCompared = object.metadata?.annotations?.[refresh] === undefined;
    const isDone = compared?.status === 'Synced' || healsInVain(operationState);
    return isCompared && !isBusy && isDone && compared?.revision === revision;
  });
  return JSON.stringify(statusOf(healed).operationState?.message);
}

/** It heals again and again: what it sends does not make the object what it wants. */
const healsInVain = (state: Status['operationState']): boolean =>
  (state?.operation.sync?.autoHealAttemptsCount ?? 0) >= 2 ||
  ['Failed', 'Error'].includes(state?.phase ?? '');

const refresh = 'argocd.argoproj.io/refresh';

/** `heals`: the Application syncs and heals by itself; otherwise a person syncs. */
export const argoCd = ({
  name,
  heals,
  syncOptions = [],
  ignoreDifferences = [],
}: {
  readonly name: string;
  readonly heals: boolean;
  readonly syncOptions?: readonly string[];
  readonly ignoreDifferences?: readonly object[];
}): WorkloadOwner => {
  const act = (stage: Stage): Promise<string> => (heals ? untilHealed(stage) : sync(stage, syncOptions));
  return {
    name,
    async install(stage) {
      await commit(stage);
      await stage.cluster.objects.create({
        ...applicationOf(stage),
        spec: {
          project: 'default',
          source: {
            repoURL: `file://${join(stage.folder, 'repository')}`,
            path: '.',
            targetRevision: 'main',
          },
          destination: { server: 'https://kubernetes.default.svc', namespace: stage.workload.namespace },
          syncPolicy: { syncOptions, ...(heals ? { automated: { selfHeal: true } } : {}) },
          ignoreDifferences,
        },
      } as KubernetesObject);
      await act(stage);
      await stage.cluster.until<V1Deployment, true>({
        what: `Argo CD to apply ${stage.workload.namespace}/${stage.workload.name}`,
        selection: { kind: 'Deployment', namespace: stage.workload.namespace },
        check: (all) => all.length > 0,
      });
    },
    async act(stage) {
      return { conflicts: [], report: await act(stage) };
    },
    async release(stage) {
      await stage.cluster.objects.delete(applicationOf(stage));
    },
    async objects(stage) {
      const object = Application.parse(await readCustom(stage.cluster, applicationOf(stage)));
      return { application: { type: 'found', object } };
    },
    reverts: [heals ? 'reverted-at-once' : 'reverted-at-next'],
  };
};
