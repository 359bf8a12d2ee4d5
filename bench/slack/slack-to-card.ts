import { performance } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';
import { type Stack, startStack } from '../../demo/stack.js';
import { residentBytes } from '../../test/support/resident-memory.js';
import { processorMs } from '../measure/processor-time.js';
import { quantile } from '../measure/quantile.js';
import { megabytes, ms, type Table } from '../report/table.js';

const recording = fileURLToPath(new URL('../../test/scenarios/gpu-one-node', import.meta.url));
const line = '/rollout-doctor deploy/inference -n shop';
/** Words of the card's first line once the proof is on it. */
const proof = 'waits for itself';
const warmUps = 5;
const cardWithinMs = 120_000;

export interface SlackOptions {
  readonly oneAtATime: number;
  readonly atOnce: number;
}

/** Milliseconds from the moment the command is sent. */
interface Times {
  readonly acknowledged: number;
  readonly card: number;
}

/** Commands to the whole product on this machine: how long people wait, and what its processes take. */
export async function measureSlack({ oneAtATime, atOnce }: SlackOptions): Promise<readonly Table[]> {
  // Slack takes one message a second in a channel, and delivery keeps to that: so each command has its own
  // channel.
  const channels = Array.from({ length: warmUps + oneAtATime + atOnce }, (_, number) => `team-${number}`);
  const now = (): number => performance.timeOrigin + performance.now();
  const stack = await startStack({
    built: 'dist',
    slack: { page: false, now, channels: channels.map((name) => ({ name })) },
  });
  try {
    await stack.cluster.loadRecording(recording);
    const idle = await memoryOf(stack);
    for (const channel of channels.slice(0, warmUps)) await command(stack, channel, now);
    const single: Times[] = [];
    for (const channel of channels.slice(warmUps, warmUps + oneAtATime)) {
      single.push(await command(stack, channel, now));
    }
    const afterSingle = await memoryOf(stack);
    const before = await processorOf(stack);
    const together = await Promise.all(
      channels.slice(warmUps + oneAtATime).map((channel) => command(stack, channel, now)),
    );
    const used = (await processorOf(stack)).map((total, part) => (total - (before[part] ?? 0)) / atOnce);
    const afterAll = await memoryOf(stack);
    return [timesTable(single, together), partsTable({ idle, afterSingle, afterAll, used, atOnce })];
  } finally {
    await stack.stop();
  }
}

async function command(stack: Stack, channel: string, now: () => number): Promise<Times> {
  const began = now();
  const outcome = await stack.slack.as('dana').runs(line, { channel });
  const acknowledged = now() - began;
  if (outcome.type !== 'acknowledged') throw new Error(`the command in ${channel} was not acknowledged`);
  const at = await stack.slack.until(() => proofAt(stack, channel), {
    withinMs: cardWithinMs,
    what: `the card in ${channel}`,
  });
  return { acknowledged, card: at - began };
}

/** When Slack got the call that put the proof on the channel's card. */
function proofAt({ slack }: Stack, channel: string): number | undefined {
  const [card] = slack.messages(channel);
  if (!card?.text.includes(proof)) return undefined;
  return slack
    .calls()
    .findLast(({ args }) => args.channel === card.channel && String(args.text).includes(proof))?.at;
}

type PerPart = readonly [app: number, worker: number];

function pidsOf({ app, workers: [worker] }: Stack): PerPart {
  if (app.pid === undefined || worker?.pid === undefined) throw new Error('the stack does not run');
  return [app.pid, worker.pid];
}

async function memoryOf(stack: Stack): Promise<readonly number[]> {
  return Promise.all(pidsOf(stack).map(residentBytes));
}

async function processorOf(stack: Stack): Promise<readonly number[]> {
  return Promise.all(pidsOf(stack).map(async (pid) => (await processorMs(pid)) ?? Number.NaN));
}

function timesTable(single: readonly Times[], together: readonly Times[]): Table {
  const row = (name: string, part: keyof Times, p: number, aims: readonly (number | undefined)[] = []) => ({
    name,
    figures: [single, together].map((times, column) =>
      ms(
        quantile(
          times.map((each) => each[part]),
          p,
        ),
        aims[column],
      ),
    ),
  });
  return {
    id: 'slack',
    title: 'From slash command to card',
    about:
      'Local Slack (Socket Mode) and local cluster in one process, app and one worker as built, each in its own, Redis with an fsync for every write. Each command in a channel of its own.',
    columns: [`${single.length} one at a time`, `${together.length} at once`],
    rows: [
      row('acknowledgement p50', 'acknowledged', 0.5),
      row('acknowledgement p99', 'acknowledged', 0.99, [undefined, 200]),
      row('card with the proof p50', 'card', 0.5),
      row('card with the proof p99', 'card', 0.99, [1_500]),
    ],
  };
}

interface Parts {
  readonly idle: readonly number[];
  readonly afterSingle: readonly number[];
  readonly afterAll: readonly number[];
  /** Milliseconds of processor a command. */
  readonly used: readonly number[];
  readonly atOnce: number;
}

function partsTable({ idle, afterSingle, afterAll, used, atOnce }: Parts): Table {
  const row = (name: string, bytes: readonly number[]) => ({
    name,
    figures: bytes.map((each, part) => megabytes(each, part === 1 ? 200 : undefined)),
  });
  return {
    id: 'processes',
    title: 'What the processes take',
    about:
      'Resident memory in the run above, and processor time, which tells more than the clock on a busy machine.',
    columns: ['app', 'worker'],
    rows: [
      row('memory idle', idle),
      row('memory after the commands one at a time', afterSingle),
      row(`memory after ${atOnce} more at once`, afterAll),
      {
        name: `processor a command, ${atOnce} at once`,
        figures: used.map((each) => (Number.isNaN(each) ? undefined : ms(each))),
      },
    ],
  };
}
