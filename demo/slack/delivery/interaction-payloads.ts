import type { Desk } from '../desk.js';
import type { Json } from '../json.js';
import { currentMessage } from '../workspace/messages.js';
import type { Channel, Message, Person, View } from '../workspace/model.js';
import { wireMessage, wireView } from '../workspace/wire.js';

/**
 * What every interaction says: who, where from, and the permission to open a modal. An installation of an
 * organization has no `team`; `user.team_id` is the workspace in which the person acts
 * (github.com/slackapi/bolt-python/pull/23).
 */
function common(desk: Desk, person: Person): Json {
  const { workspace, app } = desk;
  const { organization, teamDomain } = workspace;
  return {
    user: { id: person.id, username: person.name, name: person.name, team_id: person.workspaces[0] },
    ...(organization === undefined
      ? {
          team: { id: workspace.teamId, domain: teamDomain },
          enterprise: null,
          is_enterprise_install: false,
        }
      : {
          team: null,
          enterprise: { id: organization.id, name: organization.name },
          is_enterprise_install: true,
        }),
    api_app_id: app.appId,
    token: app.verificationToken,
    trigger_id: desk.triggers.issue(person.id),
  };
}

function responseUrl(desk: Desk, person: Person, message: Message): string {
  return (
    desk.origin() +
    desk.responseUrls.issue({
      channel: message.channel,
      userId: person.id,
      messageTs: message.ts,
      threadTs: message.threadTs,
    })
  );
}

function channelOf(desk: Desk, id: string): Json {
  const channel = desk.workspace.channels.get(id);
  return { id, name: channel?.kind === 'im' ? 'directmessage' : (channel?.name ?? '') };
}

/** A click or choice in a message. A message only one person sees is not part of the payload, as in Slack. */
export function messageAction(desk: Desk, person: Person, message: Message, action: Json): Json {
  const current = currentMessage(desk.workspace, message) ?? message;
  const isEphemeral = message.visibleTo !== undefined;
  return {
    type: 'block_actions',
    ...common(desk, person),
    container: {
      type: 'message',
      message_ts: message.ts,
      channel_id: message.channel,
      is_ephemeral: isEphemeral,
      ...(message.threadTs === undefined ? {} : { thread_ts: message.threadTs }),
    },
    channel: channelOf(desk, message.channel),
    ...(isEphemeral ? {} : { message: wireMessage(desk.workspace, current) }),
    state: { values: current.values },
    response_url: responseUrl(desk, person, message),
    actions: [{ ...action, action_ts: desk.workspace.nextTs() }],
  };
}

/** A click or choice in a modal or on the Home tab. */
export function viewAction(desk: Desk, person: Person, view: View, action: Json): Json {
  return {
    type: 'block_actions',
    ...common(desk, person),
    container: { type: 'view', view_id: view.id },
    view: wireView(desk.workspace, view, desk.app),
    actions: [{ ...action, action_ts: desk.workspace.nextTs() }],
  };
}

export function viewSubmission(desk: Desk, person: Person, view: View): Json {
  const team = person.workspaces[0];
  return {
    type: 'view_submission',
    ...common(desk, person),
    // Of a person of another organization it is their own workspace
    // (github.com/slackapi/bolt-js/issues/1614).
    ...(person.isStranger ? { team: { id: team, domain: 'other' } } : {}),
    view: wireView(desk.workspace, view, desk.app),
    response_urls: [],
  };
}

export function viewClosed(desk: Desk, person: Person, view: View, isCleared: boolean): Json {
  const { trigger_id: _, ...rest } = common(desk, person) as Record<string, unknown>;
  return {
    type: 'view_closed',
    ...rest,
    view: wireView(desk.workspace, view, desk.app),
    is_cleared: isCleared,
  };
}

export function messageShortcut(desk: Desk, person: Person, callbackId: string, message: Message): Json {
  return {
    type: 'message_action',
    ...common(desk, person),
    callback_id: callbackId,
    action_ts: desk.workspace.nextTs(),
    channel: channelOf(desk, message.channel),
    message_ts: message.ts,
    message: wireMessage(desk.workspace, message),
    response_url: responseUrl(desk, person, message),
  };
}

export function globalShortcut(desk: Desk, person: Person, callbackId: string): Json {
  return {
    type: 'shortcut',
    ...common(desk, person),
    callback_id: callbackId,
    action_ts: desk.workspace.nextTs(),
  };
}

/** The form fields of a slash command. */
export function slashCommand(
  desk: Desk,
  person: Person,
  channel: Channel,
  command: string,
  text: string,
): Readonly<Record<string, string>> {
  const path = desk.responseUrls.issue({
    channel: channel.id,
    userId: person.id,
    messageTs: undefined,
    threadTs: undefined,
  });
  const { organization } = desk.workspace;
  return {
    token: desk.app.verificationToken,
    team_id: person.workspaces[0] ?? desk.workspace.teamId,
    ...(organization === undefined
      ? {}
      : { enterprise_id: organization.id, enterprise_name: organization.name }),
    team_domain: desk.workspace.teamDomain,
    channel_id: channel.id,
    channel_name: channel.kind === 'im' ? 'directmessage' : channel.name,
    user_id: person.id,
    user_name: person.name,
    command,
    text,
    api_app_id: desk.app.appId,
    is_enterprise_install: String(organization !== undefined),
    response_url: desk.origin() + path,
    trigger_id: desk.triggers.issue(person.id),
  };
}
