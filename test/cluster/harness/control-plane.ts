import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CoordinationV1Api, KubeConfig } from '@kubernetes/client-node';
import { freePorts } from '../../../demo/free-ports.js';
import { type AuditEntry, readAudit } from './audit.js';
import { type Binaries, type EtcdChoice, ensureBinaries, ensureEtcd } from './binaries.js';
import {
  apiserverCommand,
  auditLogOf,
  certificateOf,
  controllerManagerCommand,
  etcdCommand,
  kwokCommand,
  type Layout,
  schedulerCommand,
  serverOf,
} from './command-lines.js';
import {
  type Component,
  type ComponentCommand,
  StartFailure,
  startComponent,
  untilReady,
} from './component.js';
import type { CrashLoop } from './crash-stages.js';
import { writeCredentials, writeKubeconfig } from './credentials.js';
import { type Guard, startGuard } from './guard.js';
import { kubeletStages } from './kubelet-stages.js';
import { type PodLogs, podLogsConfiguration, writePodLogs } from './pod-logs.js';
import { answersOk } from './readiness.js';

export interface ControlPlaneOptions {
  /**
   * `1.36.3`, or `1.35` for its newest release. Without it `KUBERNETES_VERSION`, then the committed recipe's.
   */
  readonly version?: string;
  /**
   * `none`: no kubelet runs pods or renews leases; the test writes every status. `real`: the test starts
   * kubelets.
   */
  readonly kubelets?: 'kwok' | 'real' | 'none';
  /** `none`: etcd and kube-apiserver alone; no controller acts on objects. Implies no kubelets. */
  readonly controllers?: 'none';
  /** Controllers that do not run, by the controller manager's names; the test acts in their place. */
  readonly withoutControllers?: readonly string[];
  readonly crashLoops?: readonly CrashLoop[];
  /** Default: the current one. */
  readonly etcd?: EtcdChoice;
  readonly featureGates?: Readonly<Record<string, boolean>>;
  /** Groups of users whose requests `audit` returns. */
  readonly auditedGroups?: readonly string[];
}

export interface ControlPlane {
  /** Kubernetes version, such as `1.36.3`. */
  readonly version: string;
  readonly url: string;
  /** Certificate that the API server shows: the trust root for its clients. */
  readonly certificateAuthority: string;
  /** Path of a kubeconfig of group `system:masters`. */
  readonly adminKubeconfig: string;
  /**
   * Writes a kubeconfig for this bearer token and returns its path; the file is removed with the control
   * plane.
   */
  kubeconfigForToken(token: string, name: string): string;
  /** The current crash loops of the simulated kubelets. */
  crashLoops(): readonly CrashLoop[];
  /** Restarts the simulated kubelets with other crash loops. */
  setCrashLoops(crashLoops: readonly CrashLoop[]): Promise<void>;
  /** Ends one component for good, as an outage does. */
  stopComponent(name: 'kube-scheduler' | 'kube-controller-manager' | 'kwok'): Promise<void>;
  /** Requests of the audited users so far, from the audit log of the API server. */
  audit(): readonly AuditEntry[];
  /** Port on which the simulated kubelets answer for logs, whatever the node. */
  readonly kubeletPort: number;
  /** Sets every container's log from now on; `previous` is the log of the previous run. */
  writePodLogs(logs: PodLogs): void;
  /** Process ids of the components. */
  pids(): readonly number[];
  /** Last log lines of every component, for the message of a failing test. */
  logs(lines?: number): string;
  /** Ends all components and removes the data. Safe to call twice. */
  stop(): Promise<void>;
}

interface Running {
  readonly layout: Layout;
  readonly guard: Guard;
  /** In start order; replaced when a component is restarted. */
  readonly components: Map<string, Component>;
  readonly adminKubeconfig: string;
}

async function start(
  running: Running,
  command: ComponentCommand,
  isReady: () => Promise<boolean>,
): Promise<void> {
  const component = await startComponent(command, running.guard);
  running.components.set(command.name, component);
  await untilReady(component, isReady);
}

async function startKubelets(running: Running, crashLoops: readonly CrashLoop[]): Promise<void> {
  const { layout } = running;
  const file = join(layout.folder, 'stages.yaml');
  writeFileSync(file, [kubeletStages(crashLoops), podLogsConfiguration(layout.folder)].join('---\n'));
  await start(running, kwokCommand(layout, running.adminKubeconfig, file), () =>
    answersOk({ url: `http://127.0.0.1:${layout.ports.kwok}/healthz` }),
  );
}

/**
 * Restarted kubelets have another identity, and would wait 40 s until the leases of the previous ones expire.
 */
async function dropNodeLeases(kubeconfig: string): Promise<void> {
  const config = new KubeConfig();
  config.loadFromFile(kubeconfig);
  await config
    .makeApiClient(CoordinationV1Api)
    .deleteCollectionNamespacedLease({ namespace: 'kube-node-lease' });
}

