import { readFileSync } from 'node:fs';
import { type Logger, pino } from 'pino';
import { expect, vi } from 'vitest';
import type { Approval } from '#src/doctor/incidents/approval.js';
import type { Incident } from '#src/doctor/incidents/incident.js';
import { noPages } from '#src/doctor/incidents/page-links.js';
import { createChannelMembership } from '#src/edges/slack/channel-membership.js';
import { createSlackClients, type SlackClients } from '#src/edges/slack/clients.js';
import { createSlackApp, type SlackApp, type SlackAppOptions } from '#src/edges/slack/create-slack-app.js';
import type { ListenerDeps } from '#src/edges/slack/listeners/deps.js';
import { renderNotice } from '#src/edges/slack/render/blocks.js';
import { renderExplanation } from '#src/edges/slack/render/explanation.js';
import { renderSilenced } from '#src/edges/slack/render/silences.js';
import { createSlackIdentity } from '#src/edges/slack/slack-identity.js';
import { createSlackIncidentThread } from '#src/edges/slack/slack-incident-thread.js';
import {
  createSlackPeopleDirectory,
  type SlackPeopleDirectory,
} from '#src/edges/slack/slack-people-directory.js';
import { person, say } from '#src/engine/language/prose.js';
import { createTell } from '#src/service/create-engine.js';
import { explainSentence } from '#src/service/diagnose/engine.js';
import { notice } from '#src/service/notices/notices.js';
import { createLocalSlack, type LocalSlack } from '../../demo/slack/create-local-slack.js';
import { signedHeaders } from '../../demo/slack/delivery/signature.js';
import type { LocalSlackOptions } from '../../demo/slack/local-slack-options.js';
import type { Message, View } from '../../demo/slack/workspace/model.js';
import { aloud } from './read-aloud.js';
import { reviewOf } from './shown-words.js';
import { openSights } from './sights.js';
import { buildApproval, buildIncident, buildReview, tell } from './slack-builders.js';
import { installationOf } from './slack-installation.js';
import { buildSilence } from './slack-records.js';

const refuse = () => Promise.reject(new Error('This rig answers no such request.'));

const unanswered: ListenerDeps['others'] = {
  explain: refuse,
  scan: refuse,
  incidents: refuse,
  history: refuse,
  audit: refuse,
  silence: refuse,
  unsilence: refuse,
  silences: refuse,
  changes: refuse,
  'stop-changes': refuse,
  'allow-changes': refuse,
};

export type Mode = 'socket' | 'http';

/** One log line as pino writes it. */
export interface LogLine {
  readonly level: number;
  readonly msg: string;
  readonly [field: string]: unknown;
}

export interface Rig {
  readonly slack: LocalSlack;
  readonly app: SlackApp;
  readonly port: number | undefined;
  readonly clients: SlackClients;
  readonly people: SlackPeopleDirectory;
  /** Posts the card of an incident as the delivery does. */
  readonly postCard: (incident?: Incident, approval?: Approval) => Promise<Message>;
  /** Opens the review of the change on that card, and waits for the modal with its button. */
  readonly openReview: (person?: string) => Promise<View>;
  /** The requests to all use cases, by name, in order. */
  readonly asked: { readonly useCase: string; readonly request: unknown }[];
  /** The requests to one use case, in order. */
  readonly asks: (useCase: string) => readonly unknown[];
  /** Waits until a use case was called that often, and returns its requests. */
  readonly untilAsked: (useCase: string, times: number) => Promise<readonly unknown[]>;
  /** Replaces use cases for the rest of the test. */
  readonly let: (fakes: Partial<ListenerDeps>) => void;
  readonly logged: LogLine[];
  /** The last private message to the person, read aloud. */
  readonly told: (person: string) => string;
  close(): Promise<void>;
}

export interface RigOptions
  extends Omit<LocalSlackOptions, 'port'>,
    Pick<SlackAppOptions, 'meters' | 'silentMs'> {
  readonly mode?: Mode;
  /** Where the app serves HTTP; a free port when absent. */
  readonly port?: number;
  /** Handles messages of other programs; they are ignored when absent. */
  readonly alerts?: ListenerDeps['alerts'];
  /** Further requests that the app answers. */
  readonly others?: Partial<ListenerDeps['others']>;
  /** Changes the local Slack before the app starts. */
  readonly beforeStart?: (slack: LocalSlack) => void;
}

export const manifest = JSON.parse(readFileSync(new URL('../../manifest.json', import.meta.url), 'utf8')) as {
  readonly oauth_config: { readonly scopes: { readonly bot: readonly string[] } };
};

