import type { AppIdentity } from '../app-identity.js';
import type { Json } from '../json.js';
import type { Channel } from '../workspace/model.js';
import type { Workspace } from '../workspace/workspace.js';
import type { Delivered, Dispatch } from './delivery.js';

/** One attempt to tell the app of an event. */
export interface EventAttempt {
  readonly eventId: string;
  /** Such as `app_mention` or `message`. */
  readonly type: string;
  readonly subtype: string | undefined;
  /** 0 for the first attempt. */
  readonly retry: number;
  readonly outcome: Delivered['type'];
}

export interface Events {
  /** Tells the app, if its manifest subscribes, its scopes allow and its bot can see the channel. */
  publish(event: Json, channel?: Channel): void;
  readonly attempts: readonly EventAttempt[];
  /** Tells the last event again, as Slack does when an acknowledgement got lost. */
  repeatLast(): Promise<void>;
  /** Attempts that still run or wait. */
  underway(): number;
  close(): void;
}

/** Slack's pauses before its three further attempts (docs.slack.dev/apis/events-api). */
export const eventRetryDelaysMs: readonly number[] = [0, 60_000, 300_000];

const messageEvents = {
  public: { name: 'message.channels', scope: 'channels:history' },
  private: { name: 'message.groups', scope: 'groups:history' },
  im: { name: 'message.im', scope: 'im:history' },
} as const;

export function createEvents(options: {
  readonly workspace: Workspace;
  readonly app: AppIdentity;
  readonly now: () => number;
  readonly dispatch: Dispatch;
  readonly retryDelaysMs: readonly number[];
}): Events {
  const { workspace, app, dispatch, retryDelaysMs } = options;
  const attempts: EventAttempt[] = [];
  const timers = new Set<NodeJS.Timeout>();
  let last: Json | undefined;
  let underway = 0;
  let closed = false;

  function wanted(event: Json, channel: Channel | undefined): boolean {
    const subscribed = app.manifest.settings.event_subscriptions?.bot_events ?? [];
    const scopes = app.manifest.oauth_config.scopes.bot;
    if (channel !== undefined && !channel.members.has(app.botUserId)) return false;
    if (event.type === 'message') {
      if (channel === undefined) return false;
      const { name, scope } = messageEvents[channel.kind];
      return subscribed.includes(name) && scopes.includes(scope);
    }
    if (event.type === 'app_mention' && !scopes.includes('app_mentions:read')) return false;
    return subscribed.includes(String(event.type));
  }

  function envelope(event: Json, channel: Channel | undefined): Json {
    const { organization, people } = workspace;
    const actor = typeof event.user === 'string' ? people.get(event.user) : undefined;
    const team = channel?.workspaces[0] ?? actor?.workspaces[0] ?? workspace.teamId;
    const enterprise = organization?.id ?? null;
    return {
      token: app.verificationToken,
      team_id: team,
      ...(organization === undefined ? {} : { enterprise_id: enterprise }),
      context_team_id: team,
      api_app_id: app.appId,
      event: { ...event, event_ts: event.event_ts ?? event.ts ?? workspace.nextTs() },
      type: 'event_callback',
      event_id: `Ev${String(workspace.nextNumber()).padStart(8, '0')}`,
      event_time: Math.floor(options.now() / 1000),
      authorizations: [
        {
          enterprise_id: enterprise,
          team_id: organization === undefined ? workspace.teamId : team,
          user_id: app.botUserId,
          is_bot: true,
          is_enterprise_install: organization !== undefined,
        },
      ],
      is_ext_shared_channel: channel?.shared === 'external',
    };
  }

  async function attempt(payload: Json, retry: number, reason: string): Promise<void> {
    const event = payload.event as Json;
    underway += 1;
    const delivered = await dispatch({
      kind: 'event',
      payload,
      ...(retry === 0 ? {} : { retry: { number: retry, reason } }),
    });
    underway -= 1;
    attempts.push({
      eventId: String(payload.event_id),
      type: String(event.type),
      subtype: event.subtype === undefined ? undefined : String(event.subtype),
      retry,
      outcome: delivered.type,
    });
    workspace.changes.note();
    if (delivered.type === 'acknowledged' || delivered.noRetry === true || closed) return;
    const delay = retryDelaysMs[retry];
    if (delay === undefined) return;
    const why = delivered.reason === 'operation_timeout' ? 'http_timeout' : 'http_error';
    const timer = setTimeout(() => {
      timers.delete(timer);
      void attempt(payload, retry + 1, why);
    }, delay);
    timers.add(timer);
  }

  return {
    publish(event, channel) {
      if (closed || !wanted(event, channel)) return;
      const payload = envelope(event, channel);
      last = payload;
      void attempt(payload, 0, '');
    },
    attempts,
    async repeatLast() {
      if (last === undefined) throw new Error('No event was sent yet.');
      await attempt(last, 1, 'http_timeout');
    },
    underway: () => underway + timers.size,
    close() {
      closed = true;
      for (const timer of timers) clearTimeout(timer);
    },
  };
}
