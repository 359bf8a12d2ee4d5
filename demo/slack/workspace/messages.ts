import { type Json, jsonList } from '../json.js';
import type { Message } from './model.js';
import type { Workspace } from './workspace.js';

/** What a new message must say; everything else has a quiet default. */
export type Draft = Pick<Message, 'channel' | 'text'> & Partial<Omit<Message, 'ts' | 'revision' | 'edited'>>;

/** Stores a message; in the channel, or for one person when `visibleTo` says so. */
export function storeMessage(workspace: Workspace, draft: Draft): Message {
  const message: Message = {
    threadTs: undefined,
    broadcast: false,
    user: undefined,
    botId: undefined,
    appId: undefined,
    username: undefined,
    subtype: undefined,
    attachments: [],
    files: [],
    metadata: undefined,
    reactions: [],
    visibleTo: undefined,
    values: {},
    ...draft,
    blocks: withBlockIds(workspace, draft.blocks ?? []),
    ts: workspace.nextTs(),
    edited: undefined,
    revision: workspace.changes.note(),
  };
  shelf(workspace, message).set(message.ts, message);
  return message;
}

/** Puts a changed state in the place of the former one. */
export function changeMessage(workspace: Workspace, message: Message, change: Partial<Message>): Message {
  const next: Message = {
    ...message,
    ...change,
    ...(change.blocks === undefined ? {} : { blocks: withBlockIds(workspace, change.blocks) }),
    revision: workspace.changes.note(),
  };
  shelf(workspace, message).set(message.ts, next);
  return next;
}

export function removeMessage(workspace: Workspace, message: Message): void {
  workspace.changes.note();
  shelf(workspace, message).delete(message.ts);
}

/** The message as it is now, in a channel or before one person's eyes. */
export function currentMessage(workspace: Workspace, { channel, ts }: Pick<Message, 'channel' | 'ts'>) {
  return workspace.messages.get(channel)?.get(ts) ?? workspace.ephemerals.get(ts);
}

/** All messages of a channel, replies included, oldest first. */
export function messagesOf(workspace: Workspace, channel: string): readonly Message[] {
  return [...(workspace.messages.get(channel)?.values() ?? [])];
}

/** Replies to a message, oldest first. */
export function repliesTo(workspace: Workspace, { channel, ts }: Pick<Message, 'channel' | 'ts'>) {
  return messagesOf(workspace, channel).filter((each) => each.threadTs === ts && each.ts !== ts);
}

/** Gives each block that has none an id of its own, as Slack does. */
export function withBlockIds(workspace: Workspace, blocks: readonly Json[]): readonly Json[] {
  return blocks.map((block) => {
    const children =
      block.child_blocks === undefined
        ? {}
        : { child_blocks: withBlockIds(workspace, jsonList(block.child_blocks)) };
    const block_id = block.block_id ?? `b${workspace.nextNumber().toString(36).padStart(4, '0')}`;
    return withActionIds(workspace, { ...block, ...children, block_id });
  });
}

function withActionIds(workspace: Workspace, block: Json): Json {
  const named = (element: Json): Json =>
    interactiveTypes.test(String(element.type)) && element.action_id === undefined
      ? { ...element, action_id: `a${workspace.nextNumber().toString(36).padStart(4, '0')}` }
      : element;
  return {
    ...block,
    ...(block.type === 'actions' || block.type === 'context_actions'
      ? { elements: jsonList(block.elements).map(named) }
      : {}),
    ...(block.accessory === undefined ? {} : { accessory: named(block.accessory as Json) }),
    ...(block.element === undefined ? {} : { element: named(block.element as Json) }),
  };
}

const interactiveTypes = /button|select|picker|checkboxes|overflow|input/;

function shelf(workspace: Workspace, { channel, visibleTo }: Message): Map<string, Message> {
  if (visibleTo !== undefined) return workspace.ephemerals;
  const found = workspace.messages.get(channel) ?? new Map<string, Message>();
  workspace.messages.set(channel, found);
  return found;
}
