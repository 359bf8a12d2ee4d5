import { describe, expect, it } from 'vitest';
import type { RawAlert } from '#src/doctor/alerts/alert.js';
import { channelFor, withRules } from '#src/doctor/alerts/apply-rules.js';

const raw: RawAlert = {
  source: 'pagerduty',
  status: 'firing',
  fingerprint: 'Q1',
  name: 'Checkout is slow',
  text: 'p99 over 2s',
  labels: { service: 'Checkout', namespace: '' },
};

describe('label rules of the settings', () => {
  it.each<[string, Record<string, string>, boolean]>([
    ['the same value', { service: 'Checkout' }, true],
    ['another value', { service: 'Search' }, false],
    ['a pattern', { service: 'Check*' }, true],
    ['a pattern with two stars', { service: '*eck*' }, true],
    ['a pattern whose ends overlap', { service: 'Checko*kout' }, false],
    ['the beginning of a value', { service: 'Check' }, false],
    ['a pattern for everything', { service: '*' }, true],
    ['a pattern of the end', { service: '*out' }, true],
    ['a pattern of another end', { service: '*outs' }, false],
    ['a pattern of another beginning', { service: 'check*' }, false],
    ['a pattern whose star matches an empty text', { service: 'Check*out' }, true],
    ['a pattern whose middle reaches the end', { service: 'C*ck*out' }, true],
    ['a pattern whose middle and end overlap', { service: 'C*ko*out' }, false],
    ['a pattern whose parts are in another order', { service: '*ck*he*' }, false],
    ['a pattern that needs a letter twice', { service: '*h*h*' }, false],
    ['a pattern with a part that is missing', { service: 'C*x*t' }, false],
    ['a title', { title: '*slow*' }, true],
    ['a title by its beginning', { title: 'Checkout is*' }, true],
    ['a text', { title: '*p99 over 2s*' }, true],
    ['the end of a text', { title: '*2s' }, true],
    ['a label that is not there', { team: '*' }, false],
    ['a name of Object', { constructor: '*' }, false],
    ['two, one of which does not match', { service: 'Checkout', title: '*fast*' }, false],
  ])('add labels for %s', (_, when, matches) => {
    const rules = [{ when, labels: { namespace: 'shop', deployment: 'checkout' } }];

    expect(withRules(raw, rules).labels.deployment).toBe(matches ? 'checkout' : undefined);
  });

  it('do not overrule labels of the sender, and the first rule applies', () => {
    const rules = [
      { when: {}, labels: { deployment: 'first', service: 'Other' } },
      { when: {}, labels: { deployment: 'second' } },
    ];

    expect(withRules(raw, rules).labels).toMatchObject({ deployment: 'first', service: 'Checkout' });
  });
});

describe('rules of the settings, besides', () => {
  it('fill in empty labels of the sender, which count as missing like in Prometheus', () => {
    const rules = [{ when: {}, labels: { namespace: 'shop' } }];

    expect(withRules(raw, rules).labels).toEqual({ service: 'Checkout', namespace: 'shop' });
  });

  it('do not change an alert that none of them matches', () => {
    expect(withRules(raw, [{ when: { service: 'Search' }, labels: { a: 'b' } }])).toBe(raw);
  });

  it('keep everything else of it', () => {
    expect(withRules(raw, [{ when: {}, labels: { a: 'b' } }])).toMatchObject({ ...raw, labels: { a: 'b' } });
  });

  it('are for alerts without a name or text too', () => {
    const { name: _, text: __, ...bare } = raw;

    expect(
      withRules(bare, [{ when: { title: '*undefined*' }, labels: { a: 'b' } }]).labels.a,
    ).toBeUndefined();
    expect(withRules(bare, [{ when: { title: '\n' }, labels: { a: 'b' } }]).labels.a).toBe('b');
  });
});

describe('the channel of an alert', () => {
  const routes = [{ when: { namespace: 'ml-*' }, channel: 'C0ML' }];

  it.each([
    ['the first route that matches', { namespace: 'ml-serving' }, 'C0OWN', 'C0ML'],
    ["the webhook's own", { namespace: 'shop' }, 'C0OWN', 'C0OWN'],
    ['the one for all', { namespace: 'shop' }, undefined, 'C0ALL'],
    ['the one for all where a label is missing', {}, undefined, 'C0ALL'],
  ])('is %s', (_, labels, own, expected) => {
    expect(channelFor(labels, { routes, channel: 'C0ALL' }, own)).toBe(expected);
  });

  it('is that of the first route, in their order', () => {
    const second = { when: { namespace: '*' }, channel: 'C0ANY' };

    expect(channelFor({ namespace: 'ml-a' }, { routes: [...routes, second] }, undefined)).toBe('C0ML');
    expect(channelFor({ namespace: 'ml-a' }, { routes: [second, ...routes] }, undefined)).toBe('C0ANY');
  });

  it('is unknown where none is configured', () => {
    expect(channelFor({ namespace: 'shop' }, { routes }, undefined)).toBeUndefined();
  });

  it('is not found by a title, which routes do not see', () => {
    const byTitle = { when: { title: '*slow*' }, channel: 'C0SLOW' };

    expect(channelFor({ title: 'slow' }, { routes: [byTitle], channel: 'C0ALL' }, undefined)).toBe('C0ALL');
  });
});
