import { describe, expect, it } from 'vitest';
import { Alert, alertBounds, alertSources, alertStatuses, identityText } from '#src/doctor/alerts/alert.js';
import { buildAlert } from '../../../support/alert-builders.js';

/** Words, since a long run of letters may be taken for a secret. */
const words = (length: number): string =>
  'ab '
    .repeat(length)
    .slice(0, length - 1)
    .concat('z');
const many = (count: number): Record<string, string> =>
  Object.fromEntries(Array.from({ length: count }, (_, number) => [`l${number}`, 'x']));

describe('of an alert are kept', () => {
  it.each<[string, (length: number) => string, number]>([
    ['name', (length) => buildAlert({ name: words(length) }).name, alertBounds.name],
    ['text', (length) => buildAlert({ text: words(length) }).text, alertBounds.text],
    [
      'label',
      (length) => buildAlert({ labels: { team: words(length) } }).labels.team ?? '',
      alertBounds.labelValue,
    ],
    [
      'annotation',
      (length) => buildAlert({ annotations: { summary: words(length) } }).annotations.summary ?? '',
      alertBounds.annotation,
    ],
    [
      'fingerprint',
      (length) => buildAlert({ fingerprint: words(length) }).fingerprint,
      alertBounds.fingerprint,
    ],
  ])('a %s up to its maximum length, and the beginning of a longer one', (_, kept, most) => {
    expect(kept(most)).toBe(words(most));
    expect([most - 1, most]).toContain(kept(most + 1).length);
    expect(kept(most + 1).slice(0, most - 9)).toBe(words(most + 1).slice(0, most - 9));
  });

  it('the first labels and annotations', () => {
    const { labels, annotations } = buildAlert({ labels: many(65), annotations: many(25) });
    expect(Object.keys(labels)).toEqual(Object.keys(many(64)));
    expect(Object.keys(annotations)).toEqual(Object.keys(many(24)));
  });

  it.each<[string, string, boolean]>([
    ['with dots, slashes and dashes', 'app.kubernetes.io/part-of', true],
    ['with a colon', 'kube:deployment', true],
    ['of 128 characters', 'k'.repeat(128), true],
    ['of 129 characters', 'k'.repeat(129), false],
    ['with a space', 'a b', false],
    ['with a mark of HTML', '<b', false],
    ['with a mark at its end', 'b>', false],
    ['with an empty value', '', false],
  ])('a label called by a name %s: %s', (_, key, kept) => {
    expect(Object.hasOwn(buildAlert({ labels: { [key]: 'x' } }).labels, key)).toBe(kept);
  });

  it('the first six links that are short enough and are only a link', () => {
    const links = Array.from({ length: 8 }, (_, number) => `http://x.example/${number}`);
    expect(buildAlert({ links }).links).toEqual(links.slice(0, 6));
    const longest = `https://x.example/${'a'.repeat(alertBounds.link - 18)}`;
    const bad = [
      `${longest}a`,
      'see https://x.example/',
      'https://x.example/ now',
      'https://',
      'ftp://x.example/',
    ];
    expect(buildAlert({ links: [...bad, longest] }).links).toEqual([longest]);
  });

  it('the name, or else the label alertname, or else an empty name', () => {
    expect(buildAlert({ name: 'Own' }).name).toBe('Own');
    expect(buildAlert().name).toBe('KubeDeploymentRolloutStuck');
    expect(buildAlert({ labels: {} }).name).toBe('');
  });

  it('line breaks in the text only', () => {
    const lines = 'one\ntwo';
    const alert = buildAlert({ name: lines, text: lines, labels: { a: lines }, annotations: { a: lines } });
    expect([alert.name, alert.text, alert.labels.a, alert.annotations.a]).toEqual([
      'one two',
      lines,
      'one two',
      'one two',
    ]);
  });

  it.each<[string, string | undefined, string | undefined]>([
    ['in UTC', '2026-11-21T03:00:00Z', '2026-11-21T03:00:00.000Z'],
    ['of another zone', '2026-11-21T12:00:00+09:00', '2026-11-21T03:00:00.000Z'],
    ['that is missing', undefined, undefined],
    ['that is no time', 'soon', undefined],
    ['of the epoch itself', '1970-01-01T00:00:00Z', undefined],
    ['at the end of the accepted period', '2200-01-01T00:00:00Z', '2200-01-01T00:00:00.000Z'],
    ['after the accepted period', '2200-01-01T00:00:01Z', undefined],
  ])('the start %s', (_, startsAt, expected) => {
    expect(buildAlert({ startsAt }).startsAt).toBe(expected);
  });

  it('no values where none were sent', () => {
    expect(buildAlert({ labels: {}, startsAt: undefined })).toEqual({
      v: 1,
      source: 'alertmanager',
      status: 'firing',
      fingerprint: 'c0ffee0123456789',
      name: '',
      labels: {},
      annotations: {},
      text: '',
      links: [],
    });
  });
});

describe('label values that look like secrets', () => {
  const random = 'xoxb-111111111111-222222222222-k8zq4v7x2m9p5t3w6r1y8b4n';

  it.each<[string, string, boolean]>([
    ['parts of at most 20 letters', `${'a'.repeat(20)}-${'b'.repeat(20)}`, true],
    ['a token, whose last part is as long as no generated name', random, false],
    ['a name of 253 characters', `${'abcd-'.repeat(50)}abc`, true],
  ])('are kept only where they can be names: %s', (_, value, stays) => {
    expect(buildAlert({ labels: { token: value } }).labels.token === value).toBe(stays);
  });
});

describe('a stored alert is parsed', () => {
  it.each(alertSources)('from %s', (source) => {
    const alert = buildAlert({ source, annotations: { a: 'b' }, text: 'x', links: ['https://x.example/'] });
    expect(Alert.parse(JSON.parse(JSON.stringify(alert)))).toEqual(alert);
  });

  it.each<[string, object]>([
    ['without a fingerprint', { fingerprint: '' }],
    ['of an unknown sender', { source: 'nagios' }],
    ['in an unknown state', { status: 'pending' }],
    ['of another version', { v: 2 }],
    ['with a label that is no text', { labels: { a: 1 } }],
    ['without links', { links: undefined }],
  ])('but not one %s', (_, changes) => {
    expect(Alert.safeParse({ ...buildAlert(), ...changes }).success).toBe(false);
  });

  it('when it is firing or resolved', () => {
    expect(alertStatuses.map((status) => buildAlert({ status }).status)).toEqual(['firing', 'resolved']);
  });
});

describe('an alert without a fingerprint', () => {
  it('is identified by its name, its labels, and the other fields of its sender', () => {
    const texts = [
      identityText('A', { x: '1', y: '2' }),
      identityText('B', { x: '1', y: '2' }),
      identityText('A', { x: '1' }),
      identityText('A', { x: '1', y: '3' }),
      identityText('A', { x: '1', y: '2' }, ['Q1']),
      identityText('A', {}, ['Q1']),
    ];
    expect(new Set(texts).size).toBe(texts.length);
  });

  it('has the same identity in any order of labels', () => {
    const [one, other] = [
      { c: '3', a: '1', d: '4', b: '2' },
      { d: '4', b: '2', a: '1', c: '3' },
    ];
    expect(identityText('A', one)).toBe(identityText('A', other));
  });
});
