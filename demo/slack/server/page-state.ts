import type { DemoState } from '../demo-state.js';
import type { Desk } from '../desk.js';
import type { Label, PanelCommand } from '../local-slack-options.js';
import type { Channel, Message, Person, UserGroup, View } from '../workspace/model.js';

/** A channel as the page gets it. */
export type PageChannel = Omit<Channel, 'members'> & { readonly members: readonly string[] };

interface PageButton {
  readonly label: Label;
  readonly hint: Label | undefined;
  readonly channels: readonly string[] | undefined;
  readonly busyLabel: Label | undefined;
}

/** Everything on the page but messages; small enough to be sent whole. */
export interface PageFrame {
  readonly me: string;
  readonly people: readonly Person[];
  readonly channels: readonly PageChannel[];
  readonly userGroups: readonly UserGroup[];
  readonly app: {
    readonly appId: string;
    readonly botUserId: string;
    readonly name: string;
    readonly displayName: string;
  };
  readonly commands: readonly {
    readonly command: string;
    readonly hint: string;
    readonly description: string;
  }[];
  readonly shortcuts: readonly { readonly callbackId: string; readonly name: string }[];
  readonly modals: readonly View[];
  readonly home: View | undefined;
  /** How the app is reached, in words. */
  readonly connection: string | undefined;
  readonly panel: readonly PanelCommand[];
  readonly buttons: readonly PageButton[];
  /** What runs and keeps the page from everything else, in words. */
  readonly busy: Label | undefined;
  readonly demo: DemoState | undefined;
}

/** One step of the page's state. */
export interface PageUpdate {
  readonly frame: PageFrame;
  /** New and changed messages. */
  readonly messages: readonly Message[];
  /** Keys of messages that are gone, `<channel>/<ts>`. */
  readonly removed: readonly string[];
}

function messageKey({ channel, ts }: Pick<Message, 'channel' | 'ts'>): string {
  return `${channel}/${ts}`;
}

/** What one reader sees, as steps: each call gives what changed since the one before. */
export function createPageFeed(
  desk: Desk,
  personId: string,
  extras: () => Pick<PageFrame, 'panel' | 'buttons' | 'busy' | 'demo'>,
): () => PageUpdate {
  const known = new Map<string, number>();
  const { workspace, app } = desk;
  return () => {
    const channels = [...workspace.channels.values()].filter(({ members }) => members.has(personId));
    const visible = [
      ...channels.flatMap(({ id }) => [...(workspace.messages.get(id)?.values() ?? [])]),
      ...[...workspace.ephemerals.values()].filter(({ visibleTo }) => visibleTo === personId),
    ];
    const present = new Set(visible.map(messageKey));
    const removed = [...known.keys()].filter((key) => !present.has(key));
    for (const key of removed) known.delete(key);
    const messages = visible.filter((message) => known.get(messageKey(message)) !== message.revision);
    for (const message of messages) known.set(messageKey(message), message.revision);
    return {
      frame: {
        me: personId,
        people: [...workspace.people.values()],
        channels: channels.map((channel) => ({ ...channel, members: [...channel.members] })),
        userGroups: [...workspace.userGroups.values()],
        app: { appId: app.appId, botUserId: app.botUserId, name: app.name, displayName: app.displayName },
        commands: app.manifest.features.slash_commands.map(({ command, usage_hint, description }) => ({
          command,
          hint: usage_hint,
          description,
        })),
        shortcuts: app.manifest.features.shortcuts
          .filter(({ type }) => type === 'message')
          .map(({ callback_id, name }) => ({ callbackId: callback_id, name })),
        modals: workspace.modals.get(personId) ?? [],
        home: workspace.homes.get(personId),
        connection: desk.connection(),
        ...extras(),
      },
      messages,
      removed,
    };
  };
}
