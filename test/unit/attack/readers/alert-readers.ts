import { identityText, type RawAlert } from '#src/doctor/alerts/alert.js';
import type { AlertMapping } from '#src/doctor/alerts/alert-settings.js';
import { channelFor, withRules } from '#src/doctor/alerts/apply-rules.js';
import { fairnessKeyOfAlert, isPodNameLike, namesBehindPod } from '#src/doctor/alerts/label-names.js';
import { namesInText } from '#src/doctor/alerts/names-in-text.js';
import { subjectOf } from '#src/doctor/alerts/subject-of.js';
import { finished } from '#src/doctor/redaction/span.js';
import { AlertMessage, alertsOfMessage } from '#src/edges/slack/alerts-of-message.js';
import { parsingWebhook } from '#src/edges/webhooks/parse-webhook.js';
import { boundedAlert } from '../../../support/alert-builders.js';
import type { ForeignTextReader } from './foreign-text-reader.js';

const ts = '1763694000.000100';
const digest = (text: string): string => String(text.length);
const rules = [{ when: { title: '*a*b*c*', team: '*x*' }, labels: { namespace: 'shop' } }];
const clusters = { names: ['prod'], aliases: { eu: 'prod' } };

const titleWords = [
  '[FIRING:1] ',
  '[RESOLVED:',
  'alert firing ',
  ':red_circle:',
  'KubePodNotReady',
  'AaAaAa',
  'Aa_',
];
const lineWords = [
  'Labels:',
  'alertname = ',
  'alertname:=',
  '**Resolved**',
  ' - pod = web-0',
  'a.b.c',
  'value=',
];
const nameWords = [
  'shop/web',
  'deployment/',
  'pod web-7d9c5b8f6-x2k4p',
  'in namespace ',
  '<http://a|b>',
  '[a](http://b)',
];

/** All processing of an alert until its workload is looked up. */
function follow(raws: readonly RawAlert[]): void {
  for (const raw of raws.slice(0, 20)) {
    const ruled = withRules(raw, rules);
    digest(identityText(ruled.name ?? '', ruled.labels));
    const alert = boundedAlert({ ...ruled, fingerprint: ruled.fingerprint || 'f' });
    channelFor(alert.labels, { routes: [{ when: { a: '*b*' }, channel: 'C0A' }], channel: 'C0B' }, undefined);
    fairnessKeyOfAlert(alert);
    subjectOf(alert, clusters);
  }
}

function slack(name: string, message: (text: string) => object): ForeignTextReader {
  return {
    name: `an alert message of Slack, ${name}`,
    words: [...titleWords, ...lineWords, ...nameWords],
    run: (text) => follow(alertsOfMessage(AlertMessage.parse({ ts, ...message(text) }), digest)),
  };
}

const mapping: AlertMapping = {
  status: '/status',
  resolvedWhen: ['ok'],
  fingerprint: '/id',
  startsAt: '/at',
  name: '/name',
  text: '/text',
  link: '/link',
  labels: { pod: '/pod' },
  tags: '/tags',
};

type Source = Parameters<typeof parsingWebhook>[0]['source'];

function webhook(name: string, source: Source, bodyOf: (text: string) => string): ForeignTextReader {
  return {
    name: `a webhook of ${name}`,
    words: [...titleWords, ...nameWords, '{"alerts":[', 'Source: ', 'Investigate: ', 'key:value,'],
    run: (text) => {
      const settings = source === 'generic' ? { source, mapping } : { source, mapping: undefined };
      const parsed = finished(parsingWebhook(settings, Buffer.from(bodyOf(text))));
      if (!('type' in parsed)) follow(parsed.alerts);
    },
  };
}

/** Long enough to be cut everywhere; one request may not hold the whole text in every field. */
const start = (text: string): string => text.slice(0, 9_000);
const nested = (text: string): unknown => ({ a: [text, { b: text }] });

export const alertReaders: readonly ForeignTextReader[] = [
  slack('text', (text) => ({ text })),
  slack('attachment', (text) => ({ attachments: [{ title: text, text, pretext: text, fallback: text }] })),
  slack('fields', (text) => ({ attachments: [{ fields: [{ title: text, value: text }] }] })),
  slack('fallback', (text) => ({ attachments: [{ fallback: text, title_link: text }] })),
  slack('blocks', (text) => ({ blocks: [{ type: 'section', text: { type: 'mrkdwn', text } }] })),
  slack('many blocks', (text) => ({
    blocks: text
      .slice(0, 10_000)
      .split(/(?<=\n| )/u)
      .map((part) => ({ type: 'rich_text_section', elements: [{ text: part }, { text: part }] })),
  })),
  webhook('Alertmanager', 'alertmanager', (text) =>
    JSON.stringify({
      alerts: [
        {
          status: 'firing',
          labels: { alertname: text, pod: start(text), [start(text)]: start(text) },
          annotations: { summary: start(text), description: text },
          startsAt: start(text),
          generatorURL: start(text),
          fingerprint: start(text),
        },
      ],
    }),
  ),
  webhook('Grafana with many labels', 'grafana', (text) =>
    JSON.stringify({
      alerts: [
        { status: 'firing', labels: Object.fromEntries(text.split(/[\s,]/u).map((key) => [key, key])) },
      ],
    }),
  ),
  webhook('PagerDuty', 'pagerduty', (text) =>
    JSON.stringify({
      event: {
        id: text,
        event_type: 'incident.triggered',
        data: {
          id: text,
          title: text,
          html_url: text,
          created_at: text,
          service: { id: text, summary: text },
        },
      },
    }),
  ),
  webhook('Opsgenie', 'opsgenie', (text) =>
    JSON.stringify({
      action: 'Create',
      alert: {
        alertId: start(text),
        message: start(text),
        description: text,
        entity: start(text),
        tags: text.split(/[\s,]/u),
        details: { pod: start(text), nested: nested(start(text)) },
      },
    }),
  ),
  webhook('incident.io', 'incident-io', (text) =>
    JSON.stringify({
      event_type: 'public_incident.incident_created_v2',
      'public_incident.incident_created_v2': {
        id: start(text),
        name: start(text),
        summary: text,
        permalink: start(text),
        incident_status: { category: start(text) },
        custom_field_entries: text
          .split(/[\s,]/u)
          .map((name) => ({ custom_field: { name }, values: [{ value_text: name }] })),
      },
    }),
  ),
  webhook('a sender of any JSON', 'generic', (text) =>
    JSON.stringify({ status: start(text), name: start(text), text, link: start(text), tags: text }),
  ),
  webhook('Robusta', 'robusta', (text) => text),
  webhook('Argo CD', 'argo-cd', (text) =>
    JSON.stringify({
      metadata: { name: start(text), uid: start(text) },
      spec: { destination: { name: start(text), namespace: start(text) } },
      status: { health: { status: 'Degraded', message: text } },
      url: start(text),
    }),
  ),
  ...(['alertmanager', 'pagerduty', 'opsgenie', 'incident-io', 'argo-cd', 'generic'] as const).map((source) =>
    webhook(`${source} whose body is any text`, source, (text) => text),
  ),
  { name: 'namesInText', words: nameWords, run: namesInText },
  {
    name: 'names of pods',
    words: ['web-7d9c5b8f6-x2k4p', 'web-0', 'bbbbb-'],
    run: (name) => [isPodNameLike(name), namesBehindPod({ name })],
  },
];
