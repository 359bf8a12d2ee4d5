import { describe, expect, it } from 'vitest';
import type { RawAlert } from '#src/doctor/alerts/alert.js';
import { AlertSettings, type WebhookSettings } from '#src/doctor/alerts/alert-settings.js';
import { finished } from '#src/doctor/redaction/span.js';
import { parsingWebhook } from '#src/edges/webhooks/parse-webhook.js';
import { languages } from '#src/engine/language/language.js';
import { plain } from '#src/engine/language/prose.js';

type Source = WebhookSettings['source'];

const mapping = AlertSettings.parse({
  channel: 'C012ABC',
  webhooks: [
    {
      name: 'x',
      source: 'generic',
      auth: { type: 'bearer', token: { env: 'X' } },
      mapping: {
        alerts: '/items',
        name: '/meta/a~1b',
        text: '/body',
        status: '/state',
        resolvedWhen: ['OK'],
        fingerprint: '/id',
        startsAt: '/since',
        link: '/url',
        tags: '/tags',
        labels: { namespace: '/where/ns' },
      },
    },
  ],
}).webhooks[0]?.mapping;

function parse(source: Source, body: unknown) {
  const text = typeof body === 'string' ? body : withNanoseconds(JSON.stringify(body));
  const parsed = finished(
    parsingWebhook({ source, mapping: source === 'generic' ? mapping : undefined }, Buffer.from(text)),
  );
  return 'type' in parsed ? parsed : parsed.alerts;
}

/** Opsgenie's `updatedAt` is too large for a number, so no literal can represent it. */
function withNanoseconds(json: string): string {
  return json.replace('"createdAt"', '"updatedAt":1763694000123456789,"createdAt"');
}

const grafana = {
  receiver: 'rollout-doctor',
  status: 'firing',
  orgId: 1,
  alerts: [
    {
      status: 'resolved',
      labels: { alertname: 'Rollout stuck', grafana_folder: 'shop', namespace: 'shop', deployment: 'web' },
      annotations: { summary: 'No progress', runbook_url: 'https://runbooks.example.com/stuck' },
      startsAt: '2026-11-21T03:00:00Z',
      endsAt: '2026-11-21T03:20:00Z',
      generatorURL: '?orgId=1',
      fingerprint: '57c6d9296de2ad39',
      silenceURL: 'https://grafana.example.com/alerting/silence/new',
      dashboardURL: '',
      panelURL: '',
      values: { B: 22, C: 1 },
      valueString: "[ var='B' value=22 ]",
    },
  ],
  groupLabels: {},
  commonLabels: {},
  commonAnnotations: {},
  externalURL: 'https://grafana.example.com/',
  version: '1',
  groupKey: '{}:{}',
  truncatedAlerts: 0,
  title: '[RESOLVED] Rollout stuck',
  state: 'ok',
  message: '**Resolved**',
};

function pagerDuty(type: string, data: object = {}) {
  return {
    event: {
      id: '01CEVENT',
      event_type: type,
      resource_type: 'incident',
      occurred_at: '2026-11-21T03:10:00Z',
      agent: null,
      client: null,
      data: {
        id: 'Q2INCIDENT',
        type: 'incident',
        html_url: 'https://acme.pagerduty.com/incidents/Q2INCIDENT',
        number: 7,
        status: 'triggered',
        created_at: '2026-11-21T03:00:00Z',
        title: 'Checkout is slow',
        service: { id: 'P1SERVICE', type: 'service_reference', summary: 'Checkout' },
        urgency: 'high',
        priority: null,
        resolve_reason: null,
        ...data,
      },
    },
  };
}

/**
 * An incident of incident.io.
 * source: docs.incident.io, API reference: Webhooks, incident_created_v2 and incident_status_updated_v2
 */
