import { execFileSync } from 'node:child_process';
import { parseArgs } from 'node:util';
import { type MeasureVersion, measureAgainst } from './against/in-turns.js';
import { measureStart } from './command-start/command-start.js';
import { measureCrashHistory } from './crash-history/crash-history.js';
import { measureDiagnosis } from './diagnosis/diagnosis-in-memory.js';
import { measureJobs } from './jobs/job-overhead.js';
import { measureKubeApiserver } from './kube-apiserver/kube-apiserver.js';
import { buildProduct } from './measure/build-product.js';
import { thisMachine } from './measure/machine.js';
import { measurePackage } from './npm-package/npm-package.js';
import { measureFleetReport } from './recorded-dump/fleet-report.js';
import { measureRecordedDump } from './recorded-dump/recorded-dump.js';
import { measureRedisMemory } from './redis-memory/redis-memory.js';
import { type Report, reportText } from './report/format.js';
import { publish, refusalOf } from './report/publish.js';
import type { Table } from './report/table.js';
import { measureSlack } from './slack/slack-to-card.js';
import { measureStorm } from './storm/storm.js';

const usage = `npm run bench -- [--output text|json] [--only start,slack,jobs,diagnosis,dump,fleet,history,memory,storm,package]

  --output  text (a Markdown table, the default) or json, on standard output
  --only    parts to run, separated by commas; all when absent
  --kube-apiserver  also in a real kube-apiserver: some minutes, 8 GB, and Go to build it the first time
  --nodes, --pods   its size, 5000 and 50000 when absent
  --etcd            of that server: current (the default) or old
  --beside          folder of another version, built, that is measured there in turns with this one; --against when absent
  --against         folder of a former version with its node_modules: every part in turns with it, and ratios;
                    without --only also a real kube-apiserver, with each etcd
  --pairs           how often, 7 when absent
  --publish         writes the table in front of docs/benchmarks.md; refused at a load above 1 a core
  --kubeconfig      of a server that holds the generated cluster already, in place of a new one
`;

/** Parts that run the built command line, of this version or of the one in a folder. */
const commands = {
  start: async (folder?: string) => [await measureStart(folder)],
  dump: async (folder?: string) => [await measureRecordedDump(folder)],
  fleet: async (folder?: string) => [await measureFleetReport(folder)],
} as const satisfies Readonly<Record<string, MeasureVersion>>;

const parts: Readonly<Record<string, () => Promise<readonly Table[]>>> = {
  start: commands.start,
  slack: () => measureSlack({ oneAtATime: 30, atOnce: 200 }),
  jobs: async () => [await measureJobs({ rounds: 5, oneAtATime: 200, atOnce: 1_000 })],
  diagnosis: async () => [await measureDiagnosis()],
  dump: commands.dump,
  fleet: commands.fleet,
  history: async () => [await measureCrashHistory()],
  memory: async () => [await measureRedisMemory(20)],
  package: async () => [await measurePackage()],
  storm: async () => [await measureStorm({ workloads: 40, each: 25 })],
};

/** Takes some minutes and 8 GB of memory, and builds a control plane the first time: only when asked for. */
const kubeApiserver = async (etcd: 'current' | 'old'): Promise<readonly Table[]> => [
  await measureKubeApiserver(
    {
      etcd,
      ...(values.against === undefined ? {} : { commands: Number(values.pairs) }),
      ...(beside === undefined ? {} : { beside }),
      ...(values.kubeconfig === undefined ? {} : { kubeconfig: values.kubeconfig }),
      ...(values.nodes === undefined ? {} : { nodes: Number(values.nodes) }),
      ...(values.pods === undefined ? {} : { pods: Number(values.pods) }),
    },
    say,
  ),
];

const { values } = parseArgs({
  options: {
    output: { type: 'string', default: 'text' },
    only: { type: 'string' },
    'kube-apiserver': { type: 'boolean', default: false },
    nodes: { type: 'string' },
    pods: { type: 'string' },
    etcd: { type: 'string', default: 'current' },
    beside: { type: 'string' },
    kubeconfig: { type: 'string' },
    against: { type: 'string' },
    pairs: { type: 'string', default: '7' },
    publish: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});
const beside = values.beside ?? values.against;
const wanted = values.only?.split(',').filter((name) => name !== '') ?? Object.keys(parts);
const unknown = wanted.filter((name) => !(name in parts));
if (values.help || unknown.length > 0 || !['text', 'json'].includes(values.output)) {
  process.stderr.write(usage);
  process.exit(values.help ? 0 : 2);
}

const machine = thisMachine();
const takenAt = new Date().toISOString();
const refusal = values.publish ? refusalOf(machine) : undefined;
if (refusal !== undefined) {
  say(refusal);
  process.exit(1);
}
say('building …');
await buildProduct();
if (beside !== undefined) await buildProduct(beside);
const tables: Table[] = [];
if (values.against === undefined) {
  for (const name of wanted) {
    say(`measuring ${name} …`);
    tables.push(...((await parts[name]?.()) ?? []));
  }
} else tables.push(...(await measureAgainst(values.against, wanted, Number(values.pairs), commands, say)));
for (const etcd of etcds()) {
  say(`measuring kube-apiserver, etcd: ${etcd} …`);
  tables.push(...(await kubeApiserver(etcd)));
}
const versions = beside === undefined ? [] : [`former ${commitOf(beside)}`, `now ${commitOf('.')}`];
const report: Report = { apiVersion: 'rollout-doctor/v1', kind: 'Bench', takenAt, machine, versions, tables };
process.stdout.write(
  values.output === 'json' ? `${JSON.stringify(report, undefined, 2)}\n` : reportText(report),
);

if (values.publish) {
  const problem = await publish(reportText(report), [machine, thisMachine()]);
  if (problem !== undefined) {
    say(problem);
    process.exitCode = 1;
  }
}

/** Those that a real kube-apiserver is measured with. */
function etcds(): readonly ('current' | 'old')[] {
  if (values['kube-apiserver']) return [values.etcd === 'old' ? 'old' : 'current'];
  return values.against !== undefined && values.only === undefined ? ['current', 'old'] : [];
}

function commitOf(folder: string): string {
  const options = { cwd: folder, encoding: 'utf8' } as const;
  return execFileSync('git', ['describe', '--always', '--dirty', '--exclude=*'], options).trim();
}

function say(line: string): void {
  process.stderr.write(`${line}\n`);
}
