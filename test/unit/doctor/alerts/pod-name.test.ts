import { describe, expect, it } from 'vitest';
import { isPodNameLike, namesBehindPod } from '#src/doctor/alerts/label-names.js';
import type { NamedWorkload } from '#src/doctor/commands/command.js';

describe('the workload of a deleted pod, found by the name of the pod', () => {
  it.each<[string, string, NamedWorkload | undefined]>([
    ['a Deployment', 'web-7d9c5b8f6-x2k4p', { kind: 'Deployment', name: 'web' }],
    ['a Deployment with dashes', 'web-api-v2-7d9c5b8f6-x2k4p', { kind: 'Deployment', name: 'web-api-v2' }],
    ['the shortest hash', 'web-7d9c5-x2k4p', { kind: 'Deployment', name: 'web' }],
    ['the longest hash', 'web-7d9c5b8f67-x2k4p', { kind: 'Deployment', name: 'web' }],
    ['a part too short for a hash', 'web-7d9c-x2k4p', { kind: 'DaemonSet', name: 'web-7d9c' }],
    ['a part too long for a hash', 'web-7d9c5b8f678-x2k4p', { kind: 'DaemonSet', name: 'web-7d9c5b8f678' }],
    ['a part with vowels, which is a word', 'web-primary-x2k4p', { kind: 'DaemonSet', name: 'web-primary' }],
    ['a DaemonSet', 'cni-x2k4p', { kind: 'DaemonSet', name: 'cni' }],
    ['a StatefulSet', 'pg-0', { kind: 'StatefulSet', name: 'pg' }],
    ['a high ordinal, though it could be a suffix', 'pg-24567', { kind: 'StatefulSet', name: 'pg' }],
    ['a number that no ordinal reaches', 'pg-123456', undefined],
    ['a suffix too short', 'cni-x2k4', undefined],
    ['a suffix too long', 'cni-x2k4p7', undefined],
    ['a name without a suffix', 'web', undefined],
    ['an ordinal without a name', '-0', undefined],
    ['something after an ordinal', 'pg-0-x', undefined],
  ])('%s: %s', (_, name, expected) => {
    expect(namesBehindPod({ name })).toEqual(expected === undefined ? [] : [expected]);
  });

  it.each(['web-7d9c5b8f6-x2k4p', 'pg-0', 'cni-x2k4p'])(
    'is in the namespace and cluster of the pod: %s',
    (name) => {
      expect(namesBehindPod({ cluster: 'prod', namespace: 'shop', name })).toMatchObject([
        { cluster: 'prod', namespace: 'shop' },
      ]);
    },
  );
});

describe('a word is recognized as a pod name', () => {
  it.each([
    ['with hash and suffix', 'web-7d9c5b8f6-x2k4p', true],
    ['not with a suffix alone, as many words have', 'prometheus-x2k4p', false],
    ['not with an ordinal', 'pg-0', false],
    ['not inside of something longer', 'web-7d9c5b8f6-x2k4p.log', false],
  ])('%s', (_, word, expected) => {
    expect(isPodNameLike(word)).toBe(expected);
  });
});
