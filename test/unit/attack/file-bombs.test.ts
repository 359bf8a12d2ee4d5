import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readManifests } from '#src/edges/recordings/read-manifests.js';
import { readRecording } from '#src/edges/recordings/read-recording.js';
import { RecordingError } from '#src/edges/recordings/recording-error.js';
import { loadPolicy } from '#src/settings/config.js';
import { loadAlerts } from '#src/settings/load-alerts.js';
import { statedCount } from '../../support/stated-count.js';

const manifest = `apiVersion: apps/v1
kind: Deployment
metadata: { name: web, namespace: shop }
spec: { selector: {}, template: { spec: { containers: [{ name: app, image: app:1 }] } } }
`;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'rollout-doctor-bombs-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const lines = (count: number, line: (n: number) => string): string =>
  Array.from({ length: count }, (_, n) => line(n)).join('\n');
const deep = (open: string, close: string, depth: number): string => open.repeat(depth) + close.repeat(depth);
const laughs = lines(30, (n) => `k${n}: &a${n} [${Array(9).fill(n === 0 ? 'ha' : `*a${n - 1}`)}]`);
const metadataOf = (text: string): string => `kind: Pod\nmetadata:\n  name: a\n  labels:\n    ${text}`;

/**
 * Text that costs a naive reader more than its length, and the error for it; undefined where it is parsed.
 */
const bombs: readonly [string, string, string, RegExp | undefined][] = [
  ['100,000 equal keys', 'o.yaml', `${manifest}${lines(100_000, () => 'a: 1')}\n`, undefined],
  ['100,000 keys', 'o.yaml', `${manifest}${lines(100_000, (n) => `k${n}: 1`)}\n`, undefined],
  [
    '100,000 equal keys in JSON',
    'o.json',
    `{"kind":"Deployment","metadata":{"name":"web"},"spec":{"selector":{},"template":{"spec":{"containers":[]}}},${lines(100_000, () => '"a":1,')}"b":1}`,
    undefined,
  ],
  ['100,000 equal keys in one line', 'o.yaml', `${manifest}x: {${'a: 1, '.repeat(100_000)}}\n`, undefined],
  ['100,000 documents', 'o.yaml', `${manifest}${'---\n'.repeat(100_000)}`, undefined],
  ['2,000,000 empty documents', 'o.yaml', '---\n'.repeat(2_000_000), /more than 100000 documents/],
  ['1,000,000 ends of documents', 'o.yaml', 'a: 1\n...\n'.repeat(1_000_000), /more than 100000 documents/],
  ['100,000 anchors', 'o.yaml', `${manifest}${lines(100_000, (n) => `k${n}: &a${n} 1`)}\n`, undefined],
  ['a scalar of 8 MB', 'o.yaml', `${manifest}x: "${'x '.repeat(4_000_000)}"\n`, undefined],
  ['a million empty lines', 'o.yaml', `${manifest}${'\n'.repeat(1_000_000)}`, undefined],
  ['a few aliases', 'o.yaml', `x: &a {b: 1}\n${manifest}${lines(500, (n) => `k${n}: *a`)}\n`, undefined],
  ['a merge key', 'o.yaml', `x: &a {spec: 7}\n<<: *a\n${manifest}`, undefined],
  ['aliases of aliases', 'o.yaml', laughs, /aliases expand without end/],
  ['an alias within itself', 'o.yaml', `${metadataOf('&a')}\n      x: *a\n`, /aliases expand without end/],
  [
    'a long chain of aliases',
    'o.yaml',
    `k0: &a0 {}\n${lines(9_000, (n) => `k${n + 1}: &a${n + 1} [*a${n}]`)}`,
    /nested too deeply/,
  ],
  [
    'merges of a large mapping',
    'o.yaml',
    `x: &a {${lines(5_000, (n) => ` k${n}: 1,`)}}\n${lines(50, (n) => `m${n}: {<<: *a}`)}`,
    /aliases expand without end/,
  ],
  ['20,000 sequences in one another', 'o.yaml', deep('[', ']', 20_000), /nested too deeply/],
  ['20,000 dashes', 'o.yaml', `${'- '.repeat(20_000)}x`, /nested too deeply/],
  ['20,000 mappings in one another', 'o.yaml', deep('{a: ', '}', 20_000), /nested too deeply/],
  ['JSON nested 200,000 times', 'o.json', deep('[', ']', 200_000), /nested too deeply/],
  [
    'JSON objects nested 20,000 times',
    'o.json',
    `{"kind":"Pod","metadata":{"name":"a","labels":${deep('{"a":', '}', 20_000).replace('}', '1}')}}}`,
    /nested too deeply/,
  ],
  ['Lists within Lists', 'o.json', deep('{"kind":"List","items":[', ']}', 20_000), /nested too deeply/],
  ['an unknown tag', 'o.yaml', `${manifest}x: !!js/function "f"\n`, /unknown scalar tag/],
  ['an alias without an anchor', 'o.yaml', `${manifest}x: *nothing\n`, /alias/],
  ['a NUL byte', 'o.yaml', `${manifest}x: "\u0000"\n`, /NUL byte/],
  ['UTF-16 without a mark', 'o.yaml', Buffer.from(manifest, 'utf16le').toString('latin1'), /NUL byte/],
  [
    '17 MiB of YAML',
    'o.yaml',
    `${manifest}${'# a comment\n'.repeat(1_500_000)}`,
    /too much YAML|larger than 16 MiB/,
  ],
];

