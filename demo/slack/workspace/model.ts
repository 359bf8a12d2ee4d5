import type { Json } from '../json.js';

export interface Person {
  readonly id: string;
  /** Handle, as in `@dana`. */
  readonly name: string;
  readonly realName: string;
  /** Such as `ko-KR`. */
  readonly locale: string;
  /** IANA name. */
  readonly timeZone: string;
  readonly isAdmin: boolean;
  /** A guest, who may see single channels only. */
  readonly isGuest: boolean;
  readonly isSingleChannelGuest: boolean;
  /** Of another organization. */
  readonly isStranger: boolean;
  /** The workspaces they are a member of, the one they act in first. */
  readonly workspaces: readonly string[];
  /**
   * Their id in the whole organization; of a person with an older id of one workspace another one than `id`.
   */
  readonly globalId: string;
  readonly isBot: boolean;
  readonly deleted: boolean;
}

export interface Channel {
  readonly id: string;
  /** Without `#`. */
  readonly name: string;
  readonly kind: 'public' | 'private' | 'im';
  readonly members: ReadonlySet<string>;
  readonly archived: boolean;
  readonly shared: 'external' | 'organization' | 'pending' | undefined;
  /** Ids of the workspaces of the own organization that it is in. */
  readonly workspaces: readonly string[];
  readonly topic: string;
}

export interface UserGroup {
  readonly id: string;
  readonly workspace: string;
  readonly handle: string;
  readonly name: string;
  readonly members: readonly string[];
}

/** A program that posts. `webhook` ones post without a user, as incoming webhooks do. */
export interface Bot {
  readonly id: string;
  readonly appId: string;
  readonly name: string;
  readonly displayName: string;
  readonly userId: string | undefined;
}

export interface Reaction {
  readonly name: string;
  readonly users: readonly string[];
}

export interface StoredFile {
  readonly id: string;
  readonly name: string;
  readonly title: string;
  readonly mimetype: string;
  readonly size: number;
  readonly altText: string;
}

/** What people chose and typed so far: block id, action id, Slack's state value. */
export type Values = Readonly<Record<string, Readonly<Record<string, Json>>>>;

/** A message as it stands at one moment; a change makes a new object. */
export interface Message {
  readonly channel: string;
  readonly ts: string;
  readonly threadTs: string | undefined;
  readonly broadcast: boolean;
  /** The author's user id; webhooks have none. */
  readonly user: string | undefined;
  readonly botId: string | undefined;
  readonly appId: string | undefined;
  /** The name shown in place of the bot's. */
  readonly username: string | undefined;
  readonly subtype: string | undefined;
  readonly text: string;
  readonly blocks: readonly Json[];
  readonly attachments: readonly Json[];
  readonly files: readonly StoredFile[];
  readonly metadata: Json | undefined;
  readonly reactions: readonly Reaction[];
  /** Timestamp of the last edit. */
  readonly edited: string | undefined;
  /** Set when only this person sees it. */
  readonly visibleTo: string | undefined;
  readonly values: Values;
  /** Counter of the workspace's change that made this state. */
  readonly revision: number;
}

/** A modal or Home tab as one person has it. */
export interface View {
  readonly id: string;
  readonly type: 'modal' | 'home';
  readonly userId: string;
  readonly callbackId: string;
  readonly externalId: string;
  readonly privateMetadata: string;
  readonly title: string;
  readonly submit: string | undefined;
  readonly close: string | undefined;
  readonly clearOnClose: boolean;
  readonly notifyOnClose: boolean;
  readonly blocks: readonly Json[];
  readonly hash: string;
  readonly rootId: string;
  readonly previousId: string | undefined;
  readonly values: Values;
  /** Words under input blocks, by block id. */
  readonly errors: Readonly<Record<string, string>>;
  /** A failure of the whole modal, such as no answer in time. */
  readonly notice: string | undefined;
}
