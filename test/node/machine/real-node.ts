import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { vi } from 'vitest';
import { type Component, startComponent } from '../../cluster/harness/component.js';
import { startGuard } from '../../cluster/harness/guard.js';
import { makeControlGroup, removeControlGroup } from './control-groups.js';

const execute = promisify(execFile);

export interface NodeShape {
  readonly name: string;
  /** Of this test run, from 0: ports, bridge and addresses of pods follow from it. */
  readonly index: number;
  /** A folder that only this node uses. */
  readonly folder: string;
  readonly kubelet: string;
  readonly kubeconfig: string;
  readonly images: readonly Buffer[];
}

/**
 * A kubelet and a containerd in a mount and a process namespace of their own, on the network of this machine.
 */
export interface RealNode {
  readonly name: string;
  /** Starts everything; the node is ready some seconds later. */
  start(): Promise<void>;
  /** @param settings fields of its configuration that differ from those of other nodes, until its next start */
  startKubelet(settings?: object): Promise<void>;
  /** Offers devices of the resource. They are healthy until `setUnhealthy` names them. */
  startDevices(plugin: string, resource: string, devices: number): Promise<void>;
  setUnhealthy(...ids: readonly string[]): void;
  /** The plug-in fails to allocate with this error; `undefined`: it allocates again. */
  refuseDevices(error: string | undefined): void;
  /** The plug-in ends without a farewell. */
  stopDevices(): Promise<void>;
  /** The kubelet ends as in an outage: its containers go on. */
  stopKubelet(): Promise<void>;
  /** Ends every process at once, as a power cut does. `start` boots the node again. */
  powerOff(): Promise<void>;
  /** Ends every process of the node and removes all that it left. */
  end(): Promise<void>;
}

/**
 * The folders that the programs expect at fixed places lie in the folder of the node; everything else is the
 * machine's.
 */
const init = `
set -e
mount --make-rprivate /
mount --make-rshared /
mount --bind "$1/lib" /var/lib
mount --bind "$1/log" /var/log
mount -t tmpfs tmpfs /run
touch /run/ready
while :; do sleep 3600 & wait $!; done`;

const socket = '/run/containerd/containerd.sock';
/** The image of each sandbox. */
export const sandboxImage = 'node.test/sandbox:1';

