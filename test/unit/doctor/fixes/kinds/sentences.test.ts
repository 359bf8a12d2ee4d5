import { describe, expect, it } from 'vitest';
import { kinds } from '#src/doctor/fixes/kinds/kinds.js';
import { refusalsText } from '#src/doctor/fixes/refusals.js';
import { plain } from '#src/engine/language/prose.js';

/** A value of each name that a sentence reads, which no sentence has among its own words. */
const values: Readonly<Record<string, unknown>> = {
  workload: 'shop/web-0',
  owner: 'ml/llm-0',
  kind: 'Zebra',
  name: 'zebra-1',
  pod: 'web-7f-a',
  node: 'gpu-a',
  replicaSet: 'web-7f',
  container: 'app-0',
  budget: 'web-pdb',
  hostname: 'host-a',
  manager: 'zebra-cd',
  service: 'db-0',
  resource: 'example.com/dongle',
  device: 'dongle-0',
  line: 'the zebra left',
  what: 'Pod',
  path: 'spec.zebra',
  found: 'stripes',
  field: 'spec.herd',
  from: 'web-5c',
  revision: 31,
  to: 37,
  maxSurge: '41%',
  maxUnavailable: '43%',
  terms: 2,
  room: 0,
  at: '2026-11-20T09:30:00Z',
  as: 'zebra-as',
  pods: ['web-7f-a', 'web-7f-b'],
  nodes: ['gpu-a', 'gpu-b'],
  stops: ['web-7f-c'],
  budgets: ['web-pdb'],
  paths: ['spec.zebra', 'spec.herd'],
  objects: ['zebra-1', 'zebra-2'],
  containers: ['app-0'],
  replicas: 53,
  ready: 59,
  wanted: 61,
  failing: 67,
  surge: 71,
  unavailable: 73,
  hours: 5,
};
const seconds = 240;

/** Sentences that count what others name, and others whose values have another form. */
const otherForms: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  'patch-strategy/then-node-by-node': { nodes: 101 },
  'scale-down-old/stops': { from: 109 },
  'undo-rollout/waits-for-broken': { stops: 103 },
  'restart-rollout/config-unread': { objects: [{ kind: 'ConfigMap', name: 'zebra-1' }] },
  'restart-rollout/younger-ready': { failing: ['web-5c-a'], ready: ['web-7f-a'] },
  ...Object.fromEntries(
    [
      ...['undo-rollout/stops-others', 'undo-rollout/places-old', 'restart-rollout/evicts'],
      ...['exclude-nodes/withheld-no-room', 'exclude-nodes/withheld-deadlock'],
      ...['exclude-nodes/withheld-unready', 'exclude-nodes/replaces', 'restart-rollout/replaces'],
      ...['resume-rollout/replaces-pods', 'restart-rollout/withheld-together', 'delete-pod/goes-on'],
    ].map((id) => [id, { pods: 107 }]),
  ),
};
/** It decides about the words, and is not among them. */
const choosing = new Set(['as']);

/** The sentence with these values, and those that it read. */
function told(id: string, sentence: (of: never) => Parameters<typeof plain>[0]) {
  const given = { ...values, ...otherForms[id] };
  const read = new Set<string>();
  const of = new Proxy(given, {
    get: (_, name: string) => {
      read.add(name);
      if (!(name in given) && !/seconds$/i.test(name)) throw new Error(`no value of ${name} for ${id}`);
      return /seconds$/i.test(name) ? seconds : given[name as keyof typeof given];
    },
  });
  const text = plain(sentence(of as never));
  const stated = [...read].filter((name) => !choosing.has(name));
  return { text, read: stated.flatMap((name) => given[name as keyof typeof given] ?? []) };
}

const catalogues = [
  ...kinds.map(({ kind, text }) => [kind, text] as const),
  ['refusals', refusalsText] as const,
];
/** The limit of a simulation has words of its own. */
const sentences = catalogues
  .flatMap(([of, text]) => Object.keys(text.en).map((key) => [`${of}/${key}`, text, key] as const))
  .filter(([id]) => id !== 'refusals/too-large');

function hasName(value: unknown): value is { readonly name: string } {
  return typeof value === 'object' && value !== null && 'name' in value;
}

describe('each sentence about a fix', () => {
  it.each(sentences)('%s has words in each language, and states what it is given', (id, { en, ko }, key) => {
    for (const [of, isKorean] of [
      [en, false],
      [ko, true],
    ] as const) {
      const { text, read } = told(id, of[key as keyof typeof of] as never);
      expect(/[가-힣]/u.test(text)).toBe(isKorean);
      expect(text).not.toMatch(/undefined|NaN|\[object|^$/u);
      for (const value of read) expect(text).toContain(String(hasName(value) ? value.name : value));
    }
  });
});