async function startAll(running: Running, options: ControlPlaneOptions): Promise<void> {
  const { layout, adminKubeconfig } = running;
  const { ports, credentials } = layout;
  await start(running, etcdCommand(layout), () =>
    answersOk({ url: `http://127.0.0.1:${ports.etcd}/health` }),
  );
  const https = (port: number, path: string) => (): Promise<boolean> =>
    answersOk({
      url: `https://127.0.0.1:${port}${path}`,
      certificateAuthority: certificateOf(layout),
      token: credentials.adminToken,
    });
  await start(running, apiserverCommand(layout), https(ports.apiserver, '/readyz'));
  if (options.controllers === 'none') return;
  await Promise.all([
    start(
      running,
      controllerManagerCommand(layout, adminKubeconfig),
      https(ports.controllerManager, '/healthz'),
    ),
    start(running, schedulerCommand(layout, adminKubeconfig), https(ports.scheduler, '/healthz')),
    layout.hasKubelets && options.kubelets !== 'real'
      ? startKubelets(running, options.crashLoops ?? [])
      : undefined,
  ]);
}

async function prepare(binaries: Binaries, options: ControlPlaneOptions): Promise<Running> {
  const folder = mkdtempSync(join(tmpdir(), 'rollout-doctor-cluster-'));
  const [etcd = 0, etcdPeers = 0, apiserver = 0, controllerManager = 0, scheduler = 0, kwok = 0] =
    await freePorts(6);
  writePodLogs(folder, { current: '', previous: '' });
  const layout: Layout = {
    folder,
    binaries,
    credentials: writeCredentials(folder),
    featureGates: options.featureGates ?? {},
    auditedGroups: options.auditedGroups ?? [],
    hasKubelets: options.kubelets !== 'none' && options.controllers !== 'none',
    withoutControllers: options.withoutControllers ?? [],
    ports: { etcd, etcdPeers, apiserver, controllerManager, scheduler, kwok },
  };
  const adminKubeconfig = writeKubeconfig({
    file: join(folder, 'admin.kubeconfig'),
    server: serverOf(layout),
    certificateAuthority: certificateOf(layout),
    token: layout.credentials.adminToken,
    cluster: 'test',
    user: 'admin',
  });
  return { layout, guard: startGuard(folder), components: new Map(), adminKubeconfig };
}

/** Clients first, so that none logs about a server that stopped before it. */
async function stopAll(running: Running): Promise<void> {
  const stop = async (...names: string[]): Promise<void> => {
    await Promise.all(names.map((name) => running.components.get(name)?.stop()));
  };
  await stop('kwok', 'kube-scheduler', 'kube-controller-manager');
  // A graceful end would wait for every open watch.
  running.components.get('kube-apiserver')?.kill();
  await stop('kube-apiserver', 'etcd');
  running.guard.release();
  rmSync(running.layout.folder, { recursive: true, force: true });
}

const attempts = 3;

async function startOnFreePorts(binaries: Binaries, options: ControlPlaneOptions): Promise<Running> {
  for (let attempt = 1; ; attempt += 1) {
    const running = await prepare(binaries, options);
    try {
      await startAll(running, options);
      return running;
    } catch (error) {
      await stopAll(running);
      const mayRetry = error instanceof StartFailure && error.portTaken && attempt < attempts;
      if (!mayRetry) throw error;
    }
  }
}

/**
 * Starts etcd, kube-apiserver (RBAC on), kube-controller-manager, kube-scheduler and, by default, kwok, on
 * free loopback ports with data of its own. Ready when it resolves, in about five seconds; the commands are
 * built first where they are missing. A failing start rejects with the component's last log lines.
 */
export async function startControlPlane(options: ControlPlaneOptions = {}): Promise<ControlPlane> {
  const current = await ensureBinaries(options.version ?? process.env.KUBERNETES_VERSION);
  const binaries =
    options.etcd === undefined ? current : { ...current, etcd: await ensureEtcd(options.etcd) };
  const running = await startOnFreePorts(binaries, options);
  const { layout, components } = running;
  const killAll = (): void => {
    for (const component of components.values()) component.kill();
  };
  process.once('exit', killAll);
  let stopped: Promise<void> | undefined;
  let crashing = options.crashLoops ?? [];
  return {
    version: binaries.kubernetesVersion,
    url: serverOf(layout),
    certificateAuthority: certificateOf(layout),
    adminKubeconfig: running.adminKubeconfig,
    kubeconfigForToken: (token, name) =>
      writeKubeconfig({
        file: join(layout.folder, `${name}.kubeconfig`),
        server: serverOf(layout),
        certificateAuthority: certificateOf(layout),
        token,
        cluster: 'test',
        user: name,
      }),
    crashLoops: () => crashing,
    setCrashLoops: async (crashLoops) => {
      if (!layout.hasKubelets) throw new Error('this control plane was started without kubelets');
      await components.get('kwok')?.stop();
      await dropNodeLeases(running.adminKubeconfig);
      await startKubelets(running, crashLoops);
      crashing = crashLoops;
    },
    stopComponent: async (name) => {
      await components.get(name)?.stop();
    },
    audit: () => readAudit(auditLogOf(layout)),
    kubeletPort: layout.ports.kwok,
    writePodLogs: (logs) => writePodLogs(layout.folder, logs),
    pids: () => [...components.values()].map((one) => one.pid),
    logs: (lines) =>
      [...components.values()].map((one) => `--- ${one.name}\n${one.lastLines(lines)}`).join('\n'),
    stop: () => {
      process.off('exit', killAll);
      stopped ??= stopAll(running);
      return stopped;
    },
  };
}
