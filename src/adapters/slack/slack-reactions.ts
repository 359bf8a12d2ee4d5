import type { WebClient } from '@slack/web-api';
import type { AlertReaction } from '../../core/incident/alert-reaction.js';
import type { MessageRef } from '../../core/incident/delivery.js';
import type { Shown } from '../../usecases/deliver/incident-thread.js';
import { callSlack, type SlackAnswer } from './call-slack.js';

/** Slack's names of emoji: circles in the colours of the severity on cards. */
const emoji: Readonly<Record<AlertReaction, string>> = {
  looking: 'mag',
  critical: 'red_circle',
  warning: 'large_orange_circle',
  healthy: 'white_check_mark',
  unknown: 'white_circle',
};

/** A scope may be added while we run: Slack is asked again after this time. */
const withoutScopeMs = 600_000;

export interface SlackReactions {
  /** @returns `undefined` while the app lacks the scope `reactions:write` */
  replace(
    message: MessageRef,
    reaction: AlertReaction,
    former: readonly AlertReaction[],
  ): Promise<Shown | undefined>;
}

/** @param options `onScopeMissing`: called once */
export function createSlackReactions({
  client,
  now,
  onScopeMissing,
}: {
  readonly client: WebClient;
  readonly now: () => number;
  readonly onScopeMissing: () => void;
}): SlackReactions {
  let withoutScopeUntil = Number.NEGATIVE_INFINITY;
  let isReported = false;
  return {
    async replace({ channel, ts }, reaction, former) {
      if (now() < withoutScopeUntil) return undefined;
      const on = (each: AlertReaction) => ({ channel, timestamp: ts, name: emoji[each] });
      const calls = [
        { done: 'already_reacted', call: () => client.reactions.add(on(reaction)) },
        ...former.map((each) => ({ done: 'no_reaction', call: () => client.reactions.remove(on(each)) })),
      ];
      for (const { done, call } of calls) {
        const answer = await callSlack<unknown>(call);
        if (isMissingScope(answer)) {
          withoutScopeUntil = now() + withoutScopeMs;
          if (!isReported) onScopeMissing();
          isReported = true;
          return undefined;
        }
        if (answer.type === 'throttled' || answer.type === 'doubtful' || answer.type === 'unavailable') {
          return answer.type === 'throttled' ? answer : { type: answer.type };
        }
        if (answer.type === 'refused' && answer.error !== done) return answer;
      }
      return { type: 'shown', channel, ts };
    },
  };
}

function isMissingScope(answer: SlackAnswer<unknown>): boolean {
  return answer.type === 'unavailable' && answer.error === 'missing_scope';
}