/** The manifest of an app that was installed without a scope. */
export function manifestWithout(scope: string): unknown {
  const bot = manifest.oauth_config.scopes.bot.filter((each) => each !== scope);
  return { ...manifest, oauth_config: { scopes: { bot } } };
}

/** The real app with its real clients against a local Slack of its own; the use cases are plain functions. */
export async function startRig({
  mode = 'http',
  port: appPort = 0,
  beforeStart,
  alerts,
  others,
  meters,
  silentMs,
  ...options
}: RigOptions = {}): Promise<Rig> {
  const slack = await createLocalSlack({ manifest, delivery: mode, page: false, ...options });
  beforeStart?.(slack);
  const logged: LogLine[] = [];
  const log = memoryLog(logged);
  const clock = { now: () => new Date() };
  const clients = createSlackClients({ token: () => slack.botToken, slackApiUrl: slack.apiUrl, log });
  const people = createSlackPeopleDirectory({
    ...installationOf(clients.lookup, clock),
    defaultLanguage: 'en',
  });
  const asked: { useCase: string; request: unknown }[] = [];
  const fakes = fakeUseCases();
  const deps: ListenerDeps = {
    log,
    client: clients.interactive,
    people,
    tell,
    clustersFor: async () => ['prod-eu', 'prod-us'],
    languageOfChannel: () => 'en',
    isInChannel: createChannelMembership({ client: clients.lookup, clock }),
    seenBefore: (key) => fakes.seenBefore(key),
    isShown: (incident, user) => fakes.isShown(incident, user),
    incidentInThread: (channel, ts) => fakes.incidentInThread(channel, ts),
    requestDiagnosis: (request) => called('requestDiagnosis', request, fakes.requestDiagnosis),
    diagnoseAgain: (request) => called('diagnoseAgain', request, fakes.diagnoseAgain),
    readIncident: (request) => called('readIncident', request, fakes.readIncident),
    readGroup: (request) => called('readGroup', request, fakes.readGroup),
    diagnoseMember: (request) => called('diagnoseMember', request, fakes.diagnoseMember),
    reviewRemediation: (request) => called('reviewRemediation', request, fakes.reviewRemediation),
    awaitDryRun: (review, by) =>
      called('awaitDryRun', { review, by }, (asked) => fakes.awaitDryRun(asked.review, asked.by)),
    decideApproval: (request) => called('decideApproval', request, fakes.decideApproval),
    maxDecisionMs: 500,
    maxAcknowledgeMs: 250,
    askForApproval: (request) => called('askForApproval', request, fakes.askForApproval),
    cancelChange: (request) => called('cancelChange', request, fakes.cancelChange),
    shareResult: (request) => called('shareResult', request, fakes.shareResult),
    assignIncident: (request) => called('assignIncident', request, fakes.assignIncident),
    silenceOf: (workload) => fakes.silenceOf(workload),
    homePage: (reader) => fakes.homePage(reader),
    findByName: (request) => called('findByName', request, fakes.findByName),
    ...(alerts === undefined ? {} : { alerts }),
    others: {
      ...unanswered,
      explain: async ({ sentence }, { language }) =>
        renderExplanation(explainSentence(sentence, createTell(), language), language, noPages),
      silence: async (_request, { language }) => renderSilenced([buildSilence()], [], language),
      ...others,
    },
  };
  function called<Request, Answer>(
    useCase: string,
    request: Request,
    answer: (request: Request) => Promise<Answer>,
  ): Promise<Answer> {
    asked.push({ useCase, request });
    return answer(request);
  }
  const app = createSlackApp(
    {
      token: () => slack.botToken,
      slackApiUrl: slack.apiUrl,
      receive:
        mode === 'socket'
          ? { mode, appToken: () => slack.appToken }
          : { mode, signingSecret: () => slack.signingSecret },
      ...{ meters, silentMs },
      port: appPort,
      host: '127.0.0.1',
      identity: createSlackIdentity(clients.lookup),
      log,
    },
    deps,
  );
  const { port } = await app.start().catch(async (error: unknown) => {
    await slack.close();
    throw error;
  });
  if (mode === 'http') await slack.talksTo(`http://127.0.0.1:${port}/slack/events`);
  else await slack.until(() => slack.sockets.connections() > 0);
  const thread = createSlackIncidentThread({
    client: clients.delivery,
    tell,
    sights: openSights(),
    languageOf: (user) => people.languageOf(user),
  });
  const postCard: Rig['postCard'] = async (incident = buildIncident({ channel: 'C0MLONCALL' }), approval) => {
    const place = { channel: incident.channel, threadTs: incident.threadTs };
    const shown = await thread.post({ kind: 'card', incident, approval }, place, `${incident.id}.card`);
    if (shown.type !== 'shown') throw new Error(`the card was not shown: ${shown.type}`);
    return slack.until(() => slack.message(shown));
  };
  const asks: Rig['asks'] = (useCase) =>
    asked.filter((each) => each.useCase === useCase).map(({ request }) => request);
  return {
    ...{ slack, app, port, clients, people, postCard, asked, asks },
    async openReview(person = 'dana') {
      await slack.as(person).clicks(await postCard(), reviewOf('ml/inference'));
      return slack.until(() => {
        const modal = slack.as(person).modal();
        return modal?.submit === undefined ? undefined : modal;
      });
    },
    async untilAsked(useCase, times) {
      await vi.waitFor(() => expect(asks(useCase).length).toBeGreaterThanOrEqual(times), { timeout: 90_000 });
      return asks(useCase);
    },
    let: (changed) => Object.assign(fakes, changed),
    logged,
    told: (person) => read(slack.ephemerals(person).at(-1)),
    async close() {
      await app.stop();
      await slack.close();
    },
  };
}

