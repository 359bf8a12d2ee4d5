import type { ChatPostMessageArguments, WebClient } from '@slack/web-api';
import type { Approval } from '../../doctor/incidents/approval.js';
import type { AlertReaction, MessageRef, ShownImage } from '../../doctor/incidents/delivery.js';
import type { Incident } from '../../doctor/incidents/incident.js';
import type { Pages } from '../../doctor/incidents/page-links.js';
import { visibleApproval, visibleIncident } from '../../doctor/incidents/visible-incident.js';
import { visibleIn } from '../../doctor/policy/view.js';
import type { Tell } from '../../engine/language/catalogue.js';
import type { Language } from '../../engine/language/language.js';
import type { PostMortems } from '../../service/deliver/deliver-note.js';
import {
  type Content,
  type IncidentThread,
  type MessagePlace,
  notShownHere,
  type PrivateContent,
  type Shown,
} from '../../service/deliver/incident-thread.js';
import type { Sights } from '../../service/people/sights.js';
import { callSlack, type SlackAnswer } from './call-slack.js';
import type { LinkTo } from './card-link.js';
import { failed, findMessage, gone, metadataType, shownAt } from './find-message.js';
import type { PictureImages } from './picture-images.js';
import { plainOnly, tooMuch } from './plain-message.js';
import { renderNotice } from './render/blocks.js';
import { renderCard } from './render/card.js';
import type { CardOptions } from './render/card-context.js';
import { renderEntry, renderNotShown } from './render/entry.js';
import type { Message } from './render/message.js';
import { renderPicture } from './render/picture.js';
import { renderPointer, renderQuestion, renderResolution } from './render/pointer.js';
import { peopleIn, postMortemMarkdown } from './render/post-mortem.js';

interface SlackIncidentThreadOptions {
  readonly client: WebClient;
  readonly tell: Tell;
  readonly languageOf: (user: string) => Promise<Language>;
  /** Names of people for readers outside of Slack; absent: they are mentioned by id. */
  readonly namesOf?: (ids: readonly string[]) => Promise<ReadonlyMap<string, string>>;
  /** Asked before every message: nothing is posted or kept that its readers may not see. */
  readonly sights: Sights;
  /** Without it messages of alerts get no reaction. */
  readonly reactions?: SlackReactions;
  /** Addresses of cards that another card names; asked of Slack once, and then known. */
  readonly links?: () => Promise<LinkTo | undefined>;
  /** Pages about an incident that its card links to. */
  readonly pages?: Pages;
  /** Whether a pull request is offered. */
  readonly hasGitSource?: CardOptions['hasGitSource'];
  /** Absent: pictures are shown as text. */
  readonly images?: PictureImages;
}

/**
 * Shows incidents in Slack, as far as the readers of the channel may see them at that moment. Each call is
 * one attempt. Posts carry their key in the message's metadata, which is how a doubtful one is found again;
 * the key holds ids only, since metadata is readable by every app in the channel.
 */
