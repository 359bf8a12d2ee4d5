import * as z from 'zod';
import type { Immutable } from '../../engine/objects/wire.js';
import { ChannelId } from '../policy/group-names.js';
import { DigestSettings } from '../scans/weekly-digest.js';
import { SentinelSettings } from '../sentinel/sentinel-settings.js';
import { AlertSource } from './alert.js';

const channel = ChannelId;

/** Where a secret is: never in the file itself. */
const SecretFrom = z.union([
  z.strictObject({ env: z.string().regex(/^[A-Z][A-Z0-9_]*$/, 'the name of an environment variable') }),
  z.strictObject({ file: z.string().min(1) }),
]);
export type SecretFrom = Immutable<z.output<typeof SecretFrom>>;

const headerName = z.string().regex(/^[A-Za-z0-9-]{1,64}$/, 'the name of an HTTP header');

/** How a sender shows that it may. There is no webhook without. */
const Auth = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('bearer'), token: SecretFrom }),
  z.strictObject({ type: z.literal('basic'), user: z.string().min(1), password: SecretFrom }),
  /**
   * HMAC-SHA256 of the body in hex, with `prefix` before it; with `timestampHeader`, of `<seconds>:<body>`.
   */
  z.strictObject({
    type: z.literal('hmac'),
    secret: SecretFrom,
    header: headerName.default('X-Grafana-Alerting-Signature'),
    prefix: z.string().max(20).default(''),
    timestampHeader: headerName.optional(),
  }),
  /** `X-PagerDuty-Signature: v1=…`, several while secrets are exchanged. */
  z.strictObject({ type: z.literal('pagerduty'), secret: SecretFrom }),
  /**
   * `webhook-id`, `webhook-timestamp` and `webhook-signature` of standardwebhooks.com, as Svix sends them.
   */
  z.strictObject({ type: z.literal('standard-webhooks'), secret: SecretFrom }),
]);

const pointer = z
  .string()
  .regex(/^(?:\/(?:[^~/]|~[01])*)*$/, 'a JSON pointer such as /alert/name')
  .max(200);

/** Where in any JSON the parts of an alert are (RFC 6901 pointers). */
const Mapping = z.strictObject({
  /** A list of alerts; without it the whole body is one. The other pointers start at its items. */
  alerts: pointer.optional(),
  status: pointer.optional(),
  /** Values of `status` that mean it is over. */
  resolvedWhen: z.array(z.string().min(1)).default(['resolved', 'ok', 'recovered', 'closed']),
  fingerprint: pointer.optional(),
  startsAt: pointer.optional(),
  name: pointer.optional(),
  text: pointer.optional(),
  link: pointer.optional(),
  /** Label name to where its value is. */
  labels: z.record(z.string().min(1), pointer).default({}),
  /** An object of labels, a list of `key:value`, or a text of them with commas between. */
  tags: pointer.optional(),
});

const Webhook = z
  .strictObject({
    /** The last part of its address: `/alerts/<name>`. */
    name: z.string().regex(/^[a-z0-9-]{1,40}$/, 'lower-case letters, digits and -'),
    source: AlertSource.exclude(['slack']),
    auth: Auth,
    mapping: Mapping.optional(),
    /** Where its alerts are answered; `channel` of the file otherwise. */
    channel: channel.optional(),
  })
  .refine(({ source, mapping }) => (source === 'generic') === (mapping !== undefined), {
    message: 'mapping goes with source generic, and generic needs one',
    path: ['mapping'],
  });

/**
 * An assistant that calls the tools over HTTP, and whose eyes it has: those of a person, or of a user group.
 */
const Assistant = z
  .strictObject({
    name: z
      .string()
      .regex(/^(?!slackbot$)[a-z0-9-]{1,40}$/, 'lower-case letters, digits and -, other than slackbot'),
    token: SecretFrom,
    user: z
      .string()
      .regex(/^[UW][A-Z0-9]{2,20}$/, 'the id of a person')
      .optional(),
    group: z.string().min(1).max(100).optional(),
    /** Where its proposals are posted; without it, it cannot propose changes. */
    channel: channel.optional(),
  })
  .refine(({ user, group }) => (user === undefined) !== (group === undefined), {
    message: 'a user or a group, not both',
    path: ['user'],
  });

