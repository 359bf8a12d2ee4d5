import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import type { Binaries } from './binaries.js';
import type { ComponentCommand } from './component.js';
import type { Credentials } from './credentials.js';

/** Everything the command lines of one control plane have in common. */
export interface Layout {
  readonly folder: string;
  readonly binaries: Binaries;
  readonly credentials: Credentials;
  readonly featureGates: Readonly<Record<string, boolean>>;
  /** Requests of users in these groups are recorded by the API server. */
  readonly auditedGroups: readonly string[];
  /**
   * Without simulated kubelets, node leases are not renewed, so the controllers that act on them must be off.
   */
  readonly hasKubelets: boolean;
  /** Controllers that do not run besides. */
  readonly withoutControllers: readonly string[];
  readonly ports: {
    readonly etcd: number;
    readonly etcdPeers: number;
    readonly apiserver: number;
    readonly controllerManager: number;
    readonly scheduler: number;
    readonly kwok: number;
  };
}

export const certificateOf = (layout: Layout): string => join(layout.folder, 'certificates', 'apiserver.crt');
const keyOf = (layout: Layout): string => join(layout.folder, 'certificates', 'apiserver.key');
export const serverOf = (layout: Layout): string => `https://127.0.0.1:${layout.ports.apiserver}`;

const logFile = (layout: Layout, name: string): string => join(layout.folder, `${name}.log`);

function gates(layout: Layout): string[] {
  const list = Object.entries(layout.featureGates).map(([name, on]) => `${name}=${on}`);
  return list.length === 0 ? [] : [`--feature-gates=${list.join(',')}`];
}

/**
 * The secure port of controller-manager and scheduler shows the API server's certificate, so probes can check
 * it.
 */
function securePort(layout: Layout, port: number): string[] {
  return [
    '--bind-address=127.0.0.1',
    `--secure-port=${port}`,
    `--tls-cert-file=${certificateOf(layout)}`,
    `--tls-private-key-file=${keyOf(layout)}`,
  ];
}

export function etcdCommand(layout: Layout): ComponentCommand {
  const client = `http://127.0.0.1:${layout.ports.etcd}`;
  const peer = `http://127.0.0.1:${layout.ports.etcdPeers}`;
  return {
    name: 'etcd',
    file: layout.binaries.etcd,
    logFile: logFile(layout, 'etcd'),
    args: [
      `--data-dir=${join(layout.folder, 'etcd')}`,
      `--listen-client-urls=${client}`,
      `--advertise-client-urls=${client}`,
      `--listen-peer-urls=${peer}`,
      `--initial-advertise-peer-urls=${peer}`,
      `--initial-cluster=default=${peer}`,
      // The data are thrown away; waiting for the disk would only slow the tests.
      '--unsafe-no-fsync',
      '--log-level=warn',
    ],
  };
}

export const auditLogOf = (layout: Layout): string => join(layout.folder, 'audit.log');

function audit(layout: Layout): string[] {
  if (layout.auditedGroups.length === 0) return [];
  const policy = join(layout.folder, 'audit-policy.yaml');
  writeFileSync(
    policy,
    stringify({
      apiVersion: 'audit.k8s.io/v1',
      kind: 'Policy',
      omitStages: ['RequestReceived'],
      rules: [{ level: 'Metadata', userGroups: layout.auditedGroups }, { level: 'None' }],
    }),
  );
  return [`--audit-policy-file=${policy}`, `--audit-log-path=${auditLogOf(layout)}`];
}

