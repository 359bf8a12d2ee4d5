import type { ChatPostMessageArguments, WebClient } from '@slack/web-api';
import type { AlertPlace } from '../../core/alert/alert-record.js';
import { visibleIn } from '../../core/authorization/view.js';
import type { WorkloadRef } from '../../core/cluster/workload.js';
import type { Approval } from '../../core/incident/approval.js';
import type { MessageRef } from '../../core/incident/delivery.js';
import type { Incident } from '../../core/incident/incident.js';
import type { Pages } from '../../core/incident/page-links.js';
import { visibleApproval, visibleIncident } from '../../core/incident/visible-incident.js';
import type { Tell } from '../../core/language/catalogue.js';
import type { Language } from '../../core/language/language.js';
import type { AlertThread } from '../../usecases/alerts/alert-ports.js';
import { type IncidentThread, notShownHere, type Shown } from '../../usecases/deliver/incident-thread.js';
import type { Sights } from '../../usecases/people/sights.js';
import { callSlack } from './call-slack.js';
import type { LinkTo } from './card-link.js';
import { findMessage, metadataType } from './find-message.js';
import type { PictureImages } from './picture-images.js';
import { plainOnly, tooMuch } from './plain-message.js';
import { renderCard } from './render/card.js';
import type { CardOptions } from './render/card-context.js';
import { renderEntry } from './render/entry.js';
import type { Message } from './render/message.js';
import { renderNotShown } from './render/not-shown.js';
import { renderNotice } from './render/notice.js';
import { renderPointer, renderResolution } from './render/pointer.js';
import { renderQuestion } from './render/question.js';
import { showPicture, showsFile } from './show-picture.js';
import { failed, gone, shownAt } from './shown-answer.js';
import type { SlackReactions } from './slack-reactions.js';

