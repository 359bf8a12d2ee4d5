import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Message } from '../../../demo/slack/workspace/model.js';
import { type Part, type Stack, type StackOptions, startStack } from '../../../demo/stack.js';
import { aloud } from '../../unit/adapters/slack/aloud.js';
import { scenarios } from '../faults/rig.js';

export const token = 'alerts-token-0123456789';
export const channel = 'incidents';

const settings = `apiVersion: rollout-doctor/v1
channel: C0INCIDENTS
webhooks:
  - name: alertmanager
    source: alertmanager
    auth: { type: bearer, token: { env: ALERTS_TOKEN } }
slack:
  - channel: C0INCIDENTS
`;

export interface AlertRig extends Stack {
  /** Where the first app takes alerts. */
  readonly alertsUrl: () => string;
  post(body: unknown, options?: { readonly token?: string }): Promise<Response>;
  /** Our messages at the top of the channel. */
  cards(): readonly Message[];
  says(message: Pick<Message, 'text' | 'blocks'>): string;
  /** Every card in the channel, threads included. */
  allCards(): readonly Message[];
  /** Waits for a card in the channel, threads included, that says this. */
  untilSays(words: string | RegExp): Promise<Message>;
  counted(name: string, labels?: string): Promise<number>;
  stop(): Promise<void>;
}

let rigs = 0;

/** The whole product with an alert webhook and a channel whose alert messages are answered. */
export async function startAlertRig(
  options: StackOptions & { readonly scenario?: string; readonly settings?: string } = {},
): Promise<AlertRig> {
  rigs += 1;
  const folder = await mkdtemp(join(tmpdir(), 'rollout-doctor-alerts-'));
  const path = join(folder, 'alerts.yaml');
  await writeFile(path, options.settings ?? settings);
  const ports: number[] = [];
  const { scenario = 'gpu-one-node', env, ...rest } = options;
  const stack = await startStack({
    ...rest,
    slack: { page: false, ...rest.slack },
    env: {
      REDIS_PREFIX: `alerts-${process.pid}-${Date.now().toString(36)}-${rigs}`,
      ALERTS_FILE: path,
      ALERTS_PORT: '0',
      ALERTS_TOKEN: token,
      ...env,
    },
    onLog: (name, line) => {
      if (name === 'app-1' && line.includes('alerts are received')) {
        ports.push((JSON.parse(line) as { readonly port: number }).port);
      }
    },
  });
  await stack.cluster.loadRecording(join(scenarios, scenario));
  const alertsUrl = () => `http://127.0.0.1:${ports.at(-1)}/alerts/alertmanager`;
  const says = ({ text, blocks }: Pick<Message, 'text' | 'blocks'>) => `${text}\n${aloud(blocks)}`;
  /** The key of a delivery stands in the message's metadata. */
  const allCards = () => ours().filter(({ metadata }) => /\.card"/.test(JSON.stringify(metadata ?? {})));
  const ours = () =>
    stack.slack.messages(channel, { replies: true }).filter(({ botId }) => botId === stack.slack.botId);
  return {
    ...stack,
    alertsUrl,
    allCards,
    says,
    post: (body, { token: given = token } = {}) =>
      fetch(alertsUrl(), {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${given}` },
        body: typeof body === 'string' ? body : JSON.stringify(body),
      }),
    cards: () => ours().filter(({ threadTs }) => threadTs === undefined),
    untilSays: (words) =>
      stack.slack.until(
        () =>
          allCards().find((message) =>
            typeof words === 'string' ? says(message).includes(words) : words.test(says(message)),
          ),
        { what: `a card with "${words}"` },
      ),
    async counted(name, labels = '') {
      const pages = await Promise.all([...stack.apps, ...stack.workers].map(metricsPage));
      return pages
        .flatMap((page) => page.split('\n'))
        .filter((line) => line.startsWith(name) && line.includes(labels))
        .reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' ') + 1)), 0);
    },
    async stop() {
      await stack.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function metricsPage({ pid, port }: Part): Promise<string> {
  if (pid === undefined) return '';
  return (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
}
