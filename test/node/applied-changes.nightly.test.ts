import type {
  V1Container,
  V1Deployment,
  V1DeploymentStrategy,
  V1Pod,
  V1Service,
} from '@kubernetes/client-node';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Remediation } from '#src/doctor/fixes/remediation.js';
import type { RequestedChange } from '#src/doctor/fixes/requested-change.js';
import { untilComplete } from '../cluster/forms/applied-fix.js';
import type { DiagnosedIncident, Program } from '../cluster/harness/program.js';
import { grantClusterWide, startProgram } from '../cluster/harness/program.js';
import { allReady, program as container, podOf } from './incidents/incident.js';
import { type RealCluster, startRealCluster } from './real-cluster.js';
import { startClient } from './service-client.js';

const port = 8080;

/** A web server that is ready some seconds after its start. */
interface Server {
  readonly readyAfter: number;
  readonly graceSeconds: number;
  /** Without it, the program ignores SIGTERM until it is killed. */
  readonly endsAtOnce?: boolean;
}

interface AppliedChange {
  readonly kind: Remediation['kind'];
  readonly server: Server;
  readonly replicas: number;
  readonly strategy: V1DeploymentStrategy;
  /** An update that makes the change necessary. */
  readonly before?: 'crash' | 'port';
}

const surge: V1DeploymentStrategy = {};
const oneLess: V1DeploymentStrategy = { rollingUpdate: { maxSurge: 0, maxUnavailable: 1 } };
const recreate: V1DeploymentStrategy = { type: 'Recreate' };
const quick: Server = { readyAfter: 0, graceSeconds: 2, endsAtOnce: true };
const stubborn: Server = { readyAfter: 4, graceSeconds: 5 };
const slow: Server = { readyAfter: 9, graceSeconds: 3 };
const patient: Server = { readyAfter: 2, graceSeconds: 12 };
const polite: Server = { readyAfter: 4, graceSeconds: 30, endsAtOnce: true };
const servers = { quick, stubborn, slow, patient, polite };

const each = (
  kind: AppliedChange['kind'],
  more: Omit<AppliedChange, 'kind' | 'server'>,
): readonly AppliedChange[] => Object.values(servers).map((server) => ({ kind, server, ...more }));

const changes: readonly AppliedChange[] = [
  ...each('restart-rollout', { replicas: 1, strategy: surge }),
  ...each('restart-rollout', { replicas: 1, strategy: recreate }),
  ...each('restart-rollout', { replicas: 1, strategy: oneLess }),
  ...each('restart-rollout', { replicas: 3, strategy: oneLess }),
  ...each('exclude-nodes', { replicas: 2, strategy: surge }),
  ...each('exclude-nodes', { replicas: 2, strategy: recreate }),
  ...each('undo-rollout', { replicas: 1, strategy: recreate, before: 'crash' }),
  ...each('undo-rollout', { replicas: 2, strategy: surge, before: 'crash' }),
  ...each('patch-strategy', { replicas: 1, strategy: surge, before: 'port' }),
  ...each('scale-down-old', { replicas: 1, strategy: surge, before: 'port' }),
];

const nameOf = (server: Server): string =>
  Object.entries(servers).find(([, one]) => one === server)?.[0] ?? '';
const formOf = ({ strategy, replicas }: AppliedChange): string =>
  `${replicas}, ${strategy.type ?? (strategy.rollingUpdate === undefined ? 'surge' : 'one less')}`;
const cases = changes.map((change, index) => ({
  ...change,
  id: `change-${index}`,
  title: `${change.kind} of ${nameOf(change.server)} servers (${formOf(change)})`,
}));
type Case = (typeof cases)[number];

function serverOf({ readyAfter, endsAtOnce = false }: Server, more: Partial<V1Container> = {}): V1Container {
  const ends = endsAtOnce ? "trap 'exit 0' TERM" : "trap '' TERM";
  const serves = `mkdir /tmp/www; echo well >/tmp/www/index.html; sleep ${readyAfter} & wait $!`;
  return container(`${ends}; ${serves}; httpd -p ${port} -h /tmp/www; while :; do sleep 1 & wait $!; done`, {
    readinessProbe: { httpGet: { path: '/', port }, periodSeconds: 1 },
    ...more,
  });
}

/** Of one node, where a port of the node is what the next revision waits for. */
const portOf = (id: string): number => 21_000 + Number(id.split('-')[1]);
const withPort = ({ id, before }: Case): Partial<V1Container> =>
  before === 'port' ? { ports: [{ containerPort: port, hostPort: portOf(id) }] } : {};

function deploymentOf(change: Case): V1Deployment {
  const { id, server, replicas, strategy, before } = change;
  const labels = { app: 'web' };
  const spec = podOf(serverOf(server, withPort(change)), {
    terminationGracePeriodSeconds: server.graceSeconds,
    ...(before === 'port' ? { nodeSelector: { 'kubernetes.io/hostname': 'node-a' } } : {}),
  });
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { namespace: id, name: 'web' },
    spec: {
      replicas,
      strategy,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec },
    },
  };
}

interface Row {
  readonly title: string;
  readonly forecast: string;
  readonly promised: number | undefined;
  readonly withoutReady: number;
  readonly failing: number;
}
const rows: Row[] = [];

