import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { connectClusters } from '#src/edges/kubernetes/cluster-connection.js';
import type { DeadlockShape } from '../generated-cluster/deadlock.js';
import { builtCommand, measured } from '../measure/measured-process.js';
import { quantile } from '../measure/quantile.js';
import { count, type Figure, megabytes, ms, type Row, ratio } from '../report/table.js';
import { changeObjects } from './change-objects.js';
import { startCountingProxy } from './counting-proxy.js';
import { LooksTaken } from './looks-taken.js';

export interface Version {
  readonly name: string;
  readonly root: string;
}

const looks = 6;
/** Between looks at a cluster in which no pod changes: the watch of pods is silent by then. */
const quietMs = 2_500;
/** The last items of a list would do; so many say which nodes' pods were read. */
const fullListOfPods = /^\/api\/v1\/pods(\?(?!.*fieldSelector)|$)/;

/**
 * A row for each deadlock and version, and with two versions the ratio of the last one to the first one.
 *
 * @param commands how often the command line of each version runs
 */
export async function measuredRows(
  kubeconfig: string,
  deadlocks: readonly DeadlockShape[],
  versions: readonly Version[],
  commands: number,
  say: (line: string) => void,
): Promise<readonly Row[]> {
  const text = await readFile(kubeconfig, 'utf8');
  const server = new URL(/server: "?(https:\S+?)"?$/m.exec(text)?.[1] ?? '');
  const proxy = await startCountingProxy(Number(server.port));
  const counted = `${kubeconfig}.counted`;
  await writeFile(counted, text.replaceAll(server.origin, `https://127.0.0.1:${proxy.port}`), {
    mode: 0o600,
  });
  const counter = createServer((_request, response) => response.end(String(proxy.takeBytes())));
  counter.listen(0, '127.0.0.1');
  await once(counter, 'listening');
  const counterUrl = `http://127.0.0.1:${(counter.address() as AddressInfo).port}`;
  const rows: Row[] = [];
  try {
    for (const deadlock of deadlocks) {
      const runs = new Map<Version, Awaited<ReturnType<typeof runCommand>>[]>();
      for (let run = 0; run < commands; run += 1) {
        for (const version of versions) {
          const done = await runCommand(version, deadlock, counted, () => proxy.takeBytes());
          runs.set(version, [...(runs.get(version) ?? []), done]);
        }
      }
      const requests = new Map<Version, number>();
      for (const version of versions) requests.set(version, await countRequests(version, deadlock, counted));
      for (const isQuiet of [false, true]) {
        const question = [
          `${deadlock.candidates} ${deadlock.candidates === 1 ? 'candidate' : 'candidates'}`,
          ...(isQuiet ? ['no pod changes'] : []),
        ].join(', ');
        const measuredNow: Row[] = [];
        for (const version of versions) {
          const name = `${question}, ${version.name}`;
          say(`${name} …`);
          const taken = await takeLooks(version, deadlock, isQuiet, [counted, counterUrl, kubeconfig]);
          const figures = figuresOf(taken, runs.get(version) ?? [], requests.get(version) ?? 0);
          measuredNow.push({ name, figures });
        }
        rows.push(...measuredNow, ...ratioRow(`${question}, ratio`, measuredNow));
      }
    }
  } finally {
    await proxy.close();
    counter.closeAllConnections();
    counter.close();
  }
  return rows;
}

/** Counts what the command line sends: undici announces each request on a channel of Node.js. */
async function countRequests(
  { root }: Version,
  { namespace, name }: DeadlockShape,
  kubeconfig: string,
): Promise<number> {
  const file = `${kubeconfig}.requests`;
  const script = `import { subscribe } from 'node:diagnostics_channel';
    import { writeFileSync } from 'node:fs';
    let count = 0;
    subscribe('undici:request:create', () => { count += 1; });
    process.on('exit', () => writeFileSync(${JSON.stringify(file)}, String(count)));`;
  await measured({
    program: ['--import', `data:text/javascript,${encodeURIComponent(script)}`, await builtCommand(root)],
    arguments: ['diagnose', `${namespace}/${name}`, '--kubeconfig', kubeconfig, '--output', 'json'],
    allowed: [1],
  });
  return Number(await readFile(file, 'utf8'));
}

/** The ratio of each median of the last row to that of the first one; no row for one version alone. */
export function ratioRow(name: string, rows: readonly Row[]): readonly Row[] {
  const [before, ...others] = rows;
  const now = others.at(-1);
  if (before === undefined || now === undefined) return [];
  const figures = now.figures.map((figure, column) => {
    const former = before.figures[column];
    return figure === undefined || former === undefined || former.value === 0
      ? undefined
      : ratio(figure.value / former.value);
  });
  return [{ name, figures }];
}

async function runCommand(
  { root }: Version,
  { namespace, name }: DeadlockShape,
  kubeconfig: string,
  takeBytes: () => number,
) {
  takeBytes();
  const { seconds, processor, peak } = await measured({
    program: [await builtCommand(root)],
    arguments: ['diagnose', `${namespace}/${name}`, '--kubeconfig', kubeconfig, '--output', 'json'],
    allowed: [1],
  });
  return { seconds, processor, peak, bytes: takeBytes() };
}

async function takeLooks(
  { root }: Version,
  { namespace, name }: DeadlockShape,
  isQuiet: boolean,
  [counted, counter, kubeconfig]: readonly [counted: string, counter: string, kubeconfig: string],
): Promise<LooksTaken> {
  const [connection] = connectClusters({ kubeconfig, contexts: [] });
  if (connection === undefined) throw new Error('the kubeconfig has no context');
  const changing = new AbortController();
  const changes = isQuiet ? undefined : changeObjects(connection.call, changing.signal);
  const { output } = await measured({
    program: ['--expose-gc', '--import', 'tsx', join(root, 'bench/kube-apiserver/run.ts')],
    arguments: [
      root,
      counted,
      String(looks),
      `${namespace}/${name}`,
      counter,
      kubeconfig,
      String(isQuiet ? quietMs : 0),
    ],
  });
  changing.abort();
  await changes;
  const taken = LooksTaken.parse(JSON.parse(output));
  const whole = taken.paths.filter((path) => fullListOfPods.test(path));
  if (whole.length > 0) throw new Error(`all pods were listed: ${whole[0]}`);
  return taken;
}

function figuresOf(
  { looks: all, cache, pods }: LooksTaken,
  runs: readonly Awaited<ReturnType<typeof runCommand>>[],
  requests: number,
): readonly (Figure | undefined)[] {
  const warm = all.slice(1);
  const median = (of: (look: (typeof all)[number]) => number): number => quantile(warm.map(of), 0.5);
  const command = (of: (run: (typeof runs)[number]) => number): number => quantile(runs.map(of), 0.5);
  return [
    ms(
      median(({ reading, diagnosing }) => reading + diagnosing),
      500,
    ),
    ms(median(({ diagnosing }) => diagnosing)),
    ms(median(({ processor }) => processor)),
    megabytes(
      median(({ bytes }) => bytes),
      4,
    ),
    count(median(({ requests }) => requests)),
    cache === 0 ? undefined : megabytes(cache),
    pods === 0 ? undefined : megabytes(pods),
    { value: command(({ seconds }) => seconds), unit: 's', below: 1.2 },
    ms(command(({ processor }) => processor)),
    megabytes(
      command(({ peak }) => peak),
      160,
    ),
    megabytes(command(({ bytes }) => bytes)),
    count(requests),
    count(warm.filter(({ isProven }) => isProven).length / warm.length),
  ];
}