export function createSlackIncidentThread({
  client,
  tell,
  languageOf,
  namesOf = async () => new Map(),
  sights,
  reactions = { replace: async () => undefined },
  links = async () => undefined,
  pages,
  hasGitSource,
  images,
}: SlackIncidentThreadOptions): IncidentThread & PostMortems {
  async function post(place: Place, message: Message, key: string): Promise<Shown> {
    const send = ({ text, blocks }: Message) =>
      callSlack(() =>
        client.chat.postMessage({
          text,
          blocks,
          unfurl_links: false,
          unfurl_media: false,
          metadata: { event_type: metadataType, event_payload: { key } },
          ...placeArguments(place),
        } satisfies ChatPostMessageArguments),
      );
    let answer = await send(message);
    if (tooMuch(answer) && !showsFile(message)) answer = await send(plainOnly(message));
    if (answer.type !== 'answered') return failed(answer);
    const { channel = place.channel, ts } = answer.result;
    return shownAt(channel, ts);
  }

  async function edit(message: Message, { channel, ts }: MessageRef): Promise<Shown> {
    const send = ({ text, blocks }: Message) =>
      callSlack(() => client.chat.update({ channel, ts, text, blocks }));
    let answer = await send(message);
    if (tooMuch(answer) && !showsFile(message)) answer = await send(plainOnly(message));
    // Only an answer that names the message says that it was edited; editing again is harmless.
    if (answer.type === 'answered') {
      return answer.result.ts === ts ? { type: 'shown', channel, ts } : { type: 'unavailable' };
    }
    return answer.type === 'doubtful' ? { type: 'unavailable' } : failed(answer);
  }

  /**
   * The incident as the readers of the channel may see it; `undefined` when they may not see its workload.
   */
  const visibleTo = async (
    channel: string,
    incident: Incident,
    approval?: Approval,
  ): Promise<{ readonly incident: Incident; readonly approval: Approval | undefined } | undefined> => {
    const { sight } = await sights.ofChannel(channel, incident.origin.by);
    if (!visibleIn(sight, incident.workload).workload) return undefined;
    return {
      incident: visibleIncident(incident, sight),
      approval: visibleApproval(approval, incident, sight),
    };
  };

  /** Sends what the readers of the channel may see of the content. */
  async function show(
    content: Content,
    channel: string,
    send: (message: Message) => Promise<Shown>,
    former?: ShownImage,
  ): Promise<Shown> {
    if (content.kind === 'question') {
      const { sight } = await sights.ofChannel(channel);
      const choices = content.question.choices.filter((workload) => visibleIn(sight, workload).workload);
      if (choices.length === 0) return notShown;
      return send(renderQuestion({ ...content.question, choices }, content.language));
    }
    const visible = await visibleTo(
      channel,
      content.incident,
      'approval' in content ? content.approval : undefined,
    );
    if (visible === undefined) return notShown;
    const { incident, approval } = visible;
    switch (content.kind) {
      case 'card': {
        const linkTo = incident.group === undefined ? undefined : await links();
        return send(renderCard(incident, approval, { tell, linkTo, pages, hasGitSource }));
      }
      case 'entry':
        return send(renderEntry(incident, approval, content.entry, { tell }));
      case 'picture':
        return showPicture(images, incident, former, send);
      case 'pointer':
      case 'resolution': {
        const card = { channel: content.card.channel, message_ts: content.card.ts };
        const answer = await callSlack(() => client.chat.getPermalink(card));
        if (answer.type === 'throttled') return failed(answer);
        const link = answer.type === 'answered' ? answer.result.permalink : undefined;
        const isPointer = content.kind === 'pointer';
        return send(isPointer ? renderPointer(incident, link) : renderResolution(incident, link, tell));
      }
    }
  }

  /**
   * To one person. A channel that we cannot write to is no reason for silence: then the person gets a direct
   * message.
   */
  async function sendPrivately(
    { channel, threadTs }: MessagePlace,
    user: string,
    { text, blocks }: Message,
  ): Promise<Shown> {
    const thread = threadTs === undefined ? {} : { thread_ts: threadTs };
    const answer = await callSlack(() =>
      client.chat.postEphemeral({ channel, user, text, blocks, ...thread }),
    );
    if (gone(answer)) {
      const direct = await callSlack(() => client.chat.postMessage({ channel: user, text, blocks }));
      if (direct.type !== 'answered') return failed(direct);
      return shownAt(direct.result.channel ?? user, direct.result.ts);
    }
    if (answer.type !== 'answered') return failed(answer);
    return shownAt(channel, answer.result.message_ts);
  }

  /** What is stated about no workload may be read by everybody. */
  async function showPrivately(content: PrivateContent, place: MessagePlace): Promise<Shown> {
    const { user } = content;
    const { workload } = content.kind === 'result' ? content.incident : content;
    if (workload !== undefined && !visibleIn(await sights.ofPerson(user), workload).workload) return notShown;
    if (content.kind === 'notice') {
      const statement = tell(content.statement, await languageOf(user));
      return sendPrivately(place, user, renderNotice(statement));
    }
    const visible = await visibleTo(place.channel, content.incident);
    if (visible === undefined) return notShown;
    const incident = { ...visible.incident, language: await languageOf(user) };
    return sendPrivately(place, user, renderCard(incident, undefined, { tell, pages, isPrivate: true }));
  }

  return {
    async post(content, { channel, threadTs }, key) {
      if ('user' in content) return showPrivately(content, { channel, threadTs });
      const isInChannel = content.kind === 'entry' && content.entry.kind === 'announcement';
      return show(content, channel, (message) => post({ channel, threadTs, isInChannel }, message, key));
    },

    async edit(content, message, former) {
      const shown = await show(content, message.channel, (next) => edit(next, message), former);
      if (shown !== notShown) return shown;
      const { language } = content.kind === 'question' ? content : content.incident;
      const withdrawn = await edit(renderNotShown(language), message);
      if (withdrawn.type === 'shown' && former !== undefined) await images?.remove(former.id);
      return withdrawn;
    },

    async react(message, incident, reaction, former) {
      if ((await visibleTo(message.channel, incident)) === undefined) return notShown;
      return reactions.replace(message, reaction, former);
    },

    find: (place, key, since) => findMessage(client, place, key, since),

    async postMortemOf(incident) {
      const visible = await visibleTo(incident.channel, incident);
      if (visible === undefined) return undefined;
      const names = await namesOf(peopleIn(visible.incident));
      return postMortemMarkdown(visible.incident, { language: incident.language, tell, names });
    },
  };
}