/** A node that runs nothing yet. */
export function openNode(shape: NodeShape): RealNode {
  const { name, folder } = shape;
  const group = groupOf(shape);
  const guard = startGuard(folder);
  const running = new Map<string, Component>();
  const run = async (program: string, file: string, args: readonly string[]): Promise<Component> => {
    const logFile = join(folder, `${program}.log`);
    const component = await startComponent({ name: `${program} of ${name}`, file, args, logFile }, guard);
    running.set(program, component);
    return component;
  };
  /** The first process of the namespaces; 0 before there is one. */
  let first = 0;
  const inside = (...command: readonly string[]): readonly string[] => [
    ...['-t', String(first), '-m', '-p', '--', ...command],
  ];
  const ctr = (...args: readonly string[]) =>
    execute(nsenter, inside('/usr/bin/ctr', '--address', socket, '-n', 'k8s.io', ...args));
  const startKubelet = async (settings: object = {}): Promise<void> => {
    writeKubeletConfiguration(shape, settings);
    await run('kubelet', nsenter, inside(shape.kubelet, ...kubeletArgs(shape)));
  };
  const stop = async (program: string, signal: NodeJS.Signals): Promise<void> => {
    const component = running.get(program);
    if (component === undefined) return;
    // nsenter waits for the program in the process namespace, which is its child.
    process.kill(await firstChild(component.pid), signal);
    await untilTrue(`${program} to end`, () => component.ended() !== undefined);
  };
  const powerOff = async (): Promise<void> => {
    // The first process of a process namespace takes all others along.
    running.get('namespaces')?.kill();
    if (first > 0) await untilTrue('all processes to end', () => !existsSync(`/proc/${first}`));
  };
  return {
    name,
    startKubelet,
    start: async () => {
      for (const part of parts) mkdirSync(join(folder, part), { recursive: true });
      writeConfigurations(shape);
      makeControlGroup(group);
      const space = await run('namespaces', '/usr/bin/unshare', [
        ...['-m', '-p', '-f', '--mount-proc', '--kill-child', 'bash', '-c', init, 'init', folder],
      ]);
      first = await firstChild(space.pid);
      await untilTrue('the namespaces to be ready', () => existsSync(`/proc/${first}/root/run/ready`));
      const places = ['--root', '/var/lib/containerd', '--state', '/run/containerd', '--address', socket];
      const config = join(folder, 'containerd.toml');
      await run('containerd', nsenter, inside('/usr/bin/containerd', '--config', config, ...places));
      await vi.waitFor(() => ctr('version'), patience);
      for (const [at, image] of shape.images.entries()) {
        const file = join(folder, `image-${at}.tar`);
        writeFileSync(file, image);
        await ctr('images', 'import', file);
      }
      await startKubelet();
    },
    stopKubelet: () => stop('kubelet', 'SIGTERM'),
    powerOff,
    startDevices: async (plugin, resource, devices) => {
      const files = [
        '-unhealthy-file',
        join(folder, unhealthyFile),
        '-refusal-file',
        join(folder, refusalFile),
      ];
      const args = ['-resource', resource, '-devices', String(devices), ...files];
      await run('device-plugin', nsenter, inside(plugin, ...args));
    },
    setUnhealthy: (...ids) => writeFileSync(join(folder, unhealthyFile), ids.join('\n')),
    refuseDevices: (error) => {
      if (error === undefined) rmSync(join(folder, refusalFile), { force: true });
      else writeFileSync(join(folder, refusalFile), error);
    },
    stopDevices: () => stop('device-plugin', 'SIGKILL'),
    end: async () => {
      await powerOff();
      await vi.waitFor(() => removeControlGroup(group), patience);
      await execute('/usr/sbin/ip', ['link', 'del', bridgeOf(shape)]).catch(() => undefined);
      guard.release();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const unhealthyFile = 'unhealthy-devices';
const refusalFile = 'refused-devices';
const nsenter = '/usr/bin/nsenter';
const parts = ['lib/kubelet', 'lib/containerd', 'lib/cni', 'log/pods', 'log/containers', 'cni'];

/** A busy machine takes its time. */
const patience = { timeout: 60_000, interval: 100 };

async function untilTrue(what: string, isSo: () => boolean): Promise<void> {
  await vi.waitFor(() => {
    if (!isSo()) throw new Error(`waited for ${what}`);
  }, patience);
}

async function firstChild(pid: number): Promise<number> {
  const read = (): number => Number(readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ')[0]);
  await untilTrue(`a child of process ${pid}`, () => read() > 0);
  return read();
}

const groupOf = ({ name }: NodeShape): string => `rollout-doctor-${process.pid}-${name}`;
const bridgeOf = ({ index }: NodeShape): string => `rd${process.pid % 100_000}n${index}`;

function kubeletArgs({ name, folder, kubeconfig }: NodeShape): readonly string[] {
  return [
    `--config=${join(folder, 'kubelet.json')}`,
    `--kubeconfig=${kubeconfig}`,
    `--hostname-override=${name}`,
  ];
}

function writeConfigurations(shape: NodeShape): void {
  const { folder, index } = shape;
  const write = (file: string, text: string): void => writeFileSync(join(folder, file), text);
  const subnet = `10.${200 + index}.0.0/24`;
  write(
    'cni/10-bridge.conflist',
    JSON.stringify({
      cniVersion: '0.4.0',
      name: 'node',
      plugins: [
        {
          type: 'bridge',
          bridge: bridgeOf(shape),
          isGateway: true,
          ipam: { type: 'host-local', dataDir: '/var/lib/cni', ranges: [[{ subnet }]] },
        },
      ],
    }),
  );
  write('containerd.toml', containerdConfiguration(folder));
}

function writeKubeletConfiguration(shape: NodeShape, settings: object): void {
  const { folder, index } = shape;
  writeFileSync(
    join(folder, 'kubelet.json'),
    JSON.stringify({
      apiVersion: 'kubelet.config.k8s.io/v1beta1',
      kind: 'KubeletConfiguration',
      authentication: { anonymous: { enabled: true }, webhook: { enabled: false } },
      authorization: { mode: 'AlwaysAllow' },
      containerRuntimeEndpoint: `unix://${socket}`,
      // Since 1.35 the kubelet refuses machines with cgroup v1 by default.
      failCgroupV1: false,
      failSwapOn: false,
      cgroupDriver: 'cgroupfs',
      cgroupRoot: `/${groupOf(shape)}`,
      port: 20_250 + index,
      healthzPort: 20_350 + index,
      readOnlyPort: 0,
      // Without it the kubelet warns of every pod, and its warnings are limited.
      clusterDNS: ['10.0.0.10'],
      clusterDomain: 'cluster.local',
      // A small node: the machine has more.
      systemReserved: { cpu: '500m' },
      evictionHard: { 'memory.available': '50Mi', 'nodefs.available': '1%', 'imagefs.available': '1%' },
      imageGCHighThresholdPercent: 100,
      imageGCLowThresholdPercent: 99,
      ...settings,
    }),
  );
}

/** Debian's 1.6. Nobody may lower the OOM score where this process lacks CAP_SYS_RESOURCE. */
function containerdConfiguration(folder: string): string {
  const cri = 'plugins."io.containerd.grpc.v1.cri"';
  const runc = `${cri}.containerd.runtimes.runc`;
  return `version = 2
[${cri}]
  sandbox_image = "${sandboxImage}"
  restrict_oom_score_adj = true
  [${cri}.cni]
    bin_dir = "/usr/lib/cni"
    conf_dir = "${join(folder, 'cni')}"
  [${runc}]
    runtime_type = "io.containerd.runc.v2"
    [${runc}.options]
      SystemdCgroup = false
`;
}
