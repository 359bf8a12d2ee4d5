import { join } from 'node:path';
import { demoAlerts } from '../../demo/alerts/alert-buttons.js';
import type { Message } from '../../demo/slack/workspace/model.js';
import { type Part, type Stack, type StackOptions, startStack } from '../../demo/stack.js';
import { scenarios } from './faults-rig.js';
import { aloud } from './read-aloud.js';

export const channel = 'incidents';

export interface AlertRig extends Stack {
  post(body: unknown, options?: { readonly token?: string }): Promise<Response>;
  /** The messages of the bot outside threads. */
  cards(): readonly Message[];
  textOf(message: Pick<Message, 'text' | 'blocks'>): string;
  /** Every card in the channel, threads included. */
  allCards(): readonly Message[];
  /** Waits for a card in the channel, threads included, that contains this text. */
  untilCardShows(words: string | RegExp): Promise<Message>;
  counted(name: string, labels?: string): Promise<number>;
}

let rigs = 0;

/** The whole product with an alert webhook and a channel for alert messages. */
export async function startAlertRig(
  options: StackOptions & { readonly scenario?: string } = {},
): Promise<AlertRig> {
  rigs += 1;
  const { scenario = 'gpu-one-node', env, ...rest } = options;
  const stack = await startStack({
    alerts: demoAlerts,
    ...rest,
    slack: { page: false, ...rest.slack },
    env: { REDIS_PREFIX: `alerts-${process.pid}-${Date.now().toString(36)}-${rigs}`, ...env },
  });
  await stack.cluster.loadRecording(join(scenarios, scenario));
  const textOf = ({ text, blocks }: Pick<Message, 'text' | 'blocks'>) => `${text}\n${aloud(blocks)}`;
  /** Recognises a card by the key of its delivery in the metadata. */
  const allCards = () => ours().filter(({ metadata }) => /\.card"/.test(JSON.stringify(metadata ?? {})));
  const ours = () =>
    stack.slack.messages(channel, { replies: true }).filter(({ botId }) => botId === stack.slack.botId);
  return {
    ...stack,
    allCards,
    textOf,
    post: (body, { token } = {}) => stack.alert('alertmanager', body, token),
    cards: () => ours().filter(({ threadTs }) => threadTs === undefined),
    untilCardShows: (words) =>
      stack.slack.until(
        () =>
          allCards().find((message) =>
            typeof words === 'string' ? textOf(message).includes(words) : words.test(textOf(message)),
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
  };
}

async function metricsPage({ pid, statusPort }: Part): Promise<string> {
  if (pid === undefined) return '';
  return (await fetch(`http://127.0.0.1:${statusPort}/metrics`)).text();
}
