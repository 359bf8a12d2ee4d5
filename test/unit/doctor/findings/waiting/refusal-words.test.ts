import { describe, expect, it } from 'vitest';
import type { Refusal } from '#src/doctor/findings/waiting/facts.js';
import { refusalsIn } from '#src/doctor/findings/waiting/refusal.js';
import {
  refusalsInFull,
  refusalsInShort,
  requirementText,
} from '#src/doctor/findings/waiting/refusal-words.js';
import { plain } from '#src/engine/language/prose.js';

const label = { what: 'label', key: 'zone', operator: 'In', values: ['a', 'b'] } as const;
const cpu = {
  what: 'resource',
  resource: 'cpu',
  requested: '2',
  free: '500m',
  allocatable: '4',
  short: '1500m',
} as const;
const spread = {
  what: 'spread',
  topologyKey: 'zone',
  minimum: 1,
  maxSkew: 1,
  minimumDomains: ['b'],
} as const;

/** One of each. */
const refusals: readonly Refusal[] = [
  { ...label, found: undefined },
  { ...label, found: 'c' },
  { what: 'affinity' },
  { what: 'name', wanted: 'node-a' },
  { what: 'cordoned' },
  { what: 'taint', key: 'gpu', value: 'yes', effect: 'NoSchedule' },
  { what: 'taint', key: 'gpu', value: '', effect: 'NoExecute' },
  { ...cpu, tooSmall: false },
  { ...cpu, tooSmall: true },
  { what: 'port', port: 8080, protocol: 'TCP' },
  { what: 'wanted-pods', topologyKey: 'zone' },
  { what: 'avoided-pods', topologyKey: 'zone' },
  { what: 'avoiding-pods', topologyKey: 'zone' },
  { ...spread, matching: 1 },
  { ...spread, matching: 2, minimumDomains: ['b', 'c', 'd', 'e'] },
  { what: 'spread-label', topologyKey: 'zone' },
  { what: 'volume', claim: 'data', volume: 'pv-1' },
  { what: 'claim-in-use', claim: 'data' },
  { what: 'disk-in-use', volume: 'disk' },
  { what: 'volumes', driver: 'csi.example.com', limit: 3 },
  { what: 'device', claim: 'gpu' },
  { what: 'other', text: 'in its own words' },
];

describe('the text of a refusal', () => {
  it('is as reviewed, in full and in short, in both languages', async () => {
    const lines = refusals.flatMap((refusal) => [
      JSON.stringify(refusal),
      `  ${plain(refusalsInFull('en', [refusal]))}`,
      `  ${plain(refusalsInShort('en', [refusal]))}`,
      `  ${plain(refusalsInFull('ko', [refusal]))}`,
      `  ${plain(refusalsInShort('ko', [refusal]))}`,
    ]);
    await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot('refusal-words.txt');
  });

  it('lists further refusals, six at most', () => {
    const seven: readonly Refusal[] = Array.from({ length: 7 }, () => ({ what: 'cordoned' }));
    expect(plain(refusalsInShort('en', seven))).toMatch(/^(?:cordoned, ){5}cordoned and 1 more$/);
    expect(plain(refusalsInFull('en', seven.slice(1)))).toMatch(/^(?:cordoned, ){4}cordoned and cordoned$/);
  });
});

describe('the text of a requirement', () => {
  it.each([
    ['In', ['a'], 'zone=a'],
    ['In', ['a', 'b'], 'zone in (a, b)'],
    ['NotIn', ['a'], 'zone!=a'],
    ['NotIn', ['a', 'b'], 'zone notin (a, b)'],
    ['Exists', [], 'zone'],
    ['DoesNotExist', [], '!zone'],
    ['Gt', ['3'], 'zone>3'],
    ['Lt', ['3'], 'zone<3'],
    ['Near', ['3', '4'], 'zone Near 3, 4'],
  ])('%s %j is %s', (operator, values, text) => {
    expect(requirementText({ key: 'zone', operator, values })).toBe(text);
  });
});

describe('the reason of a simulated refusal', () => {
  const refusal = { plugin: 'NodeName', text: 'said', resolvable: true, preemptible: true } as const;
  const held = { ...refusal, holders: [] };
  const requirement = { key: 'zone', operator: 'In', values: ['a'] };

  it.each<[Parameters<typeof refusalsIn>[0], readonly Refusal[]]>([
    [{ ...refusal, id: 'node-affinity', unmet: [] }, [{ what: 'affinity' }]],
    [
      {
        ...refusal,
        id: 'node-affinity',
        unmet: [
          { requirement, found: 'b' },
          { requirement, found: undefined },
        ],
      },
      [
        { what: 'label', ...requirement, found: 'b' },
        { what: 'label', ...requirement, found: undefined },
      ],
    ],
    [{ ...refusal, id: 'node-name', wanted: 'node-b' }, [{ what: 'name', wanted: 'node-b' }]],
    [{ ...refusal, id: 'cordoned' }, [{ what: 'cordoned' }]],
    [
      {
        ...refusal,
        id: 'taint',
        taint: { key: 'k', value: 'v', effect: 'NoSchedule', timeAdded: undefined },
      },
      [{ what: 'taint', key: 'k', value: 'v', effect: 'NoSchedule' }],
    ],
    [
      { ...held, id: 'host-port', port: 80, protocol: 'TCP', hostIP: '' },
      [{ what: 'port', port: 80, protocol: 'TCP' }],
    ],
    [
      { ...held, id: 'pod-affinity', rule: 'affinity', topologyKey: 'zone', domain: undefined },
      [{ what: 'wanted-pods', topologyKey: 'zone' }],
    ],
    [
      { ...held, id: 'pod-affinity', rule: 'anti-affinity', topologyKey: 'zone', domain: 'a' },
      [{ what: 'avoided-pods', topologyKey: 'zone' }],
    ],
    [
      { ...held, id: 'pod-affinity', rule: 'existing-anti-affinity', topologyKey: 'zone', domain: 'a' },
      [{ what: 'avoiding-pods', topologyKey: 'zone' }],
    ],
  ])('%j is stated as %j', (reason, expected) => {
    expect(refusalsIn(reason)).toEqual(expected);
  });
});
