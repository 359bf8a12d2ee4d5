import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { AlertSettings } from '#src/doctor/alerts/alert-settings.js';
import { finished } from '#src/doctor/redaction/span.js';
import { alertsOfArgoCd } from '#src/edges/webhooks/sources/argo-cd.js';
import { alertsOfMapping } from '#src/edges/webhooks/sources/generic.js';
import { variables } from '#src/settings/config-variables.js';

const text = readFileSync(join(import.meta.dirname, '../../docs/alerts.md'), 'utf8');
const blocks = (language: string): string[] =>
  [...text.matchAll(new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``, 'g'))].map(
    ([, block = '']) => block,
  );
const yaml: unknown[] = blocks('yaml').map((block) => parse(block) as unknown);
const settings = AlertSettings.parse(yaml[0]);

/** Every text anywhere in a parsed snippet. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(textsIn);
}

describe('docs/alerts.md', () => {
  it('has settings that the program takes, for every source there is', () => {
    const sources = settings.webhooks.map(({ source }) => source);

    expect([...sources].sort()).toEqual([
      'alertmanager',
      'argo-cd',
      'generic',
      'grafana',
      'incident-io',
      'opsgenie',
      'pagerduty',
      'robusta',
    ]);
    expect(settings.slack).toHaveLength(1);
  });

  it('points every sender at a webhook of these settings, on the port that is the default', () => {
    const port = variables.alertsPort.schema.parse(undefined);
    const urls = yaml
      .slice(1)
      .flatMap(textsIn)
      .filter((each) => each.startsWith('http'));

    expect(urls).toHaveLength(3);
    for (const url of urls) {
      const { port: at, pathname } = new URL(url);
      expect(Number(at)).toBe(port);
      expect(settings.webhooks.map(({ name }) => `/alerts/${name}`)).toContain(pathname);
    }
  });

  it("signs Grafana's requests with the headers that the settings expect", () => {
    const grafana = settings.webhooks.find(({ source }) => source === 'grafana');
    const configured = textsIn(yaml[2]);

    expect(grafana?.auth.type === 'hmac' ? [grafana.auth.header, grafana.auth.timestampHeader] : []).toEqual(
      configured.filter((each) => each.startsWith('X-Grafana')),
    );
  });

  it('sends what the program reads of an Application of Argo CD', () => {
    const isTemplate = (each: string): boolean => each.includes('toJson');
    const [template = ''] = yaml
      .flatMap(textsIn)
      .filter(isTemplate)
      .flatMap((each) => textsIn(parse(each)))
      .filter(isTemplate);
    const app: Readonly<Record<string, unknown>> = {
      'metadata.name': 'shop',
      'metadata.namespace': 'argocd',
      'metadata.uid': 'a-1',
      'spec.destination': { name: 'eu-1', namespace: 'shop' },
      'status.health': { status: 'Degraded', message: 'Caused by apps/Deployment:shop/web' },
    };
    const body: unknown = JSON.parse(
      template
        .replaceAll('{{.context.argocdUrl}}', 'https://argo.example.com')
        .replaceAll(/\{\{(?:toJson )?\.app\.([\w.]{1,40})\}\}/g, (found, path: string) =>
          found.includes('toJson') ? JSON.stringify(app[path]) : String(app[path]),
        ),
    );
    expect(alertsOfArgoCd(body)).toMatchObject([
      { fingerprint: 'a-1', labels: { cluster: 'eu-1' }, text: 'Caused by apps/Deployment:shop/web' },
    ]);
  });

  it('maps the body it shows', () => {
    const body = blocks('json').map((block) => JSON.parse(block) as unknown)[1];
    const mapping = settings.webhooks.find(({ source }) => source === 'generic')?.mapping;
    if (mapping === undefined) throw new Error('no mapping');

    expect(finished(alertsOfMapping(mapping, body, 10)).alerts).toMatchObject([
      {
        status: 'firing',
        name: '$EVENT_TITLE',
        labels: { kube_namespace: 'shop', kube_deployment: 'web', kube_cluster_name: 'eu-1' },
      },
    ]);
  });
});

/** The table of senders in docs/alerts.md: its first column, and the snippet of the second. */
const pasted = new Map(
  [
    ...(
      readFileSync(join(import.meta.dirname, '../../docs/alerts.md'), 'utf8')
        .split('<!-- end of senders -->')[0]
        ?.split('<!-- senders')[1] ?? ''
    ).matchAll(/^\| ([\w. ]+?) +\| `(.+?)`/gm),
  ].map(([, sender = '', snippet = '']) => [sender, snippet]),
);

describe('the table of senders in docs/alerts.md', () => {
  it.each([
    ['Alertmanager', 'alertmanager'],
    ['Grafana', 'grafana'],
    ['PagerDuty', 'pagerduty'],
    ['Opsgenie', 'opsgenie'],
    ['incident.io', 'incident-io'],
    ['Robusta', 'robusta'],
    ['Argo CD', 'argo-cd'],
  ])('points %s at its webhook', (sender, source) => {
    const [url, ...others] = textsIn(parse(pasted.get(sender) ?? '')).filter((each) => /^https?:/.test(each));
    const webhook = settings.webhooks.find((each) => each.source === source);

    expect(new URL(url ?? '').pathname).toBe(`/alerts/${webhook?.name}`);
    expect(others).toEqual([]);
  });

  it('says the same to Alertmanager, Grafana and Robusta as the examples below it', () => {
    const told = JSON.stringify(yaml);
    for (const sender of ['Alertmanager', 'Grafana', 'Robusta']) {
      for (const text of textsIn(parse(pasted.get(sender) ?? ''))) expect(told).toContain(text);
    }
  });

  it('gives a mapping and a Slack channel that the settings take', () => {
    const webhooks = settings.webhooks.map((each) =>
      each.source === 'generic' ? { ...each, mapping: parse(pasted.get('any JSON') ?? '') } : each,
    );
    const slack: unknown = parse(pasted.get('Slack') ?? '');

    expect(AlertSettings.parse({ ...(yaml[0] as object), webhooks, ...(slack as object) })).toMatchObject({
      webhooks: settings.webhooks,
      slack: [{ channel: 'C012INCIDENTS' }],
    });
  });
});
