import type { Json } from '../json.js';
import { repliesTo } from './messages.js';
import type { Channel, Message, Person, StoredFile, View } from './model.js';
import type { Workspace } from './workspace.js';

/** Fields without a value are left out, as Slack leaves them out. */
function compact(fields: Json): Json {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

/** A message as the Web API and events spell it. Metadata only when asked for. */
export function wireMessage(workspace: Workspace, message: Message, includeMetadata = false): Json {
  const replies = message.threadTs === undefined ? repliesTo(workspace, message) : [];
  const bot = message.botId === undefined ? undefined : workspace.bots.get(message.botId);
  const isParent = replies.length > 0;
  return compact({
    type: 'message',
    subtype: message.subtype,
    user: message.user,
    bot_id: message.botId,
    app_id: message.appId,
    username: message.username,
    bot_profile:
      bot === undefined || message.subtype === 'bot_message'
        ? undefined
        : { id: bot.id, app_id: bot.appId, name: bot.displayName, deleted: false, team_id: workspace.teamId },
    team: workspace.teamId,
    text: message.text,
    ts: message.ts,
    thread_ts: message.threadTs ?? (isParent ? message.ts : undefined),
    blocks: message.blocks.length > 0 ? message.blocks : undefined,
    attachments: message.attachments.length > 0 ? message.attachments : undefined,
    files: message.files.length > 0 ? message.files.map(wireFile) : undefined,
    metadata: includeMetadata ? message.metadata : undefined,
    edited:
      message.edited === undefined ? undefined : { user: message.user ?? message.botId, ts: message.edited },
    reactions:
      message.reactions.length > 0
        ? message.reactions.map(({ name, users }) => ({ name, users, count: users.length }))
        : undefined,
    reply_count: isParent ? replies.length : undefined,
    reply_users: isParent ? [...new Set(replies.map((reply) => reply.user ?? reply.botId))] : undefined,
    latest_reply: isParent ? replies.at(-1)?.ts : undefined,
    is_ephemeral: message.visibleTo === undefined ? undefined : true,
  });
}

export function wireFile(file: StoredFile): Json {
  return {
    id: file.id,
    name: file.name,
    title: file.title,
    mimetype: file.mimetype,
    size: file.size,
    alt_txt: file.altText,
    mode: 'hosted',
  };
}

export function wireChannel(workspace: Workspace, channel: Channel, reader: string): Json {
  const isIm = channel.kind === 'im';
  const isOrgShared = channel.shared === 'organization' || channel.workspaces.length > 1;
  return compact({
    id: channel.id,
    name: isIm ? undefined : channel.name,
    name_normalized: isIm ? undefined : channel.name,
    is_channel: channel.kind === 'public',
    is_group: channel.kind === 'private',
    is_im: isIm,
    is_private: channel.kind !== 'public',
    is_shared: isIm ? undefined : channel.shared === 'external' || isOrgShared,
    is_ext_shared: isIm ? undefined : channel.shared === 'external',
    is_org_shared: isIm ? undefined : isOrgShared,
    is_pending_ext_shared: isIm ? undefined : channel.shared === 'pending',
    is_archived: channel.archived,
    is_member: channel.members.has(reader),
    user: isIm ? [...channel.members].find((member) => member !== reader) : undefined,
    num_members: channel.members.size,
    topic: { value: channel.topic, creator: '', last_set: 0 },
    purpose: { value: '', creator: '', last_set: 0 },
    context_team_id: channel.workspaces[0] ?? workspace.teamId,
    shared_team_ids: isIm ? undefined : channel.workspaces,
  });
}

/**
 * A person as `users.info` gives them; the locale only when asked for, the address only with the scope
 * `users:read.email`.
 */
export function wirePerson(
  workspace: Workspace,
  person: Person,
  { includeLocale, includeEmail }: { readonly includeLocale: boolean; readonly includeEmail: boolean },
): Json {
  return compact({
    id: person.id,
    team_id: person.workspaces[0] ?? workspace.teamId,
    enterprise_user: enterpriseUser(workspace, person),
    name: person.name,
    real_name: person.realName,
    deleted: person.deleted,
    tz: person.timeZone,
    locale: includeLocale ? person.locale : undefined,
    is_admin: person.isAdmin,
    is_owner: false,
    is_bot: person.isBot,
    is_restricted: person.isGuest || person.isSingleChannelGuest,
    is_ultra_restricted: person.isSingleChannelGuest,
    is_stranger: person.isStranger ? true : undefined,
    is_app_user: false,
    profile: compact({
      real_name: person.realName,
      display_name: person.name,
      team: workspace.teamId,
      email: includeEmail && !person.isBot ? `${person.name}@example.com` : undefined,
    }),
  });
}

/**
 * Of people of an organization, the strangers' being another one
 * (docs.slack.dev/reference/objects/user-object).
 */
function enterpriseUser({ organization }: Workspace, person: Person): Json | undefined {
  const isOld = person.globalId !== person.id || person.globalId.startsWith('W');
  if (person.isBot || (organization === undefined && !isOld)) return undefined;
  return {
    id: person.globalId,
    enterprise_id: person.isStranger ? 'E0OTHER' : (organization?.id ?? 'E0LOCAL'),
    enterprise_name: organization?.name ?? '',
    is_admin: false,
    is_owner: false,
    teams: person.workspaces,
  };
}

export function wireView(workspace: Workspace, view: View, app: { appId: string; botId: string }): Json {
  const plain = (text: string) => ({ type: 'plain_text', text, emoji: true });
  return {
    id: view.id,
    team_id: workspace.teamId,
    type: view.type,
    blocks: view.blocks,
    private_metadata: view.privateMetadata,
    callback_id: view.callbackId,
    external_id: view.externalId,
    state: { values: view.values },
    hash: view.hash,
    title: plain(view.title),
    submit: view.submit === undefined ? null : plain(view.submit),
    close: view.close === undefined ? null : plain(view.close),
    clear_on_close: view.clearOnClose,
    notify_on_close: view.notifyOnClose,
    root_view_id: view.rootId,
    previous_view_id: view.previousId ?? null,
    app_id: app.appId,
    app_installed_team_id: workspace.teamId,
    bot_id: app.botId,
  };
}
