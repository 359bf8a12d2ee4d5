import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readRecording } from '#src/edges/recordings/read-recording.js';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'forms-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

function write(path: string, content: string | Buffer): string {
  const file = join(folder, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
  return file;
}

const pod = (name: string) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, namespace: 'shop' },
  spec: { containers: [{ name: 'app', image: 'a:1' }] },
});
const json = (name: string) => JSON.stringify(pod(name), undefined, 4);
const yaml = (name: string) =>
  `apiVersion: v1\nkind: Pod\nmetadata:\n  name: ${name}\n  namespace: shop\nspec:\n  containers: []\n`;
const list = (...names: readonly string[]) =>
  `apiVersion: v1\nitems:\n${names.map((name) => `- ${JSON.stringify(pod(name))}\n`).join('')}kind: List\nmetadata: {}\n`;

/** As kubectl 1.36 prints what a watch reports. */
const event = (type: string, name: string) => JSON.stringify({ type, object: pod(name) });
const watched = (name: string, type: string) =>
  `object:\n${yaml(name).replace(/^(?=.)/gmu, '  ')}type: ${type}\n`;

async function podsIn(path = folder): Promise<readonly string[]> {
  return (await readRecording(path)).objects.Pod.map(({ metadata }) => metadata.name);
}

describe('objects', () => {
  it.each<[string, string, string]>([
    ['of JSON documents one after the other', 'o.json', `${json('a')}\n${json('b')}\n`],
    [
      'of JSON documents on one line each',
      'o.txt',
      `${JSON.stringify(pod('a'))}\n${JSON.stringify(pod('b'))}\n`,
    ],
    ['of YAML documents without a line between them', 'o.yaml', yaml('a') + yaml('b')],
    ['of YAML Lists without a line between them', 'o.yaml', list('a') + list('b')],
    ['of YAML documents with a line between them', 'o.yaml', `${yaml('a')}---\n${yaml('b')}`],
    ['of a JSON array without a List', 'o.json', JSON.stringify([pod('a'), pod('b')])],
    ['of YAML with a command line in front', 'o.yaml', `$ kubectl get pods -o yaml\n${list('a', 'b')}`],
    ['of YAML that is indented as a whole', 'o.yaml', list('a', 'b').replace(/^/gmu, '    ')],
    ['of YAML that is quoted as a whole', 'o.yaml', list('a', 'b').replace(/^/gmu, '> ')],
    ['of YAML below a comment and a directive', 'o.yaml', `%YAML 1.2\n# pods\n---\n${list('a', 'b')}`],
    [
      'of a watch in JSON, at their last state',
      'o.json',
      `${event('ADDED', 'a')}\n${event('ADDED', 'c')}\n${event('MODIFIED', 'b')}\n${event('DELETED', 'c')}\n`,
    ],
    [
      'of a watch in JSON with a command line in front',
      'o.txt',
      `$ kubectl get pods -w --output-watch-events -o json\n${event('ADDED', 'a')}\n${event('BOOKMARK', 'x')}\n${event('MODIFIED', 'b')}\n^C\n`,
    ],
    [
      'of a watch in YAML',
      'o.yaml',
      `${watched('a', 'ADDED')}---\n${watched('c', 'ADDED')}---\n${watched('b', 'MODIFIED')}---\n${watched('c', 'DELETED')}`,
    ],
    [
      'of a watch in YAML with a command line in front',
      'o.txt',
      `$ kubectl get pods -w --output-watch-events -o yaml\n${watched('a', 'ADDED')}---\n${watched('b', 'MODIFIED')}`,
    ],
    ['of JSON and YAML in one file', 'o.txt', `$ kubectl get\n${json('a')}\n${yaml('b')}`],
  ])('%s are all read', async (_, name, content) => {
    const file = write(name, content);
    expect(await podsIn()).toEqual(['a', 'b']);
    expect(await podsIn(file)).toEqual(['a', 'b']);
  });

  it('of folders in folders are read', async () => {
    write('one/two/pods.json', json('a'));
    write('pods.yaml', yaml('b'));
    expect(await podsIn()).toEqual(['a', 'b']);
  });
});

describe('packed files', () => {
  it.each([
    ['pods.json.gz', gzipSync(json('a')), 'gunzip -k pods.json.gz'],
    ['bundle.tar.gz', gzipSync(json('a')), 'tar -xzf bundle.tar.gz'],
    ['bundle.txt', Buffer.concat([Buffer.alloc(257), Buffer.from('ustar')]), 'tar -xf bundle.txt'],
    ['bundle.zip', Buffer.from('PK\u0003\u0004'), 'unzip bundle.zip'],
  ])('such as %s are refused with the command that unpacks them', async (name, content, command) => {
    const file = write(name, content);
    await expect(readRecording(file)).rejects.toMatchObject({
      fault: { key: 'packed', values: { command } },
    });
  });

  it('of a folder are left out, and it is said', async () => {
    write('pods.json', json('a'));
    write('logs/old.log.gz', gzipSync('boom'));
    const { skipped } = await readRecording(folder);
    expect(skipped).toMatchObject([{ fault: { key: 'packed-left-out', values: { files: 1 } } }]);
  });
});