export function apiserverCommand(layout: Layout): ComponentCommand {
  const { credentials, ports } = layout;
  return {
    name: 'kube-apiserver',
    file: layout.binaries.kubeApiserver,
    logFile: logFile(layout, 'kube-apiserver'),
    args: [
      `--etcd-servers=http://127.0.0.1:${ports.etcd}`,
      '--bind-address=127.0.0.1',
      `--secure-port=${ports.apiserver}`,
      `--cert-dir=${join(layout.folder, 'certificates')}`,
      `--token-auth-file=${credentials.tokenFile}`,
      '--authorization-mode=RBAC',
      // As kubeadm and the hosted clusters set it.
      '--allow-privileged=true',
      '--service-account-issuer=https://kubernetes.default.svc',
      `--service-account-key-file=${credentials.signingKeyFile}`,
      `--service-account-signing-key-file=${credentials.signingKeyFile}`,
      '--service-cluster-ip-range=10.0.0.0/24',
      // Nothing here routes the addresses of Services: webhooks are called at their endpoints.
      '--enable-aggregator-routing=true',
      // The kubernetes Service may not point at a loopback address.
      '--endpoint-reconciler-type=none',
      // Node names are no host names here, and must not be resolved by DNS.
      '--kubelet-preferred-address-types=InternalIP',
      '--profiling=false',
      // A busy machine does not store the definitions of KServe within the default of a minute.
      '--request-timeout=5m',
      ...audit(layout),
      // What a gate adds may be of a beta API, none of which is served by default.
      ...(Object.values(layout.featureGates).includes(true) ? ['--runtime-config=api/beta=true'] : []),
      ...(layout.hasKubelets ? [] : ['--disable-admission-plugins=TaintNodesByCondition']),
      ...gates(layout),
    ],
  };
}

function stopped({ hasKubelets, withoutControllers }: Layout): readonly string[] {
  const ofNodes = hasKubelets ? [] : ['node-lifecycle-controller', 'taint-eviction-controller'];
  return [...ofNodes, ...withoutControllers];
}

export function controllerManagerCommand(layout: Layout, kubeconfig: string): ComponentCommand {
  return {
    name: 'kube-controller-manager',
    file: layout.binaries.kubeControllerManager,
    logFile: logFile(layout, 'kube-controller-manager'),
    args: [
      `--kubeconfig=${kubeconfig}`,
      '--leader-elect=false',
      ...securePort(layout, layout.ports.controllerManager),
      `--root-ca-file=${certificateOf(layout)}`,
      `--service-account-private-key-file=${layout.credentials.signingKeyFile}`,
      '--attach-detach-reconcile-sync-period=5s',
      '--horizontal-pod-autoscaler-sync-period=1s',
      // Its default of 20 requests a second would set the tests' pace.
      '--kube-api-qps=1000',
      '--kube-api-burst=2000',
      // Its default is a folder of the system, which it would create.
      `--flex-volume-plugin-dir=${join(layout.folder, 'flexvolume')}`,
      `--controllers=${['*', ...stopped(layout).map((name) => `-${name}`)].join(',')}`,
      ...gates(layout),
    ],
  };
}

/**
 * The back-off is shortened from 1 to 10 seconds to 1 to 2, and the client's own limit of 50 requests a
 * second is lifted, so that neither sets the tests' pace.
 */
export function schedulerCommand(layout: Layout, kubeconfig: string): ComponentCommand {
  const config = join(layout.folder, 'scheduler.yaml');
  writeFileSync(
    config,
    stringify({
      apiVersion: 'kubescheduler.config.k8s.io/v1',
      kind: 'KubeSchedulerConfiguration',
      clientConnection: { kubeconfig, qps: 1_000, burst: 2_000 },
      leaderElection: { leaderElect: false },
      podInitialBackoffSeconds: 1,
      podMaxBackoffSeconds: 2,
    }),
  );
  return {
    name: 'kube-scheduler',
    file: layout.binaries.kubeScheduler,
    logFile: logFile(layout, 'kube-scheduler'),
    args: [`--config=${config}`, ...securePort(layout, layout.ports.scheduler), ...gates(layout)],
  };
}

export function kwokCommand(layout: Layout, kubeconfig: string, stages: string): ComponentCommand {
  return {
    name: 'kwok',
    file: layout.binaries.kwok,
    logFile: logFile(layout, 'kwok'),
    args: [
      `--kubeconfig=${kubeconfig}`,
      `--config=${stages}`,
      '--manage-all-nodes',
      '--node-lease-duration-seconds=40',
      `--server-address=127.0.0.1:${layout.ports.kwok}`,
    ],
  };
}