let real: RealCluster;
let program: Program;
beforeAll(async () => {
  real = await startRealCluster();
  await grantClusterWide(real.cluster);
  program = await startProgram(real.cluster, { cancelSeconds: 0, watches: false });
});
afterAll(async () => {
  printRows();
  await program?.stop();
  await real?.stop();
});

describe.concurrent('a change of real containers', () => {
  it.each(cases)('$title', async (change) => {
    const { id, title } = change;
    const { cluster } = real;
    const workload = { cluster: cluster.name, kind: 'Deployment' as const, namespace: id, name: 'web' };
    await cluster.createNamespace(id);
    await cluster.create<V1Service>({
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { namespace: id, name: 'web' },
      spec: { selector: { app: 'web' }, ports: [{ port, targetPort: port }] },
    });
    await cluster.create(deploymentOf(change));
    await untilPods(id, allReady(change.replicas));
    await update(change);
    const [{ incident }, remediation] = await offered(change);
    const client = await startClient(cluster, id, port);
    const settled = await program.approve(await program.review(incident, remediation.id), `${id}/web`);
    const isDone = await untilComplete(cluster, workload, 120_000);
    const outage = await client();
    rows.push({ title, ...promiseOf(remediation), ...outage });
    await cluster.remove({ kind: 'Deployment', namespace: id, name: 'web' });

    expect(settled).toMatchObject({ phase: 'settled', change: { verdict: 'recovered' } });
    expect(isDone).toBe(true);
  });
});

/** Where no pod was ready before, nothing is promised about how long that lasts. */
function promiseOf({ price: { downtime } }: Remediation): Pick<Row, 'forecast' | 'promised'> {
  const { kind, seconds, readyAtLeast } = downtime;
  if (kind === 'gap') return { forecast: kind, promised: seconds };
  return readyAtLeast === 0
    ? { forecast: 'down already', promised: undefined }
    : { forecast: kind, promised: 0 };
}

const untilPods = (namespace: string, reached: (pods: readonly V1Pod[]) => boolean): Promise<true> =>
  real.cluster.until<V1Pod, true>({
    what: `the pods of ${namespace}`,
    selection: { kind: 'Pod', namespace },
    deadlineMilliseconds: 180_000,
    check: (pods) => reached(pods) || undefined,
  });

/** Brings about what the change is for. */
async function update(change: Case): Promise<void> {
  const { id, before, server } = change;
  if (before === undefined) return;
  const next =
    before === 'crash'
      ? container('echo broken >&2; sleep 1; exit 1')
      : serverOf(server, { ...withPort(change), env: [{ name: 'REVISION', value: '2' }] });
  await real.cluster.patch(
    { kind: 'Deployment', namespace: id, name: 'web' },
    { spec: { template: { spec: { containers: [next] } } } },
  );
  await untilPods(id, (pods) =>
    before === 'crash'
      ? pods.some(({ status }) => (status?.containerStatuses?.[0]?.restartCount ?? 0) >= 2)
      : pods.some(({ status }) => status?.conditions?.some(({ reason }) => reason === 'Unschedulable')),
  );
}

/** The change that a person asks for, or the fix of a finding, as soon as it is offered. */
async function offered({ id, kind }: Case): Promise<readonly [DiagnosedIncident, Remediation]> {
  const query = { kind: 'Deployment' as const, namespace: id, name: 'web' };
  const requested: Partial<Record<Remediation['kind'], RequestedChange>> = {
    'restart-rollout': { kind: 'restart-rollout' },
    'exclude-nodes': { kind: 'exclude-nodes', nodes: ['node-b'] },
    'undo-rollout': { kind: 'undo-rollout' },
  };
  const change = requested[kind];
  let latest = await program.diagnose(query, change);
  const expiry = Date.now() + 90_000;
  for (;;) {
    const { diagnosis } = latest;
    const all =
      diagnosis.requested?.type === 'possible'
        ? [diagnosis.requested.remediation]
        : diagnosis.findings.flatMap(({ remediations }) => remediations);
    const remediation = all.find((one) => one.kind === kind);
    if (remediation !== undefined) return [latest, remediation];
    if (Date.now() > expiry)
      throw new Error(`${kind} is not offered: ${JSON.stringify(diagnosis).slice(0, 4_000)}`);
    latest = await program.diagnoseAgain(latest.incident);
  }
}

/** A client sees a change of an endpoint a moment after it happened. */
const slackSeconds = 1;

/** What `docs/applied-fixes.md` states. */
function printRows(): void {
  const seconds = (value: number): string => `${value.toFixed(1)} s`;
  console.log('| change | forecast | promised | without a ready endpoint | failed requests |');
  for (const { title, forecast, promised, withoutReady, failing } of rows) {
    const promise = promised === undefined ? 'unknown' : seconds(promised);
    console.log(`| ${title} | ${forecast} | ${promise} | ${seconds(withoutReady)} | ${seconds(failing)} |`);
  }
  const stated = rows.filter(({ promised }) => promised !== undefined);
  const held = stated.filter(({ promised = 0, withoutReady }) => withoutReady <= promised + slackSeconds);
  const gaps = stated.filter(({ promised = 0 }) => promised > 0);
  const close = gaps.filter(({ promised = 0, withoutReady }) => promised <= 2 * withoutReady + slackSeconds);
  console.log(
    `${rows.length} changes; a downtime was stated for ${stated.length} and held in ${held.length}; of ${gaps.length} gaps, ${close.length} took at least half of it`,
  );
}