/** Settings are YAML files. */
const settingsBombs = bombs.filter(([, name]) => !name.endsWith('.json'));

it.each(settingsBombs)('settings with %s are refused with a short list of problems', (_, name, text) => {
  const path = join(folder, name);
  writeFileSync(path, text);
  for (const answer of [loadPolicy(path), loadAlerts(path, {})]) {
    expect(answer).toHaveProperty('problems');
    expect(JSON.stringify(answer).length).toBeLessThan(20_000);
  }
});

describe.each(bombs)('a file with %s', (_, name, text, words) => {
  it.each<[string, (path: string) => Promise<unknown>]>([
    ['a recording', readRecording],
    ['a manifest', (path) => readManifests([path], async () => new Uint8Array())],
  ])('is answered without delay as %s', async (_as, read) => {
    const path = join(folder, name);
    writeFileSync(path, text);
    const answer = await read(path).catch((error: unknown) => error);
    if (words === undefined) expect(answer).not.toBeInstanceOf(Error);
    else {
      expect(answer).toBeInstanceOf(RecordingError);
      expect(String(answer)).toMatch(words);
    }
  });
});

it('a large List in JSON is refused for one item that is larger than any object, or nested too deeply', async () => {
  const path = join(folder, 'o.json');
  const list = (item: string): string =>
    `{"kind":"List","items":[{"kind":"Pod","metadata":{"name":"a"},"x":${item}}]}`;
  for (const [item, words] of [
    [`"${'x'.repeat(49 * 1024 * 1024)}"`, /one item is larger than 32 MiB/],
    [`${deep('[', ']', 200)}${' '.repeat(49 * 1024 * 1024)}`, /nested too deeply/],
  ] as const) {
    writeFileSync(path, list(item));
    await expect(readRecording(path)).rejects.toThrow(words);
  }
});

it.each([
  ['JSON', '{"kind":"A"}\n'],
  ['YAML', 'kind: A\nmetadata: {}\n'],
  ['descriptions', 'Name:  a\nType:  b\n'],
])('a text is refused for more parts than 500,000: %s', async (_, part) => {
  const path = join(folder, 'o.txt');
  writeFileSync(path, `$ kubectl get\n${part.repeat(500_001)}`);
  await expect(readRecording(path)).rejects.toThrow(/more than 500000 documents/);
});

it('a key of 49 MB beside the items of a List costs no more than its length', async () => {
  const path = join(folder, 'o.json');
  const pod = '{"kind":"Pod","metadata":{"name":"a","namespace":"b"},"spec":{"containers":[]}}';
  writeFileSync(path, `{"${'k'.repeat(49 * 1024 * 1024)}":1,"items":[${pod}]}`);
  expect((await readRecording(path)).objects.Pod).toHaveLength(1);
});

it('makes as many bombs as docs/security.md states', () => {
  expect(bombs.length).toBe(statedCount('YAML and JSON bombs'));
});
