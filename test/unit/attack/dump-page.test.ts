import { describe, expect, it } from 'vitest';
import { answerFiles } from '#src/edges/dump-page/answer-files.js';
import { statedCount } from '../../support/stated-count.js';

const hostile = '<img src=x onerror=alert(1)>"\'&lt;';

type Given = readonly (readonly [path: string, content: string | Blob | Uint8Array<ArrayBuffer>])[];

function answer(files: Given, language: 'en' | 'ko' = 'en'): Promise<string> {
  const given = files.map(([path, content]) => ({ path, content: new Blob([content]) }));
  return answerFiles({ files: given, language }, () => undefined);
}

interface Texts {
  readonly name?: string;
  readonly namespace?: string;
  readonly container?: string;
  readonly image?: string;
  readonly node?: string;
  readonly reason?: string;
  readonly message?: string;
}

const labels = { app: 'web', 'pod-template-hash': '1' };
const ownedBy = (kind: string, name: string) => [
  { apiVersion: 'apps/v1', kind, name, uid: kind, controller: true },
];

/** A Deployment whose only pod fails, with these texts in it. */
function listOf(texts: Texts): string {
  const { name = 'web', namespace = 'shop', container = 'app', image = 'web:1', node = 'n1' } = texts;
  const { reason = 'ImagePullBackOff', message = 'denied' } = texts;
  const spec = {
    replicas: 1,
    selector: { matchLabels: { app: 'web' } },
    template: { metadata: { labels }, spec: { containers: [{ name: container, image }] } },
  };
  const at = '2026-11-29T00:00:00Z';
  const deadline = { type: 'Progressing', status: 'False', reason: 'ProgressDeadlineExceeded', message };
  const waiting = { name: container, image, imageID: '', ready: false, restartCount: 9 };
  const ofPod = { kind: 'Pod', name: 'web-1-a', namespace, uid: 'Pod' };
  const items = [
    {
      ...{ apiVersion: 'apps/v1', kind: 'Deployment', spec },
      metadata: { name, namespace, uid: 'Deployment', generation: 1 },
      status: { observedGeneration: 1, conditions: [{ ...deadline, lastTransitionTime: at }] },
    },
    {
      ...{ apiVersion: 'apps/v1', kind: 'ReplicaSet', spec, status: { replicas: 1 } },
      metadata: {
        ...{ name: 'web-1', namespace, uid: 'ReplicaSet', labels },
        annotations: { 'deployment.kubernetes.io/revision': '1' },
        ownerReferences: ownedBy('Deployment', name),
      },
    },
    {
      ...{ apiVersion: 'v1', kind: 'Pod' },
      metadata: {
        ...{ name: 'web-1-a', namespace, uid: 'Pod', labels, creationTimestamp: at },
        ownerReferences: ownedBy('ReplicaSet', 'web-1'),
      },
      spec: { nodeName: node, containers: [{ name: container, image }] },
      status: {
        phase: 'Pending',
        containerStatuses: [{ ...waiting, state: { waiting: { reason, message } }, lastState: {} }],
      },
    },
    {
      ...{ apiVersion: 'v1', kind: 'Event', type: 'Warning', count: 5, reason: 'Failed', message },
      metadata: { name: 'e', namespace, uid: 'e' },
      ...{ involvedObject: ofPod, lastTimestamp: at },
    },
  ];
  return JSON.stringify({ apiVersion: 'v1', kind: 'List', items });
}

const line = '0/5 nodes are available: 5 Insufficient';
const texts: readonly (readonly [string, Given])[] = [
  ...(['name', 'namespace', 'container', 'image', 'node', 'reason', 'message'] as const).map(
    (field) => [`the ${field} of an object`, [['a.json', listOf({ [field]: hostile })]]] as const,
  ),
  ['the name of a file', [[`${hostile}.json`, '{']]],
  ['the name of a folder', [[`${hostile}/b.json`, '{']]],
  ['a line that is no YAML', [['a.yaml', `a: [${hostile}`]]],
  [
    'a message that is explained',
    [['a.txt', `${line} ${hostile}, 4 node(s) had untolerated taint {${hostile}}.`]],
  ],
  [
    'the log of a container',
    [
      ['d/objects.json', listOf({ reason: 'CrashLoopBackOff' })],
      ['d/logs/shop/web-1-a/app.log', `Error: ${hostile}`],
    ],
  ],
];

