import type { Desk } from '../desk.js';
import type { Json } from '../json.js';
import { changeMessage, type Draft, removeMessage, repliesTo, storeMessage } from '../workspace/messages.js';
import type { Channel, Message } from '../workspace/model.js';
import { wireMessage } from '../workspace/wire.js';

const channelTypes = { public: 'channel', private: 'group', im: 'im' } as const;

/** Stores a message for all and tells the app, its own messages included, as Slack does. */
export function post(desk: Desk, draft: Draft): Message {
  const message = storeMessage(desk.workspace, draft);
  const channel = desk.workspace.channels.get(message.channel);
  if (channel === undefined || message.visibleTo !== undefined) return message;
  const event = { ...wireMessage(desk.workspace, message), ...place(channel) };
  desk.events.publish(event, channel);
  if (message.user !== desk.app.botUserId && message.text.includes(`<@${desk.app.botUserId}>`)) {
    const { subtype: _, channel_type: __, ...mention } = event as Record<string, unknown>;
    desk.events.publish({ ...mention, type: 'app_mention' }, channel);
  }
  return message;
}

/** Changes a message in place and tells the app. */
export function edit(desk: Desk, message: Message, change: Partial<Message>): Message {
  const ts = desk.workspace.nextTs();
  const next = changeMessage(desk.workspace, message, { ...change, edited: ts });
  publishChange(desk, message, {
    subtype: 'message_changed',
    ts,
    message: wireMessage(desk.workspace, next),
    previous_message: wireMessage(desk.workspace, message),
  });
  return next;
}

/** Removes a message; one with replies leaves a tombstone. */
export function erase(desk: Desk, message: Message): void {
  if (repliesTo(desk.workspace, message).length > 0) {
    changeMessage(desk.workspace, message, {
      subtype: 'tombstone',
      text: 'This message was deleted.',
      blocks: [],
      attachments: [],
      files: [],
    });
  } else {
    removeMessage(desk.workspace, message);
  }
  publishChange(desk, message, {
    subtype: 'message_deleted',
    ts: desk.workspace.nextTs(),
    deleted_ts: message.ts,
    previous_message: wireMessage(desk.workspace, message),
  });
}

function publishChange(desk: Desk, message: Message, event: Json): void {
  const channel = desk.workspace.channels.get(message.channel);
  if (channel === undefined || message.visibleTo !== undefined) return;
  desk.events.publish({ type: 'message', hidden: true, ...event, ...place(channel) }, channel);
}

function place(channel: Channel): Json {
  return { channel: channel.id, channel_type: channelTypes[channel.kind] };
}