function incidentIo(type: string, data: object = {}, wrapped = false) {
  const incident = {
    id: '01FDAG4SAP5TYPT98WGR2N7W91',
    name: 'Checkout is slow',
    reference: 'INC-123',
    summary: 'p95 above 2 s',
    permalink: 'https://app.incident.io/incidents/123',
    created_at: '2026-11-21T03:00:00Z',
    mode: 'standard',
    visibility: 'public',
    severity: { id: '01FCNDV6P870EA6S7TK1DSYDG0', name: 'Minor', rank: 1 },
    incident_type: null,
    incident_status: { id: '01FCNDV6P870EA6S7TK1DSYD5H', category: 'live', name: 'Investigating' },
    custom_field_entries: [
      { custom_field: { id: 'a', name: 'Namespace', field_type: 'text' }, values: [{ value_text: 'shop' }] },
      {
        custom_field: { id: 'b', name: 'Deployment', field_type: 'single_select' },
        values: [{ value_catalog_entry: { id: 'c', name: 'checkout' } }],
      },
      { custom_field: { id: 'd', name: 'Affected team', field_type: 'single_select' }, values: [] },
    ],
    ...data,
  };
  const event = wrapped ? { incident, new_status: {}, previous_status: {} } : incident;
  return { event_type: type, [type]: event };
}

const opsgenie = {
  action: 'Create',
  integrationId: '37c8f316',
  integrationName: 'Rollout Doctor',
  alert: {
    alertId: '052652ac-5d1c-464a-812a-7dd18bbfba8c',
    message: 'KubeDeploymentRolloutStuck',
    tags: ['namespace:shop', 'critical', 'deployment=web'],
    tinyId: '10',
    entity: '',
    alias: 'a1',
    createdAt: 1763694000000,
    username: 'System',
    description: 'Stuck for 15 minutes',
    details: { alertname: 'KubeDeploymentRolloutStuck', runs: 3, nested: { a: 1 } },
    priority: 'P3',
  },
};

