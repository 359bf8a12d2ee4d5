import { readFile, writeFile } from 'node:fs/promises';
import { KubeConfig } from '@kubernetes/client-node';
import { createApiCall } from '../../src/adapters/kubernetes/cluster-connection.js';
import { type ControlPlane, startControlPlane } from '../../test/cluster/harness/control-plane.js';
import { deadlocked, gpuDeadlock } from '../generated-cluster/deadlock.js';
import { builtCommand, measured } from '../measure/measured-process.js';
import { quantile } from '../measure/quantile.js';
import { count, type Figure, megabytes, type Table } from '../report/table.js';
import { type CountingProxy, startCountingProxy } from './counting-proxy.js';
import { fill } from './fill.js';
import { LooksTaken } from './looks-taken.js';

const shape = { seed: 1, nodes: 5_000, pods: 50_000, deadlocks: [gpuDeadlock()], zones: 3 };
const looks = 9;
/** The last items of a list would do; so many say which nodes' pods were read. */
const fullListOfPods = /^\/api\/v1\/pods(\?(?!.*fieldSelector)|$)/;

export interface KubeApiserverOptions {
  readonly nodes?: number;
  readonly pods?: number;
}

/** The deadlock in a real kube-apiserver: what looking at it costs the one who looks. */
export async function measureKubeApiserver(
  options: KubeApiserverOptions,
  say: (line: string) => void,
): Promise<Table> {
  const size = { ...shape, ...options };
  const controlPlane = await startControlPlane({ controllers: 'none' });
  let proxy: CountingProxy | undefined;
  try {
    const config = new KubeConfig();
    config.loadFromFile(controlPlane.adminKubeconfig);
    await fill(createApiCall(config), size, (written) => say(`${written} objects written`));
    proxy = await startCountingProxy(Number(new URL(controlPlane.url).port));
    const kubeconfig = await kubeconfigThrough(controlPlane, proxy.port);
    return await tableOf(kubeconfig, proxy, size);
  } finally {
    await proxy?.close();
    await controlPlane.stop();
  }
}

async function kubeconfigThrough({ adminKubeconfig, url }: ControlPlane, port: number): Promise<string> {
  const path = `${adminKubeconfig}.counted`;
  const text = await readFile(adminKubeconfig, 'utf8');
  await writeFile(path, text.replaceAll(url, `https://127.0.0.1:${port}`), { mode: 0o600 });
  return path;
}

async function tableOf(
  kubeconfig: string,
  proxy: CountingProxy,
  { nodes, pods }: typeof shape,
): Promise<Table> {
  const warm = await measured({
    program: ['--import', 'tsx', 'bench/kube-apiserver/run.ts'],
    arguments: [kubeconfig, String(looks)],
  });
  const { looks: taken, paths } = LooksTaken.parse(JSON.parse(warm.output));
  const bytes = proxy.takeBytes() / looks;
  const whole = paths.filter((path) => fullListOfPods.test(path));
  if (whole.length > 0) throw new Error(`all pods were listed: ${whole[0]}`);
  const { namespace, name } = deadlocked;
  const command = await measured({
    program: [await builtCommand()],
    arguments: ['diagnose', `${namespace}/${name}`, '--kubeconfig', kubeconfig, '--output', 'json'],
    allowed: [1],
  });
  const commandBytes = proxy.takeBytes();
  const seconds = (value: number, below?: number): Figure => ({
    value,
    unit: 's',
    ...(below === undefined ? {} : { below }),
  });
  const [first] = taken;
  const total = taken.map(({ reading, diagnosing }) => (reading + diagnosing) / 1000);
  const of = (part: 'reading' | 'diagnosing'): number =>
    quantile(
      taken.map((look) => look[part]),
      0.5,
    ) / 1000;
  return {
    id: 'kube-apiserver',
    title: 'One GPU deadlock in a real kube-apiserver',
    about: `${nodes.toLocaleString('en')} nodes, 64 of them with a GPU, ${pods.toLocaleString('en')} pods. A worker's look goes over a connection that stands already (${looks} looks; the first one with cold code); the command line is measured from its start to its end. Bytes are counted between the two, TLS and all, in both directions.`,
    columns: ['a worker, p50', 'its first look', 'command line'],
    rows: [
      {
        name: 'time to the proof',
        figures: [seconds(quantile(total, 0.5), 0.5), seconds(total[0] ?? 0), seconds(command.seconds)],
      },
      {
        name: 'of it reading',
        figures: [seconds(of('reading')), seconds((first?.reading ?? 0) / 1000), undefined],
      },
      {
        name: 'of it diagnosing',
        figures: [seconds(of('diagnosing')), seconds((first?.diagnosing ?? 0) / 1000), undefined],
      },
      { name: 'on the wire', figures: [megabytes(bytes, 2), undefined, megabytes(commandBytes, 2)] },
      {
        name: 'requests',
        figures: [count(taken.at(-1)?.requests ?? 0, 100), count(first?.requests ?? 0), undefined],
      },
      { name: 'memory at most', figures: [undefined, undefined, megabytes(command.peak, 150)] },
    ],
  };
}