export function read(message: Pick<Message, 'blocks'> | undefined): string {
  return message === undefined ? '' : aloud(message.blocks);
}

function fakeUseCases() {
  const seen = new Set<string>();
  const incident = buildIncident({ channel: 'C0MLONCALL' });
  const fakes: Pick<
    ListenerDeps,
    | 'requestDiagnosis'
    | 'diagnoseAgain'
    | 'readIncident'
    | 'readGroup'
    | 'diagnoseMember'
    | 'reviewRemediation'
    | 'awaitDryRun'
    | 'decideApproval'
    | 'askForApproval'
    | 'cancelChange'
    | 'assignIncident'
    | 'shareResult'
    | 'seenBefore'
    | 'isShown'
    | 'incidentInThread'
    | 'silenceOf'
    | 'homePage'
    | 'findByName'
  > = {
    requestDiagnosis: async () => ({ type: 'queued', incident, joined: false }),
    diagnoseAgain: async () => ({ type: 'queued', incident }),
    readIncident: async () => ({ type: 'incident', incident }),
    reviewRemediation: async () => buildReview({ incident }),
    awaitDryRun: async (review) => ({ ...review, dryRun: buildReview().dryRun }),
    decideApproval: async () => ({ type: 'approved', incident, approval: buildApproval() }),
    askForApproval: async () => ({ type: 'asked', users: [], groups: ['ml-oncall'] }),
    cancelChange: async () => ({ type: 'cancelled', approval: buildApproval() }),
    readGroup: async ({ incidentId: id }) => ({
      type: 'refused',
      because: notice('incident-unknown', { id }),
    }),
    diagnoseMember: async () => ({ type: 'queued', incident, joined: false }),
    shareResult: async () => ({ type: 'shared', incident }),
    assignIncident: async () => ({ type: 'yours', incident, since: incident.createdAt, isNew: true }),
    isShown: async () => true,
    incidentInThread: async () => undefined,
    silenceOf: async () => undefined,
    findByName: async ({ text }) => ({
      ...{ type: 'found', text, incidents: [], workloads: [], near: [], unreadable: undefined },
    }),
    homePage: async ({ user }) => renderNotice(say`The page of ${person(user)}`),
    seenBefore: async (key) => {
      const again = seen.has(key);
      seen.add(key);
      return again;
    },
  };
  return fakes;
}

function memoryLog(lines: LogLine[]): Logger {
  return pino({ level: 'info' }, { write: (line: string) => void lines.push(JSON.parse(line) as LogLine) });
}

/** The body of a slash command, as Slack sends it. */
export const commandBody = (text = 'ml/inference', more: Readonly<Record<string, string>> = {}): string =>
  new URLSearchParams({
    ...{ command: '/rollout-doctor', text, user_id: 'U0DANA', channel_id: 'C0MLONCALL', team_id: 'T0LOCAL' },
    ...{ trigger_id: '1.2.3', response_url: 'http://127.0.0.1:1/none', ...more },
  }).toString();

/** Sends a body with the signature of this secret: what became of it, and what the answer says. */
export async function sendSigned(
  { port, secret }: { readonly port: number | undefined; readonly secret: string },
  body: string,
  type = 'application/x-www-form-urlencoded',
): Promise<{ readonly status: number; readonly text: string }> {
  const signature = signedHeaders(secret, body, Math.floor(Date.now() / 1_000));
  const headers = { 'content-type': type, connection: 'close', ...signature };
  const answer = await fetch(`http://127.0.0.1:${port}/slack/events`, { method: 'POST', headers, body });
  return { status: answer.status, text: await answer.text() };
}
