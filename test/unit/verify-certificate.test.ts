import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { certify } from '#src/library.js';

const root = join(import.meta.dirname, '../..');
const verifier = join(root, 'scripts/verify-certificate.mjs');
const source = readFileSync(verifier, 'utf8');
const objects: object = JSON.parse(
  readFileSync(join(root, 'test/scenarios/gpu-one-node/objects.json'), 'utf8'),
);
const folder = mkdtempSync(join(tmpdir(), 'rollout-doctor-certificate-'));
afterAll(() => rmSync(folder, { recursive: true }));

function verdictOn(certificate: string, recorded: string): readonly [status: number, line: string] {
  const files = [join(folder, 'certificate'), join(folder, 'objects')] as const;
  writeFileSync(files[0], certificate);
  writeFileSync(files[1], recorded);
  try {
    const printed = execFileSync(process.execPath, [verifier, ...files], { encoding: 'utf8' });
    return [0, printed.split('\n')[0] ?? ''];
  } catch (error) {
    const { status, stdout } = error as { readonly status: number; readonly stdout: string };
    return [status, stdout.split('\n')[0] ?? ''];
  }
}

describe('the verifier of certificates', () => {
  it('shares nothing with the engines', () => {
    const imported = [...source.matchAll(/(?:from|import\() ?'([^']{1,200})'/g)].map(([, from]) => from);
    expect(imported).toEqual(['node:fs', 'yaml']);
    expect(source.trimEnd().split('\n').length).toBeLessThanOrEqual(400);
  });

  it('accepts a certificate and its objects as JSON and as YAML, and refuses a changed one', async () => {
    const certificate = JSON.stringify(await certify({ objects: [objects] }, 'shop/inference'));
    const more = certificate.replace('"allocatable":"1"', '"allocatable":"2"');

    expect(verdictOn(certificate, JSON.stringify(objects))).toEqual([0, 'Accepted. Not judged:']);
    expect(verdictOn(stringify(JSON.parse(certificate)), stringify(objects))).toEqual([
      0,
      'Accepted. Not judged:',
    ]);
    expect(more).not.toBe(certificate);
    expect(verdictOn(more, JSON.stringify(objects))).toEqual([1, 'Refused:']);
  });

  it.each([['{"cut":'], ['{}'], ['']])('says in one line that it cannot check %j', (text) => {
    expect(verdictOn(text, text)).toEqual([2, expect.stringMatching(/^Cannot be checked: [^\n]+$/u)]);
  });

  it('has no certificate to check where nothing is proven', async () => {
    const healthy: object = JSON.parse(
      readFileSync(join(root, 'test/scenarios/healthy-mid-rollout/objects.json'), 'utf8'),
    );
    const { workload } = JSON.parse(
      readFileSync(join(root, 'test/scenarios/healthy-mid-rollout/expect.json'), 'utf8'),
    );
    expect(await certify({ objects: [healthy] }, `${workload.namespace}/${workload.name}`)).toEqual({
      apiVersion: 'rollout-doctor/v1',
      kind: 'NoCertificate',
      because: 'no-deadlock',
      doubts: [],
    });
  });
});
