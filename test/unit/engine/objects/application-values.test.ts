import { describe, expect, it } from 'vitest';
import { Application } from '#src/engine/objects/gitops.js';

const metadata = { name: 'web', namespace: 'argocd', uid: 'u' };
/** The keys that the texts of these sources set. */
const keysOf = (spec: object) => {
  const { source, sources } = Application.parse({ metadata, spec }).spec;
  return [...(source === undefined ? [] : [source]), ...sources].map(({ helm }) => helm?.values);
};
const helm = (values: string) => ({ helm: { values } });
/** Any value may be set. */
const anything = [[]];

describe('the values that an Application states as text', () => {
  it('are known by the names of their keys', () => {
    expect(keysOf({ source: helm('a: {b: 1}\nc: [2]\n') })).toEqual([[['a', 'b'], ['c']]]);
    expect(keysOf({ sources: [helm('a: 1\n'), helm('b: 1\n')] })).toEqual([[['a']], [['b']]]);
  });

  it.each([
    ['longer than is read', `a: "${'x'.repeat(33_000)}"\n`],
    ['of many brackets', `a: ${'['.repeat(501)}`],
    ['of many brackets in lines of their own', `a:\n${' [\n'.repeat(501)}`],
    ['of many lists in one line', '- '.repeat(60)],
    ['of many keys in one line', '? '.repeat(60)],
    ['that is no YAML', 'a: [\n'],
  ])('may be any in a text %s', (_, text) => {
    expect(keysOf({ source: helm(text) })).toEqual([anything]);
  });

  it('may be any in each source where the texts of all are longer than is read', () => {
    const half = helm(`a: "${'x'.repeat(17_000)}"\n`);
    expect(keysOf({ sources: [half, {}] })).toEqual([[['a']], undefined]);
    expect(keysOf({ sources: [half, half, {}] })).toEqual([anything, anything, undefined]);
  });
});