describe('the body of an alert webhook', () => {
  it.each<[string, Source, unknown, readonly Partial<RawAlert>[]]>([
    [
      'each alert by its own status, not that of the group (Grafana, version 1)',
      'grafana',
      grafana,
      [{ source: 'grafana', status: 'resolved', fingerprint: '57c6d9296de2ad39', name: 'Rollout stuck' }],
    ],
    [
      'an alert without fingerprint, annotations or names (vmalertmanager)',
      'alertmanager',
      { version: '4', groupLabels: {}, alerts: [{ status: 'firing', labels: {}, annotations: null }] },
      [{ status: 'firing', fingerprint: '', labels: {}, text: '' }],
    ],
    ['an empty group', 'alertmanager', { version: '4', alerts: [] }, []],
    [
      'an incident of PagerDuty',
      'pagerduty',
      pagerDuty('incident.triggered'),
      [
        {
          status: 'firing',
          fingerprint: 'Q2INCIDENT',
          startsAt: '2026-11-21T03:00:00Z',
          labels: { service: 'Checkout', service_id: 'P1SERVICE', urgency: 'high' },
        },
      ],
    ],
    [
      'an incident that is resolved, with everything null that may be',
      'pagerduty',
      pagerDuty('incident.resolved', { service: null, title: null, created_at: null, urgency: null }),
      [{ status: 'resolved', fingerprint: 'Q2INCIDENT', labels: {} }],
    ],
    [
      'an incident that is reopened, as another episode',
      'pagerduty',
      pagerDuty('incident.reopened'),
      [{ status: 'firing', startsAt: '2026-11-21T03:10:00Z' }],
    ],
    ['an event about people only', 'pagerduty', pagerDuty('incident.acknowledged'), []],
    [
      "PagerDuty's test",
      'pagerduty',
      {
        event: {
          id: 'e',
          event_type: 'pagey.ping',
          data: { message: 'Hello from your friend Pagey!', type: 'ping' },
        },
      },
      [],
    ],
    [
      'an incident of incident.io, whose custom fields are labels',
      'incident-io',
      incidentIo('public_incident.incident_created_v2'),
      [
        {
          source: 'incident-io',
          status: 'firing',
          fingerprint: '01FDAG4SAP5TYPT98WGR2N7W91',
          name: 'Checkout is slow',
          startsAt: '2026-11-21T03:00:00Z',
          labels: { namespace: 'shop', deployment: 'checkout', reference: 'INC-123', severity: 'Minor' },
          text: 'Checkout is slow\np95 above 2 s',
          links: ['https://app.incident.io/incidents/123'],
        },
      ],
    ],
    ...['learning', 'closed', 'canceled', 'declined', 'merged'].map(
      (category): [string, Source, unknown, readonly Partial<RawAlert>[]] => [
        `an incident of incident.io that is ${category}, with everything null that may be`,
        'incident-io',
        incidentIo(
          'public_incident.incident_status_updated_v2',
          {
            incident_status: { category },
            ...{ name: null, summary: null, permalink: null, severity: null, custom_field_entries: null },
          },
          true,
        ),
        [{ status: 'resolved', fingerprint: '01FDAG4SAP5TYPT98WGR2N7W91', labels: { reference: 'INC-123' } }],
      ],
    ),
    [
      'an incident of incident.io that is worked on again',
      'incident-io',
      incidentIo('public_incident.incident_status_updated_v2', {}, true),
      [{ status: 'firing' }],
    ],
    [
      'a private incident of incident.io, of which only an id arrives',
      'incident-io',
      incidentIo('private_incident.incident_created_v2'),
      [],
    ],
    ['an edit in incident.io', 'incident-io', incidentIo('public_incident.incident_updated_v2'), []],
    ['an event with the name of a method', 'incident-io', { event_type: 'toString' }, []],
    [
      'an alert of Opsgenie, whose nanoseconds are ignored',
      'opsgenie',
      opsgenie,
      [
        {
          status: 'firing',
          name: 'KubeDeploymentRolloutStuck',
          startsAt: '2025-11-21T03:00:00.000Z',
          labels: {
            namespace: 'shop',
            deployment: 'web',
            alertname: 'KubeDeploymentRolloutStuck',
            runs: '3',
            priority: 'P3',
          },
        },
      ],
    ],
    [
      'one that is closed, with a priority that is a number',
      'opsgenie',
      { action: 'Close', alert: { alertId: 'a', priority: 2, tags: null, details: null } },
      [{ status: 'resolved', fingerprint: 'a', labels: { priority: '2' } }],
    ],
    ['a note on an alert', 'opsgenie', { ...opsgenie, action: 'AddNote' }, []],
    [
      "Robusta's text",
      'robusta',
      '\nCrashing pod web-7d9c5b8f6-x2k4p in namespace shop\n\nInvestigate: https://platform.robusta.dev/x\n\nSource: prod-eu\n\nThe pod crashed.\n',
      [
        {
          status: 'firing',
          name: 'Crashing pod web-7d9c5b8f6-x2k4p in namespace shop',
          labels: { cluster: 'prod-eu' },
          links: ['https://platform.robusta.dev/x'],
        },
      ],
    ],
    ['no text at all', 'robusta', ' \n \n', []],
    [
      'an Application of Argo CD that degraded, with what caused it',
      'argo-cd',
      {
        metadata: { name: 'shop', namespace: 'argocd', uid: 'a-1' },
        spec: { destination: { name: 'eu-1', namespace: 'shop' } },
        status: {
          health: {
            status: 'Degraded',
            message: 'Caused by apps/Deployment:shop/web',
            lastTransitionTime: '2026-11-29T10:00:00Z',
          },
        },
        url: 'https://argo.example.com/applications/argocd/shop',
      },
      [
        {
          status: 'firing',
          fingerprint: 'a-1',
          name: 'Application shop is Degraded',
          startsAt: '2026-11-29T10:00:00Z',
          labels: { cluster: 'eu-1', namespace: 'shop' },
          text: 'Caused by apps/Deployment:shop/web',
          links: ['https://argo.example.com/applications/argocd/shop'],
        },
      ],
    ],
    [
      'an Application that is healthy again, without uid',
      'argo-cd',
      {
        metadata: { name: 'shop', namespace: 'argocd' },
        spec: { destination: { name: '', server: 'https://kubernetes.default.svc' } },
        status: { health: { status: 'Healthy' } },
      },
      [{ status: 'resolved', fingerprint: 'argocd/shop', labels: {}, text: '', links: [] }],
    ],
    [
      'an Application that makes progress',
      'argo-cd',
      { metadata: { name: 'shop' }, status: { health: { status: 'Progressing' } } },
      [],
    ],
    [
      'any JSON by its mapping',
      'generic',
      {
        items: [
          {
            id: 7,
            meta: { 'a/b': 'Stuck' },
            body: 'no progress',
            state: 'ok',
            since: '2026-11-21T03:00:00Z',
            url: 'https://example.com/7',
            tags: ['kube_deployment:web', 'loud'],
            where: { ns: 'shop' },
          },
          'not an alert',
        ],
      },
      [
        {
          status: 'resolved',
          fingerprint: '7',
          name: 'Stuck',
          text: 'Stuck\nno progress',
          labels: { kube_deployment: 'web', namespace: 'shop' },
          links: ['https://example.com/7'],
        },
      ],
    ],
    [
      'a pointer to a property of every object',
      'generic',
      { items: [{ meta: {}, tags: { __proto__: 1, constructor: 'x' } }] },
      [{ fingerprint: '', name: undefined }],
    ],
  ])('is parsed: %s', (_, source, body, expected) => {
    const alerts = parse(source, body);

    expect(alerts).toHaveLength(expected.length);
    expect(alerts).toMatchObject(expected);
  });

  it.each<[string, Source, unknown, string, string]>([
    ['a body that is cut off', 'alertmanager', '{"alerts":[{"status":"fir', 'json', 'not valid JSON'],
    ['nothing', 'grafana', '', 'json', 'not valid JSON'],
    ['another shape', 'alertmanager', { alerts: 'xoxb-canary' }, 'schema', 'alerts must be of type array'],
    ['a list', 'alertmanager', [1, 2], 'schema', 'the body must be of type object'],
    [
      'a status of its own',
      'alertmanager',
      { alerts: [{ status: 'xoxb-canary', labels: {} }] },
      'schema',
      'alerts.0.status',
    ],
    [
      'a label that is not text, with an unknown name',
      'alertmanager',
      { alerts: [{ status: 'firing', labels: { 'xoxb-canary': 7 } }] },
      'schema',
      'alerts.0.labels.… must be of type string',
    ],
    ['another sender', 'pagerduty', opsgenie, 'schema', 'event must be of type object'],
    [
      'an incident of incident.io without an id',
      'incident-io',
      incidentIo('public_incident.incident_created_v2', { id: '' }),
      'schema',
      'id',
    ],
    [
      'an event without its incident',
      'incident-io',
      { event_type: 'public_incident.incident_created_v2' },
      'schema',
      'the body must be of type object',
    ],
    ['an incident without an id', 'pagerduty', pagerDuty('incident.triggered', { id: '' }), 'schema', 'id'],
    ['null', 'opsgenie', 'null', 'schema', 'the body must be of type object'],
  ])(
    'is refused with the position of the error and without its content: %s',
    (_, source, body, reason, message) => {
      const refused = parse(source, body);

      expect(refused).toMatchObject({ type: 'refused', status: 400, reason });
      if (!('sentence' in refused)) throw new Error('not refused');
      const [english, korean] = languages.map((language) => plain(refused.sentence(language)));
      expect(english).toContain(message);
      expect(`${english} ${korean}`).not.toContain('canary');
      expect(`${english} ${korean}`.length).toBeLessThan(400);
    },
  );
});