export interface SlackIncidentThreadOptions {
  readonly client: WebClient;
  readonly tell: Tell;
  readonly languageOf: (user: string) => Promise<Language>;
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
 * Shows incidents in Slack, as far as the readers of the channel may see them at that moment. Each call is one attempt.
 * Posts carry their key in the message's metadata, which is how a doubtful one is found again; the key holds ids only,
 * since metadata is readable by every app in the channel.
 */
export function createSlackIncidentThread({
  client,
  tell,
  languageOf,
  sights,
  reactions = { replace: async () => undefined },
  links = async () => undefined,
  pages,
  hasGitSource,
  images,
}: SlackIncidentThreadOptions): IncidentThread & AlertThread {
  async function post(
    place: {
      readonly channel: string;
      readonly threadTs: string | undefined;
      readonly isInChannel?: boolean;
    },
    message: Message,
    key: string,
  ): Promise<Shown> {
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

  /** What is stated about no workload may be read by everybody. */
  const mayRead = async (user: string, workload: WorkloadRef | undefined): Promise<boolean> =>
    workload === undefined || visibleIn(await sights.ofPerson(user), workload).workload;

  const card = async ({
    incident,
    approval,
  }: {
    readonly incident: Incident;
    readonly approval: Approval | undefined;
  }): Promise<Message> => {
    const linkTo = incident.group === undefined ? undefined : await links();
    return renderCard(incident, approval, { tell, linkTo, pages, hasGitSource });
  };

  /** The incident as the readers of the channel may see it; `undefined` when they may not see its workload. */
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

  /** In the thread of an alert: what is said of the incident, and the way to its card. */
  const postBeside = async (
    place: AlertPlace,
    incident: Incident,
    card: MessageRef,
    key: string,
    render: (incident: Incident, link: string | undefined) => Message,
  ): Promise<Shown> => {
    const visible = await visibleTo(place.channel, incident);
    if (visible === undefined) return notShown;
    const answer = await callSlack(() =>
      client.chat.getPermalink({ channel: card.channel, message_ts: card.ts }),
    );
    if (answer.type === 'throttled') return failed(answer);
    const link = answer.type === 'answered' ? answer.result.permalink : undefined;
    return post(placeOf(place), render(visible.incident, link), key);
  };

  /** To one person. A channel that we cannot write to is no reason for silence: then the person gets a direct message. */
  async function showOne(
    { channel, threadTs }: Place,
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

  return {
    postCard: async (incident, approval, key) => {
      const { channel, threadTs } = incident;
      const visible = await visibleTo(channel, incident, approval);
      if (visible === undefined) return notShown;
      return post({ channel, threadTs }, await card(visible), key);
    },

    updateCard: async (incident, approval, message) => {
      const visible = await visibleTo(message.channel, incident, approval);
      if (visible === undefined) return edit(renderNotShown(incident.language), message);
      return edit(await card(visible), message);
    },

    postEntry: async (incident, approval, entry, thread, key) => {
      const visible = await visibleTo(thread.channel, incident, approval);
      if (visible === undefined) return notShown;
      const message = renderEntry(visible.incident, visible.approval, entry, { tell });
      const isInChannel = entry.kind === 'announcement';
      return post({ channel: thread.channel, threadTs: thread.ts, isInChannel }, message, key);
    },

    updateAnnouncement: async (incident, of, message) => {
      const visible = await visibleTo(message.channel, incident);
      if (visible === undefined) return edit(renderNotShown(incident.language), message);
      return edit(renderEntry(visible.incident, undefined, { kind: 'announcement', of }, { tell }), message);
    },

    postPicture: async (incident, thread, key) => {
      const visible = await visibleTo(thread.channel, incident);
      if (visible === undefined) return notShown;
      const place = { channel: thread.channel, threadTs: thread.ts };
      return showPicture(images, visible.incident, undefined, (picture) => post(place, picture, key));
    },

    updatePicture: async (incident, message, former) => {
      const visible = await visibleTo(message.channel, incident);
      if (visible !== undefined)
        return showPicture(images, visible.incident, former, (picture) => edit(picture, message));
      const shown = await edit(renderNotShown(incident.language), message);
      if (shown.type === 'shown' && former !== undefined) await images?.remove(former.id);
      return shown;
    },

    postQuestion: async (question, language, key) => {
      const { sight } = await sights.ofChannel(question.place.channel);
      const choices = question.choices.filter((workload) => visibleIn(sight, workload).workload);
      if (choices.length === 0) return notShown;
      return post(placeOf(question.place), renderQuestion({ ...question, choices }, language), key);
    },

    postPointer: (place, incident, card, key) => postBeside(place, incident, card, key, renderPointer),

    postResolution: (place, incident, card, key) =>
      postBeside(place, incident, card, key, (visible, link) => renderResolution(visible, link, tell)),

    async react(message, incident, reaction, former) {
      if ((await visibleTo(message.channel, incident)) === undefined) return notShown;
      return reactions.replace(message, reaction, former);
    },

    async notify({ channel, threadTs, user, statement, workload }) {
      if (!(await mayRead(user, workload))) return notShown;
      return showOne({ channel, threadTs }, user, renderNotice(tell(statement, await languageOf(user))));
    },

    async showResult(incident, user) {
      const { channel, threadTs } = incident;
      const visible = await visibleTo(channel, incident);
      if (visible === undefined || !(await mayRead(user, incident.workload))) return notShown;
      const language = await languageOf(user);
      const card = renderCard({ ...visible.incident, language }, undefined, { tell, pages, isPrivate: true });
      return showOne({ channel, threadTs }, user, card);
    },

    find: (channel, threadTs, key, since) => findMessage(client, { channel, threadTs, key, since }),
  };
}

interface Place {
  readonly channel: string;
  readonly threadTs: string | undefined;
  /** A reply that the channel shows as well. */
  readonly isInChannel?: boolean;
}

function placeArguments({ channel, threadTs, isInChannel = false }: Place) {
  if (threadTs === undefined) return { channel };
  return isInChannel
    ? ({ channel, thread_ts: threadTs, reply_broadcast: true } as const)
    : { channel, thread_ts: threadTs };
}

/** Refused by the policy, not by Slack; final for this version of the record. */
const notShown: Shown = { type: 'refused', error: notShownHere };

function placeOf({ channel, threadTs }: AlertPlace): {
  readonly channel: string;
  readonly threadTs: string | undefined;
} {
  return { channel, threadTs };
}
