import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { rolloutDoctor } from '../../support/run-command-line.js';
import { statedCount } from '../../support/stated-count.js';

const recorded = readFileSync(new URL('../../scenarios/gpu-one-node/objects.json', import.meta.url), 'utf8');
const folder = mkdtempSync(join(tmpdir(), 'rollout-doctor-certificate-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Recorded {
  readonly items: readonly { readonly kind: string; readonly metadata: { readonly name: string } }[];
}
const nameOf = (kind: string): string =>
  (JSON.parse(recorded) as Recorded).items.find((each) => each.kind === kind)?.metadata.name ?? kind;
const secret = ['hunter', '22Canary'].join('');

/** The recording with this text in the place of a name or a field, wherever it is mentioned. */
const withName = (kind: string, name: string): string =>
  recorded.replaceAll(JSON.stringify(nameOf(kind)), () => JSON.stringify(name));
const withField = (field: string, value: unknown): string =>
  recorded.replaceAll(new RegExp(`"${field}": ?"[^"]*"`, 'gu'), () => `"${field}": ${JSON.stringify(value)}`);

const hostile = `\u001b]0;title\u0007\u001b[31mred\u202e password=${secret}\n- x: y\n# z`;
const recordings: readonly (readonly [string, string])[] = [
  ...['Node', 'Pod', 'Deployment', 'ReplicaSet'].map(
    (kind) => [`a ${kind} with a hostile name`, withName(kind, hostile)] as const,
  ),
  ...['uid', 'resourceVersion', 'image', 'namespace', 'message', 'reason', 'nodeName'].map(
    (field) => [`hostile text in each ${field}`, withField(field, hostile)] as const,
  ),
  ['a name of 100,000 characters', withName('Node', `${'n'.repeat(100_000)}`)],
  ['a name of the language', withName('Pod', '__proto__')],
  ['a number that is none in each resourceVersion', withField('resourceVersion', '9'.repeat(5_000))],
  ['an object as each uid', withField('uid', { toString: 1 })],
  ['times that are none', withField('creationTimestamp', hostile)],
  ['times of another age', withField('creationTimestamp', '+275760-09-13T00:00:00Z')],
];

it('diagnose --certificate makes a certificate of the recording as it is', async () => {
  const { out } = await rolloutDoctor(['diagnose', '--from', write(recorded), '--certificate']);
  expect(JSON.parse(out)).toMatchObject({ kind: 'Certificate', cause: 'surge-deadlock' });
});

it.each(recordings)('diagnose --certificate answers for %s, and shows it as text', async (_, text) => {
  const from = write(text);
  for (const output of ['json', 'yaml']) {
    const { status, out, err } = await rolloutDoctor([
      ...['diagnose', '--from', from, '--certificate', '--output', output],
    ]);
    expect([0, 1, 2, 3, 4]).toContain(status);
    expect(`${out}${err}`).not.toMatch(/(?!\n)\p{Cc}|\u202e/u);
    expect(`${out}${err}`).not.toContain(secret);
    expect(err).not.toMatch(/^\s+at .*:\d+:\d+/mu);
    expect(out.length + err.length).toBeLessThan(1_000_000);
    if (output === 'json' && out !== '') expect(JSON.parse(out).kind).toMatch(/Certificate$/u);
  }
});

it('was asked for as many certificates as docs/security.md states', () => {
  expect(recordings.length).toBe(statedCount('recordings with hostile text'));
});

function write(text: string): string {
  const path = join(folder, 'objects.json');
  writeFileSync(path, text);
  return path;
}