describe('logs', () => {
  const start = '==== START logs for container app of pod shop/a ====\n';
  const end = '==== END logs for container app of pod shop/a ====\n';
  it.each<[string, string, string, boolean]>([
    ['of a must-gather', 'm/namespaces/shop/pods/a/app/app/logs/current.log', 'boom\n', false],
    [
      'of a former run in a must-gather',
      'm/namespaces/shop/pods/a/app/app/logs/previous.log',
      'boom\n',
      true,
    ],
    ['of a support bundle', 'b/cluster-resources/pods/logs/shop/a/app.log', 'boom\n', false],
    [
      'of a former run in a support bundle',
      'b/cluster-resources/pods/logs/shop/a/app-previous.log',
      'boom\n',
      true,
    ],
    ['of a dump in a folder', 'dump/shop/a/logs.txt', `${start}boom\n${end}`, false],
    ['of a dump whose log ends without a line feed', 'dump.txt', `${start}boom${end}`, false],
  ])('%s belong to their container', async (_, path, content, previous) => {
    write('pods.json', json('a'));
    write(path, content);
    const { logs } = await readRecording(folder);
    expect(logs).toEqual([
      { namespace: 'shop', pod: 'a', container: 'app', previous, lines: ['boom'], truncated: false },
    ]);
  });

  it('that hold objects are no objects', async () => {
    write('dump.txt', `${json('a')}\n${start}${json('b')}\nName:  c\nNamespace:  shop\n${end}${json('d')}\n`);
    expect(await podsIn()).toEqual(['a', 'd']);
  });

  it('that a kubelet did not give are none', async () => {
    write('dump.txt', `${json('a')}\n${start}Request log error: not found\n${end}`);
    expect((await readRecording(folder)).logs).toEqual([]);
  });
});

describe('what is left out is named with what helps', () => {
  it.each<[string, string, RegExp]>([
    [
      'a table of pods',
      'NAME   READY   STATUS    RESTARTS   AGE\na      1/1     Running   0          5m\n',
      /kubectl get pods -o yaml/,
    ],
    [
      'a table of all namespaces',
      'NAMESPACE   NAME   READY   UP-TO-DATE   AVAILABLE   AGE\nshop        web    1/1     1            1           5m\n',
      /kubectl get deployments -A -o yaml/,
    ],
    [
      'a Service',
      'Name:              web\nNamespace:         shop\nType:              ClusterIP\n',
      /web .*kubectl get -o yaml/,
    ],
  ])('%s', async (_, content, words) => {
    const file = write('x.txt', content);
    await expect(readRecording(file)).rejects.toThrow(words);
    write('pods.json', json('a'));
    const { skipped } = await readRecording(folder);
    expect(skipped.map(String)).toEqual([expect.stringMatching(words)]);
  });
});

describe('a folder is refused with one line', () => {
  it.each<[string, () => void, RegExp]>([
    ['for folders without end', () => write(`${'d/'.repeat(20)}o.json`, json('a')), /more than 16 levels/],
    ['for a link out of it', () => symlinkSync(tmpdir(), join(folder, 'out')), /leads out of the folder/],
    [
      'for a link that leads out',
      () => symlinkSync('/etc/hostname', join(folder, 'x.json')),
      /leads out of the folder/,
    ],
    ['for a pipe', () => execFileSync('mkfifo', [join(folder, 'p.json')]), /it is a pipe/],
    ['for binary content', () => write('x.txt', Buffer.from([0x4e, 0, 1, 2])), /NUL byte/],
    [
      'for JSON that ends too early',
      () => write('a/x.json', json('b').slice(0, -5)),
      /x\.json.*ends too early/,
    ],
    [
      'for a stream that ends too early',
      () => write('x.txt', json('b').slice(0, -5)),
      /x\.txt.*ends too early/,
    ],
    ['for YAML that is none', () => write('x.yaml', `${yaml('b')}  x: [`), /x\.yaml, line/],
  ])('%s', async (_, make, words) => {
    write('pods.json', json('a'));
    make();
    const error = await readRecording(folder).catch((reason: unknown) => reason);
    expect(String(error)).toMatch(words);
    expect(String(error)).not.toContain('\n');
  });
});

describe('pods without a status', () => {
  it('count as recorded in part, in their namespace', async () => {
    const file = write('o.json', JSON.stringify([pod('a'), { ...pod('b'), status: { phase: 'Running' } }]));
    expect((await readRecording(file)).partly).toMatchObject([
      { what: 'Pod', namespace: 'shop', because: 'partly-recorded', fields: ['status'] },
    ]);
  });

  it('are none where each has a phase', async () => {
    const file = write('o.json', JSON.stringify([{ ...pod('b'), status: { phase: 'Pending' } }]));
    expect((await readRecording(file)).partly).toEqual([]);
  });
});
