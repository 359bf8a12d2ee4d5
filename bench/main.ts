import { parseArgs } from 'node:util';
import { measureAgainst } from './against/in-turns.js';
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
import { publish } from './report/publish.js';
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
  --against         folder of a former version with its node_modules: every part in turns with it, and ratios
  --pairs           how often, 7 when absent
  --publish         writes the table in front of docs/benchmarks.md; refused at a load above 1 a core
  --kubeconfig      of a server that holds the generated cluster already, in place of a new one
`;

const parts: Readonly<Record<string, () => Promise<readonly Table[]>>> = {
  start: async () => [await measureStart()],
  slack: () => measureSlack({ oneAtATime: 30, atOnce: 200 }),
  jobs: async () => [await measureJobs({ rounds: 5, oneAtATime: 200, atOnce: 1_000 })],
  diagnosis: async () => [await measureDiagnosis()],
  dump: async () => [await measureRecordedDump()],
  fleet: async () => [await measureFleetReport()],
  history: async () => [await measureCrashHistory()],
  memory: async () => [await measureRedisMemory(20)],
  package: async () => [await measurePackage()],
  storm: async () => [await measureStorm({ workloads: 40, each: 25 })],
};

/** Takes some minutes and 8 GB of memory, and builds a control plane the first time: only when asked for. */
const kubeApiserver = async (): Promise<readonly Table[]> => [
  await measureKubeApiserver(
    {
      etcd: values.etcd === 'old' ? 'old' : 'current',
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
say('building …');
await buildProduct();
const tables: Table[] = [];
if (values.against === undefined) {
  for (const name of wanted) {
    say(`measuring ${name} …`);
    tables.push(...((await parts[name]?.()) ?? []));
  }
} else tables.push(...(await measureAgainst(values.against, wanted, Number(values.pairs), say)));
if (values['kube-apiserver']) {
  say('measuring kube-apiserver …');
  tables.push(...(await kubeApiserver()));
}
const report: Report = { apiVersion: 'rollout-doctor/v1', kind: 'Bench', takenAt, machine, tables };
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

function say(line: string): void {
  process.stderr.write(`${line}\n`);
}
