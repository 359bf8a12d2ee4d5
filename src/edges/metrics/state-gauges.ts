import { Gauge, type Registry } from 'prom-client';
import type { ReadWaitingWork } from '../../service/inspect/read-waiting-work.js';
import type { QueueName } from '../../service/jobs/jobs.js';
import { version } from '../telemetry/version.js';

/** One queue as it is now. */
interface QueueDepth {
  readonly queue: QueueName;
  /** Empty where one worker serves all clusters. */
  readonly cluster: string;
  /** Jobs by state of BullMQ. */
  readonly jobs: Readonly<Record<string, number>>;
  /** How long the oldest job waits that could run now, in seconds; 0 when none does. */
  readonly oldestSeconds: { readonly person: number; readonly alert: number };
}

/**
 * What is read when somebody asks for the metrics. Each may reject or be late: then its series are left out.
 */
export interface StateReaders {
  readonly process: 'app' | 'worker';
  /** How long a review counts, in seconds. */
  readonly approvalSeconds: number;
  readonly policy: {
    /** When the policy that counts was read. */
    readonly readAt: () => Date;
    /** Undefined while the policy file holds a policy. */
    readonly faultSince: () => Date | undefined;
  };
  readonly queueDepths: () => Promise<readonly QueueDepth[]>;
  readonly waitingWork: ReadWaitingWork;
  /** Why Redis accepts no writes; undefined when it does. */
  readonly redisProblem: () => Promise<string | undefined>;
  /** Whether each cluster answers, by its name. */
  readonly reachable: () => Promise<ReadonlyMap<string, boolean>>;
}

/** The server of the metrics gives an answer 5 seconds. */
const readWithinMs = 3_500;
/** Frequent questions cause no load. */
const keepMs = 5_000;
/** The records of incidents are the largest reads. */
const keepWaitingWorkMs = 30_000;

/**
 * Registers gauges of what all processes share: each process shows the same values, so take `max` of them,
 * not `sum`.
 */
export function registerStateGauges(registers: Registry[], readers: StateReaders): void {
  const gauge = <Value>(
    { name, help, labels = [] }: { name: string; help: string; labels?: readonly string[] },
    read: () => Promise<Value | undefined>,
    show: (gauge: Gauge, value: Value) => void,
  ): void => {
    new Gauge({
      name: `rollout_doctor_${name}`,
      help,
      labelNames: labels,
      registers,
      async collect() {
        const value = await read();
        this.reset();
        if (value !== undefined) show(this, value);
        else if (labels.length === 0) this.remove();
      },
    });
  };
  const once = async () => true;
  gauge(
    { name: 'build_info', help: 'Version of this process', labels: ['version', 'node_version', 'process'] },
    once,
    (each) => each.set({ version, node_version: process.version, process: readers.process }, 1),
  );
  gauge({ name: 'approval_lifetime_seconds', help: 'How long a review counts' }, once, (each) =>
    each.set(readers.approvalSeconds),
  );
  gauge(
    { name: 'redis_writable', help: 'Whether Redis accepts writes' },
    // No answer, or a late one, is no sign that Redis accepts writes.
    async () =>
      (await within(
        readers.redisProblem().then(
          (problem) => problem === undefined,
          () => false,
        ),
      )) ?? false,
    (each, isWritable) => each.set(isWritable ? 1 : 0),
  );
  gauge(
    {
      name: 'policy_readable',
      help: 'Whether the policy file holds a policy now; else the last good one counts',
    },
    once,
    (each) => each.set(readers.policy.faultSince() === undefined ? 1 : 0),
  );
  gauge(
    {
      name: 'policy_read_timestamp_seconds',
      help: 'When this process read the policy that counts: at its start or after the last change of the file',
    },
    once,
    (each) => each.set(readers.policy.readAt().getTime() / 1_000),
  );
  const queues = shared(readers.queueDepths, keepMs);
  gauge(
    { name: 'queue_jobs', help: 'Jobs by queue and state', labels: ['queue', 'cluster', 'state'] },
    queues,
    (each, depths) => {
      for (const { queue, cluster, jobs } of depths) {
        for (const [state, count] of Object.entries(jobs)) each.set({ queue, cluster, state }, count);
      }
    },
  );
  gauge(
    {
      name: 'oldest_job_age_seconds',
      help: 'How long the oldest job waits that could run now, by who waits for it',
      labels: ['queue', 'cluster', 'urgency'],
    },
    queues,
    (each, depths) => {
      for (const { queue, cluster, oldestSeconds } of depths) {
        for (const [urgency, seconds] of Object.entries(oldestSeconds)) {
          each.set({ queue, cluster, urgency }, seconds);
        }
      }
    },
  );
  const waitingWork = shared(readers.waitingWork, keepWaitingWorkMs);
  gauge(
    { name: 'incidents_open', help: 'Incidents that need somebody, by severity', labels: ['severity'] },
    waitingWork,
    (each, { incidents }) => {
      for (const [severity, count] of Object.entries(incidents)) each.set({ severity }, count);
    },
  );
  gauge(
    { name: 'approvals_pending', help: 'Changes that wait for more approvals' },
    waitingWork,
    (each, { approvals }) => each.set(approvals),
  );
  gauge(
    { name: 'oldest_approval_age_seconds', help: 'How long the oldest of them waits' },
    waitingWork,
    (each, { oldestApprovalAt }) =>
      each.set(oldestApprovalAt === undefined ? 0 : Math.max(0, (Date.now() - oldestApprovalAt) / 1_000)),
  );
  gauge(
    {
      name: 'cluster_reachable',
      help: 'Whether the API server answers a request of this process',
      labels: ['cluster'],
    },
    shared(readers.reachable, keepMs),
    (each, clusters) => {
      for (const [cluster, answers] of clusters) each.set({ cluster }, answers ? 1 : 0);
    },
  );
}

/** One read for all gauges, kept for a while; undefined when it fails or takes too long. */
function shared<Value>(read: () => Promise<Value>, keptMs: number): () => Promise<Value | undefined> {
  let last: { readonly at: number; readonly value: Promise<Value | undefined> } | undefined;
  return () => {
    const now = performance.now();
    if (last !== undefined && now - last.at < keptMs) return within(last.value);
    const value = read().catch(() => undefined);
    last = { at: now, value };
    // A failure is not kept.
    void value.then((found) => {
      if (found === undefined && last?.value === value) last = undefined;
    });
    return within(value);
  };
}

function within<Value>(value: Promise<Value>): Promise<Value | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), readWithinMs);
  });
  return Promise.race([value, late]).finally(() => clearTimeout(timer));
}
