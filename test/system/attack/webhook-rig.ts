import { createHash } from 'node:crypto';
import { pino } from 'pino';
import type { Notification } from '#src/doctor/alerts/alert-record.js';
import { AlertSettings } from '#src/doctor/alerts/alert-settings.js';
import type { BoundedServer } from '#src/edges/http/http-server.js';
import { startWebhookServer } from '#src/edges/webhooks/webhook-server.js';
import type { ReceiveAlert } from '#src/service/alerts/receive-alert.js';

export const token = 'a-token-of-some-length';

export interface WebhookRig {
  readonly server: BoundedServer;
  readonly received: { readonly id: string; readonly notification: Notification }[];
  readonly refused: string[];
  readonly outcomes: { readonly outcome: string; readonly count: number | undefined }[];
}

/** The webhook server with one webhook of each kind of authentication. */
export async function startWebhookRig(
  options: { readonly receive?: ReceiveAlert; readonly isFull?: () => Promise<boolean> } = {},
): Promise<WebhookRig> {
  const { receive = async () => 'recorded' as const, isFull = async () => false } = options;
  const from = { env: 'A' };
  const settings = AlertSettings.parse({
    channel: 'C012INCIDENTS',
    webhooks: [
      { name: 'am', source: 'alertmanager', auth: { type: 'bearer', token: from } },
      { name: 'og', source: 'opsgenie', auth: { type: 'basic', user: 'og', password: from } },
      { name: 'pd', source: 'pagerduty', auth: { type: 'pagerduty', secret: from } },
      {
        name: 'gf',
        source: 'grafana',
        auth: { type: 'hmac', secret: from, header: 'X-Sig', timestampHeader: 'X-Time' },
      },
      {
        name: 'any',
        source: 'generic',
        auth: { type: 'bearer', token: from },
        mapping: { alerts: '/items', name: '/title', tags: '/tags' },
      },
    ],
  });
  const received: { id: string; notification: Notification }[] = [];
  const refused: string[] = [];
  const outcomes: { outcome: string; count: number | undefined }[] = [];
  const server = await startWebhookServer({
    port: 0,
    host: '127.0.0.1',
    settings,
    secrets: new Map(settings.webhooks.map(({ name }) => [name, token])),
    language: 'en',
    languageOfChannel: () => 'en',
    isFull,
    receive: async (id, notification) => {
      received.push({ id, notification });
      return receive(id, notification);
    },
    digest: (text) => createHash('sha256').update(text).digest('hex'),
    clock: { now: () => new Date() },
    metrics: {
      alert: (_, outcome, count) => void outcomes.push({ outcome, count }),
      alertRefused: (reason) => void refused.push(reason),
    },
    log: pino({ level: 'silent' }),
  });
  return { server, received, refused, outcomes };
}
