import { globalShortcut, messageShortcut, slashCommand } from '../delivery/interaction-payloads.js';
import { AppResponse, respond } from '../delivery/respond.js';
import type { Desk } from '../desk.js';
import { isJson } from '../json.js';
import type { Channel, Message, Person } from '../workspace/model.js';
import { type Outcome, refused, slackbotTells } from './outcome.js';
import { withMentions } from './typed-text.js';

/** A person types a slash command and sends it. */
export async function runCommand(
  desk: Desk,
  person: Person,
  channel: Channel,
  line: string,
): Promise<Outcome> {
  const [, command = '', rest = ''] = /^(\/\S+)\s*([\s\S]*)$/.exec(line.trim()) ?? [];
  const known = desk.app.manifest.features.slash_commands.find((each) => each.command === command);
  if (known === undefined || !desk.app.manifest.oauth_config.scopes.bot.includes('commands')) {
    slackbotTells(desk, person.id, channel.id, `${command || line} is not a valid command.`);
    return refused('invalid_command');
  }
  const text = known.should_escape ? withMentions(desk.workspace, rest.trim(), true) : rest.trim();
  const payload = slashCommand(desk, person, channel, command, text);
  const delivered = await desk.dispatch({ kind: 'command', payload });
  if (delivered.type === 'failed') {
    slackbotTells(desk, person.id, channel.id, `${command} failed with the error "${delivered.reason}"`);
    return delivered;
  }
  const answer = typeof delivered.body === 'string' ? { text: delivered.body } : delivered.body;
  if (
    isJson(answer) &&
    AppResponse.safeParse(answer).success &&
    (answer.text !== undefined || answer.blocks !== undefined)
  ) {
    const target = { channel: channel.id, userId: person.id, messageTs: undefined, threadTs: undefined };
    const answered = respond(desk, target, answer);
    if (!answered.ok) {
      slackbotTells(desk, person.id, channel.id, `${command} failed with the error "${answered.error}"`);
      return refused(answered.error ?? 'invalid_payload');
    }
  }
  return delivered;
}

/** A person picks a message shortcut, such as "Diagnose this", from a message's menu. */
export async function pickMessageShortcut(
  desk: Desk,
  person: Person,
  callbackId: string,
  message: Message,
): Promise<Outcome> {
  const known = desk.app.manifest.features.shortcuts.some(
    (shortcut) => shortcut.type === 'message' && shortcut.callback_id === callbackId,
  );
  // Shortcuts need the scope of commands (docs.slack.dev/interactivity/implementing-shortcuts).
  if (!known || !desk.app.manifest.oauth_config.scopes.bot.includes('commands')) {
    return refused('unknown_shortcut');
  }
  const payload = messageShortcut(desk, person, callbackId, message);
  const delivered = await desk.dispatch({ kind: 'interaction', payload });
  if (delivered.type === 'failed') {
    slackbotTells(
      desk,
      person.id,
      message.channel,
      `That shortcut did not work: "${delivered.reason}"`,
      message.threadTs,
    );
  }
  return delivered;
}

/** A person picks a global shortcut. */
export function pickGlobalShortcut(desk: Desk, person: Person, callbackId: string): Promise<Outcome> {
  return desk.dispatch({ kind: 'interaction', payload: globalShortcut(desk, person, callbackId) });
}
