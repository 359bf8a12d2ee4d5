import { describe, expect, it } from 'vitest';
import type { RawAlert } from '../../../../src/core/alert/alert.js';
import { AlertSettings } from '../../../../src/core/alert/alert-settings.js';
import { channelFor, withRules } from '../../../../src/core/alert/apply-rules.js';

const raw: RawAlert = {
  source: 'pagerduty',
  status: 'firing',
  fingerprint: 'Q1',
  name: 'Checkout is slow',
  labels: { service: 'Checkout', namespace: '' },
};

describe('rules of the settings', () => {
  it.each<[string, Record<string, string>, boolean]>([
    ['the same value', { service: 'Checkout' }, true],
    ['another value', { service: 'Search' }, false],
    ['a pattern', { service: 'Check*' }, true],
    ['a pattern with two stars', { service: '*eck*' }, true],
    ['a pattern whose ends overlap', { service: 'Checko*kout' }, false],
    ['a title', { title: '*slow*' }, true],
    ['a label that is not there', { team: '*' }, false],
    ['a name of Object', { constructor: '*' }, false],
    ['two, one of which does not match', { service: 'Checkout', title: '*fast*' }, false],
  ])('add labels for %s', (_, when, matches) => {
    const rules = [{ when, labels: { namespace: 'shop', deployment: 'checkout' } }];

    expect(withRules(raw, rules).labels.deployment).toBe(matches ? 'checkout' : undefined);
  });

  it('do not overrule what the sender says, and the first one counts', () => {
    const rules = [
      { when: {}, labels: { deployment: 'first', service: 'Other' } },
      { when: {}, labels: { deployment: 'second' } },
    ];

    expect(withRules(raw, rules).labels).toMatchObject({ deployment: 'first', service: 'Checkout' });
  });
});

describe('the channel of an alert', () => {
  const routes = [{ when: { namespace: 'ml-*' }, channel: 'C0ML' }];

  it.each([
    ['the first route that matches', { namespace: 'ml-serving' }, 'C0OWN', 'C0ML'],
    ["the webhook's own", { namespace: 'shop' }, 'C0OWN', 'C0OWN'],
    ['the one for all', { namespace: 'shop' }, undefined, 'C0ALL'],
  ])('is %s', (_, labels, own, expected) => {
    expect(channelFor(labels, { routes, channel: 'C0ALL' }, own)).toBe(expected);
  });
});

describe('settings', () => {
  const webhook = { name: 'a', source: 'alertmanager', auth: { type: 'bearer', token: { env: 'A_TOKEN' } } };

  it.each<[string, object, string]>([
    [
      'a webhook without authentication',
      { channel: 'C012ABC', webhooks: [{ name: 'a', source: 'grafana' }] },
      'auth',
    ],
    ['a webhook without a channel', { webhooks: [webhook] }, 'channel'],
    ['two webhooks of one name', { channel: 'C012ABC', webhooks: [webhook, webhook] }, 'same name'],
    [
      'a generic webhook without a mapping',
      { channel: 'C012ABC', webhooks: [{ ...webhook, source: 'generic' }] },
      'mapping',
    ],
    [
      'a secret in the file',
      { channel: 'C012ABC', webhooks: [{ ...webhook, auth: { type: 'bearer', token: 'abc' } }] },
      'token',
    ],
    ['a word it does not know', { chanel: 'C012ABC' }, 'chanel'],
  ])('refuse %s', (_, settings, named) => {
    const { success, error } = AlertSettings.safeParse(settings);

    expect(success).toBe(false);
    expect(JSON.stringify(error?.issues)).toContain(named);
  });
});