/** Slackbot as a client of the tools: Slack signs each request and names the person. */
const Slackbot = z.strictObject({
  /** The signing secret of the app. */
  secret: SecretFrom,
  /** Where proposals are posted; without it, nobody can propose changes through Slackbot. */
  channel: channel.optional(),
});

const apiUrl = z.url({ protocol: /^https$/ }).or(z.url({ hostname: /^(?:localhost|127\.0\.0\.1)$/ }));

/** Access to the REST API of PagerDuty. */
const PagerDuty = z.strictObject({
  token: SecretFrom,
  /** The address of the user who writes. PagerDuty asks for it with the key of an account. */
  from: z.email().max(320),
  apiUrl: apiUrl.default('https://api.pagerduty.com'),
});

/** Access to the API of incident.io. */
const IncidentIo = z.strictObject({ token: SecretFrom, apiUrl: apiUrl.default('https://api.incident.io') });

const values = z.record(z.string().min(1), z.string());

/** What comes in beside commands: webhooks, messages of other bots, and what their words mean here. */
export const AlertSettings = z
  .strictObject({
    apiVersion: z.literal('rollout-doctor/v1').default('rollout-doctor/v1'),
    /** Where alerts are answered that came in by a webhook. */
    channel: channel.optional(),
    /** Other channels for some, first match: labels by value or pattern with `*`. */
    routes: z.array(z.strictObject({ when: values, channel })).default([]),
    /** What senders write in the label `cluster`, and which configured cluster that is. */
    clusters: values.default({}),
    /**
     * Labels that senders leave out: added where all of `when` match; `title` is the alert's name and text.
     */
    rules: z.array(z.strictObject({ when: values, labels: values })).default([]),
    webhooks: z.array(Webhook).default([]),
    /** Channels whose alert messages are answered in their threads; without `bots`, of every bot. */
    slack: z
      .array(
        z.strictObject({
          channel,
          bots: z.array(z.string().regex(/^[AB][A-Z0-9]{2,20}$/, 'the id of a bot or an app')).optional(),
        }),
      )
      .default([]),
    /** Who may call the tools at `/mcp`; the address does not exist without any. */
    assistants: z.array(Assistant).max(50).default([]),
    /** Slackbot may call the tools at `/mcp`; off without this. */
    slackbot: Slackbot.optional(),
    /** The post-mortem becomes a note of the incident in PagerDuty that sent the alert; none without this. */
    pagerduty: PagerDuty.optional(),
    /** The same as a post-mortem document of the incident in incident.io. */
    incidentIo: IncidentIo.optional(),
    /** A weekly list of workloads that deadlock at their next update; none without this. */
    digest: DigestSettings.optional(),
    /** Deadlocks are looked for without any alert; off without this. */
    sentinel: SentinelSettings.optional(),
  })
  .refine(({ webhooks }) => new Set(webhooks.map(({ name }) => name)).size === webhooks.length, {
    message: 'two webhooks have the same name',
    path: ['webhooks'],
  })
  .refine(({ assistants }) => new Set(assistants.map(({ name }) => name)).size === assistants.length, {
    message: 'two assistants have the same name',
    path: ['assistants'],
  })
  .refine(
    ({ webhooks, channel: all }) =>
      all !== undefined || webhooks.every(({ channel: own }) => own !== undefined),
    { message: 'each webhook needs a channel, or the file one for all', path: ['channel'] },
  )
  .refine(({ digest, channel: all }) => digest === undefined || (digest.channel ?? all) !== undefined, {
    message: 'a channel for the digest, here or as `channel` of the file',
    path: ['digest', 'channel'],
  })
  .refine(({ sentinel, channel: all }) => sentinel === undefined || (sentinel.channel ?? all) !== undefined, {
    message: 'a channel where the sentinel speaks, here or as `channel` of the file',
    path: ['sentinel', 'channel'],
  });
export type AlertSettings = Immutable<z.output<typeof AlertSettings>>;
export type WebhookSettings = AlertSettings['webhooks'][number];
export type AlertMapping = NonNullable<WebhookSettings['mapping']>;
export type AlertAuth = WebhookSettings['auth'];