const manyLogs = Array.from({ length: 100_000 }, (_, at) => [`d/logs/shop/p${at}/c.log`, 'x'] as const);
/** 200 MiB of one mebibyte, which is in memory once. */
function large(unit: string): Blob {
  const piece = new Blob([unit.repeat(2 ** 20 / unit.length).padEnd(2 ** 20)]);
  return new Blob(Array.from({ length: 200 }, () => piece));
}
const bomb = Array.from({ length: 12 }, (_, at) => `a${at + 1}: &a${at + 1} [${`*a${at},`.repeat(9)}]\n`);
const files: readonly (readonly [string, Given])[] = [
  ['aliases that expand without end', [['a.yaml', `a0: &a0 [1]\n${bomb.join('')}`]]],
  ['an alias on itself', [['a.yaml', 'apiVersion: v1\nkind: List\nitems: &x [*x]\n']]],
  ['deep JSON', [['a.json', '['.repeat(200_000) + ']'.repeat(200_000)]]],
  ['deep YAML', [['a.yaml', `a: ${'['.repeat(100_000)}`]]],
  ['names of the language', [['a.json', '{"kind":"List","__proto__":{"items":[{"kind":"__proto__"}]}}']]],
  ['a way out of its folder', [['../../etc/a.json', listOf({})]]],
  ['half a character', [['a.json', new Uint8Array([0xff, 0xfe, 0x7b, 0, 0xd8, 0, 0xdc])]]],
  ['NUL bytes', [['a.json', new Uint8Array(1_000_000)]]],
  ['a packed file', [['a.json.gz', new Uint8Array([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3])]]],
  [
    'many files without an object',
    Array.from({ length: 2_000 }, (_, at) => [`d/${at}.json`, '{"kind":"A"}'] as const),
  ],
  ['a hundred thousand files', Array.from({ length: 100_000 }, (_, at) => [`d/${at}.json`, '{}'] as const)],
  ['as many logs', [['d/a.json', listOf({})], ...manyLogs]],
  ['a hidden folder of as many', manyLogs.map(([path]) => [`d/.git/${path}.json`, '{}'] as const)],
  ['a file of 200 MB of YAML', [['a.yaml', large('- a\n')]]],
  ['a text of 200 MB', [['a.txt', large('Name: web\n')]]],
  ['JSON of 200 MB without an end', [['a.json', large('[')]]],
  ['a document in each line', [['a.yaml', '---\n'.repeat(150_000)]]],
  ['a folder in five thousand others', [[`${'a/'.repeat(5_000)}a.json`, '{"kind":"A"}']]],
];

describe('the dump page', () => {
  it.each(texts)('shows hostile text as text: %s', async (_, given) => {
    for (const language of ['en', 'ko'] as const) {
      const html = await answer(given, language);
      expect(html).toMatch(/^<(?:h2|p|article)/u);
      expect(html).not.toMatch(/<img/iu);
    }
  });

  it('escapes such a text and does not leave it out', async () => {
    const answers = await Promise.all(texts.map(([, given]) => answer(given)));
    expect(answers.filter((html) => html.includes('&lt;img')).length).toBeGreaterThan(texts.length / 2);
  });

  it.each(files)('answers in one line where it is given %s', async (_, given) => {
    expect(await answer(given)).toMatch(/^<p class="refusal">[^\n]{10,400}<\/p>$/u);
  });

  it('was given as many inputs as docs/security.md states', () => {
    expect(texts.length + files.length).toBe(statedCount('inputs of the dump page'));
  });
});