interface Place extends MessagePlace {
  /** A reply that the channel shows as well. */
  readonly isInChannel: boolean;
}

function placeArguments({ channel, threadTs, isInChannel }: Place) {
  if (threadTs === undefined) return { channel };
  return isInChannel
    ? ({ channel, thread_ts: threadTs, reply_broadcast: true } as const)
    : { channel, thread_ts: threadTs };
}

/** Refused by the policy, not by Slack; final for this version of the record. */
const notShown: Shown = { type: 'refused', error: notShownHere };

/**
 * Slack refuses a file that it is still processing (slackapi/python-slack-sdk#1521), usually for a second.
 */
const maxRefusals = 4;

/**
 * Sends the incident's picture as an image where the bot may upload files, and as text everywhere else.
 *
 * @param former the file that the message shows now
 * @param send posts the message, or edits it
 */
async function showPicture(
  images: PictureImages | undefined,
  incident: Incident,
  former: ShownImage | undefined,
  send: (message: Message) => Promise<Shown>,
): Promise<Shown> {
  const image = await images?.imageOf(incident, former);
  if (images !== undefined && image !== undefined) {
    const shown = await sendImage(images, renderPicture(incident, image.id), send);
    if (shown.type === 'shown') {
      if (former !== undefined && former.id !== image.id) await images.remove(former.id);
      return { ...shown, image };
    }
    if (shown.type !== 'refused' && shown.type !== 'throttled') return shown;
    if (former?.id !== image.id) await images.remove(image.id);
    if (shown.type === 'throttled' || !isAboutFile(shown.error)) return shown;
  }
  const shown = await send(renderPicture(incident));
  if (shown.type === 'shown' && former !== undefined) await images?.remove(former.id);
  return shown;
}

async function sendImage(
  images: PictureImages,
  message: Message,
  send: (message: Message) => Promise<Shown>,
): Promise<Shown> {
  for (let refusals = 1; ; refusals += 1) {
    const shown = await send(message);
    if (shown.type !== 'refused' || !isAboutFile(shown.error) || refusals === maxRefusals) return shown;
    await images.waitForProcessing();
  }
}

/** Slack answers `invalid_blocks` for a file that is not ready, and for one that is gone. */
function isAboutFile(error: string): boolean {
  return error === 'invalid_blocks';
}

function showsFile({ blocks }: Message): boolean {
  return blocks.some((block) => block.type === 'image' && 'slack_file' in block);
}

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

interface SlackReactions {
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
  client: WebClient;
  now: () => number;
  onScopeMissing: () => void;
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
