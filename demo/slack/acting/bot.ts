import type { Desk } from '../desk.js';
import type { Message } from '../workspace/model.js';
import { channelNamed } from '../workspace/workspace.js';
import { type BotPost, postAsBot } from './speaking.js';

/** A program other than the app. */
export interface BotActor {
  readonly id: string;
  posts(content: BotPost & { readonly channel?: string }): Message;
}

/** @throws when no program has this name */
export function botActor(desk: Desk, name: string): BotActor {
  const bot = [...desk.workspace.bots.values()].find((each) => each.name === name);
  if (bot === undefined) {
    const known = [...desk.workspace.bots.values()].map((each) => each.name).join(', ');
    throw new Error(`No program here is called ${name}; known are ${known}.`);
  }
  return {
    id: bot.id,
    posts({ channel, ...content }) {
      const first = [...desk.workspace.channels.values()][0];
      return postAsBot(desk, bot, channelNamed(desk.workspace.channels, channel ?? first?.id ?? ''), content);
    },
  };
}
