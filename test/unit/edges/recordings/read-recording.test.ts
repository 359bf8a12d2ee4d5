import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readRecording } from '#src/edges/recordings/read-recording.js';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'recording-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

const object = (apiVersion: string | undefined, kind: string) => ({
  ...(apiVersion === undefined ? {} : { apiVersion }),
  kind,
  metadata: { name: 'web', namespace: 'shop' },
  spec: { selector: {}, template: { spec: { containers: [] } } },
});
const list = (...items: readonly object[]) => JSON.stringify({ apiVersion: 'v1', kind: 'List', items });
const deployment = object('apps/v1', 'Deployment');

async function deploymentsIn(name: string, content: string | Buffer): Promise<readonly string[]> {
  writeFileSync(join(folder, name), content);
  const { objects } = await readRecording(folder);
  return objects.Deployment.map(({ metadata }) => metadata.name);
}

describe('recorded files', () => {
  const text = list(deployment);
  it.each<[string, string, string | Buffer]>([
    ['with a byte order mark', 'o.json', `\uFEFF${text}`],
    ['in UTF-16, as PowerShell writes it', 'o.json', Buffer.from(`\uFEFF${text}`, 'utf16le')],
    ['in UTF-16 the other way round', 'o.json', Buffer.from(`\uFEFF${text}`, 'utf16le').swap16()],
    ['YAML in UTF-16', 'o.yaml', Buffer.from(`\uFEFF${text}`, 'utf16le')],
    ['with an extension in capitals', 'All Objects (1).JSON', text],
    ['with carriage returns', 'o.yml', `kind: List\r\nitems:\r\n- ${JSON.stringify(deployment)}\r\n`],
  ])('are read %s', async (_, name, content) => {
    expect(await deploymentsIn(name, content)).toEqual(['web']);
  });

  it.each([
    [
      'a link that leads back to itself',
      () => symlinkSync('loop.json', join(folder, 'loop.json')),
      /leads back to itself/,
    ],
    ['a broken link', () => symlinkSync('gone', join(folder, 'o.yaml')), /no such file/],
    [
      'lists in lists without end',
      () => writeFileSync(join(folder, 'o.yaml'), `${'- '.repeat(20_000)}x`),
      /nested too deeply/,
    ],
    ['no file to read', () => writeFileSync(join(folder, 'notes.md'), ''), /no \.json, \.yaml or \.txt file/],
  ])('are refused with a readable error when there is %s', async (_, make, words) => {
    make();

    await expect(readRecording(folder)).rejects.toThrow(words);
  });
});

describe('the number of Deployments read', () => {
  it.each<[string, string | undefined, string, number]>([
    ['a Deployment of its API group', 'apps/v1', 'Deployment', 1],
    ['a Deployment of its old API group', 'extensions/v1beta1', 'Deployment', 1],
    ['a Deployment without an API group', undefined, 'Deployment', 1],
    ['a Deployment of another API group', 'example.com/v1', 'Deployment', 0],
  ])('for %s', async (_, apiVersion, kind, found) => {
    const content = list(object(apiVersion, kind), { kind: 'Namespace', metadata: { name: 'shop' } });

    expect(await deploymentsIn('o.json', content)).toHaveLength(found);
  });

  it('an OpenKruise StatefulSet is not read as a StatefulSet', async () => {
    const kruise = { apiVersion: 'apps.kruise.io/v1beta1', kind: 'StatefulSet', metadata: { name: 'db' } };
    writeFileSync(join(folder, 'o.json'), list(kruise, deployment));
    const { objects, ignored } = await readRecording(folder);

    expect([objects.StatefulSet.length, ignored]).toEqual([0, 1]);
  });
});

describe('the version of the recorded server', () => {
  it.each<[string, string, string]>([
    ['kubectl version -o json', 'version.json', '{"serverVersion":{"gitVersion":"v1.35.2-eks-1"}}'],
    ['kubectl version -o yaml', 'version.yaml', 'serverVersion:\n  gitVersion: v1.35.2-eks-1\n'],
    ['kubectl get --raw /version', 'version.json', '{"gitVersion":"v1.35.2-eks-1"}'],
  ])('is read from the output of %s', async (_name, file, content) => {
    writeFileSync(join(folder, 'o.json'), list(deployment));
    writeFileSync(join(folder, file), content);
    const { serverVersion, ignored } = await readRecording(folder);
    expect({ serverVersion, ignored }).toEqual({
      serverVersion: { major: 1, minor: 35, patch: 2, suffix: '-eks-1' },
      ignored: 0,
    });
  });

  it('is not that of the client', async () => {
    writeFileSync(join(folder, 'o.json'), list(deployment));
    writeFileSync(join(folder, 'version.json'), '{"clientVersion":{"gitVersion":"v1.35.2"}}');
    expect(await readRecording(folder)).toMatchObject({ serverVersion: undefined, ignored: 1 });
  });
});
