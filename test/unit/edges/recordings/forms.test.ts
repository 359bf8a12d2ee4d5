import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
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
  metadata: { name, namespace: 'shop', uid: `uid-of-${name}`, creationTimestamp: '2026-11-29T09:00:00Z' },
  spec: { containers: [{ name: 'app', image: 'a:1', resources: {} }] },
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
    [
      'of a list that another program keeps in a field of its own',
      'o.json',
      JSON.stringify({ type: 'collection', links: {}, data: [pod('a'), pod('b')] }),
    ],
    [
      'of a JSON array with a command line in front',
      'o.txt',
      `$ kubectl get\n[${json('a')},${json('b')}]`.replace('[{', '[\n{'),
    ],
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

  it.each(['json', 'yaml', 'txt'])('of a folder are read whatever their name ends with: .%s', async (end) => {
    write(`one.${end}`, list('a', 'b'));
    write('notes.txt', 'Ask Ann: the deploy was at 14:45.\n');
    expect(await podsIn()).toEqual(['a', 'b']);
  });

  it('of folders in folders are read', async () => {
    write('one/two/pods.json', json('a'));
    write('pods.yaml', yaml('b'));
    expect(await podsIn()).toEqual(['a', 'b']);
  });
});

/** When the line of a log was written. */
const time = (at: number) => new Date(Date.UTC(2026, 10, 29, 13, 59, 50) + at * 137).toISOString();
const marked = (mark: (at: number) => string) => (text: string) =>
  text
    .trimEnd()
    .split('\n')
    .map((line, at) => `${mark(at)}${line}`)
    .join('\n');
const reversed = (text: string) => text.split('\n').reverse().join('\n');

/** What other programs make of the lines that kubectl printed. */
const pastes: readonly (readonly [string, (text: string) => string])[] = [
  ['of a log with a time on each line', marked((at) => `${time(at)} `)],
  ['of a log with its newest line first', (text) => reversed(marked((at) => `${time(at)} `)(text))],
  ['of a CI log with the name of the step', marked((at) => `deploy\tshow pods\t${time(at)} `)],
  ['of a journal', marked((at) => `Nov 29 ${time(at).slice(11, 19)} node-1 collect.sh[4242]: `)],
  ['of a log file of containerd', marked((at) => `${time(at)} stdout F `)],
  ['of a log with the pod on each line', marked(() => '[pod/collector-7d4b9/app] ')],
  ['of a log that Loki printed', marked((at) => `${time(at)} {app="collector"} `)],
  [
    'of a log file of Docker',
    (text) =>
      text
        .trimEnd()
        .split('\n')
        .map((line, at) => JSON.stringify({ log: `${line}\n`, stream: 'stdout', time: time(at) }))
        .join('\n'),
  ],
  ['with a carriage return alone', (text) => text.replaceAll('\n', '\r')],
  [
    'with spaces that do not break',
    (text) => text.replaceAll(/^ +/gmu, (spaces) => '\u00a0'.repeat(spaces.length)),
  ],
  ['with colours', (text) => text.replaceAll(/^(\s*)(\S+)/gmu, '$1\u001b[1;34m$2\u001b[0m')],
  ['with colours that were made visible', (text) => text.replaceAll(/^(\s*)(\S+)/gmu, '$1^[[1;34m$2^[[0m')],
  ['with the number of each line', marked((at) => `${String(at + 1).padStart(6)}\t`)],
  ['with the number of each line and a colon', marked((at) => `${at + 1}:`)],
  [
    'of a mail that was answered',
    (text) => `Hi,\n\nAnn wrote:\n\n${marked(() => '> ')(text)}\n\nAny idea?\n`,
  ],
  ['of a frame', (text) => `┌─┐\n${marked(() => '│ ')(text).replaceAll('\n', ' │\n')} │\n└─┘\n`],
  [
    'of a block in a list of Markdown',
    (text) => `1. run\n\n   \`\`\`\n${marked(() => '   ')(text)}\n   \`\`\`\n`,
  ],
  ['of an indented block', (text) => `It hangs:\n\n${marked(() => '    ')(text)}\n\nAny idea?\n`],
  [
    'of an indented block in a fence',
    (text) => `It hangs:\n\`\`\`console\n${marked(() => '  ')(text)}\n\`\`\`\n`,
  ],
  [
    'of the source of a page',
    (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;'),
  ],
  [
    'of a page in which each mark is an entity',
    (text) => `<pre>\n${text.replaceAll('"', '&#34;').replaceAll(' ', '&nbsp;')}</pre>\n`,
  ],
  [
    'with quotation marks as in a book',
    (text) => text.replaceAll(/"([^"\n]*)"/gu, '\u201c$1\u201d').replaceAll(/^- /gmu, '\u2013 '),
  ],
  ['with an empty line after each', (text) => text.replaceAll('\n', '\n\n')],
  ['with pages', (text) => `\f${text.replaceAll('\n', '\nPage 1 of 2\n')}`],
  ['of a pager', (text) => text.replaceAll('\n', '\n--More--(12%)\n')],
  ['with separators of lines', (text) => text.replaceAll('\n', '\u2028')],
  ['with wide spaces', (text) => text.replaceAll(/^ +/gmu, (spaces) => '\u2002'.repeat(spaces.length))],
  [
    'of a report on a page',
    (text) => `It hangs.\n<details><summary>x</summary>\n\n\`\`\`\n${text}\n\`\`\`\n\n</details>\n`,
  ],
  ['of a ticket', (text) => `It hangs:\n{noformat}\n${text}\n{noformat}\n`],
  ['with a prompt behind them', (text) => `${text.trimEnd()}\nme@host:~$ `],
  ['with a warning in front', (text) => `Warning: v1 Endpoints is deprecated in v1.33+\n${text}`],
];

describe.each<[string, string, string]>([
  [
    'o.json',
    'JSON',
    `${JSON.stringify({ apiVersion: 'v1', items: [pod('a'), pod('b')], kind: 'List' }, undefined, 4)}\n`,
  ],
  ['o.yaml', 'YAML', list('a', 'b')],
  ['o.txt', 'text', `${json('a')}\n${yaml('b')}`],
])('pasted lines in %s', (name, _, content) => {
  it.each(pastes)('%s are read as kubectl printed them', async (_name, paste) => {
    expect(await podsIn(write(name, paste(content)))).toEqual(['a', 'b']);
  });

  it('that are a comment, or a change of a file, are no objects', async () => {
    for (const mark of ['# ', '// ', '+']) {
      await expect(readRecording(write(name, marked(() => mark)(content)))).rejects.toThrow(name);
    }
  });
});

/** Longer than a terminal is wide, also without a space to break at. */
const wide = (name: string) => ({
  ...pod(name),
  status: { phase: 'Pending', message: `${'0/3 nodes are available. '.repeat(9)}${'x'.repeat(300)}` },
});

describe('lines that a terminal or a mail broke', () => {
  const brokenAt = (columns: number, text: string, mark = '') =>
    text
      .split('\n')
      .flatMap((line) => line.match(new RegExp(`.{1,${columns}}`, 'gu')) ?? [''])
      .map((line) => (line.length === columns ? `${line}${mark}` : line))
      .join('\n');
  const yamlOf = (object: object) =>
    `apiVersion: v1\nitems:\n- ${stringify(object, { lineWidth: 0 }).replaceAll('\n', '\n  ')}\nkind: List\n`;

  it.each<[string, string]>([
    ['JSON', JSON.stringify({ items: [wide('a'), wide('b')], kind: 'List' }, undefined, 4)],
    ['JSON on one line', JSON.stringify({ items: [wide('a'), wide('b')], kind: 'List' })],
    ['YAML', yamlOf(wide('a'))],
  ])('are read as one: %s', async (_, text) => {
    for (const columns of [80, 132]) {
      const { objects } = await readRecording(write('o.txt', brokenAt(columns, text)));
      expect(objects.Pod[0]?.status.message).toBe(wide('a').status.message);
    }
    const mail = brokenAt(75, text.replaceAll('=', '=3D'), '=');
    const { objects } = await readRecording(write('o.txt', mail));
    expect(objects.Pod[0]?.status.message).toBe(wide('a').status.message);
  });

  const eventAbout = (message: string) =>
    [
      'Name:         web-5d8f',
      'Namespace:    shop',
      'Selector:     app=web',
      'Controlled By:  Deployment/web',
      'Replicas:     0 current / 1 desired',
      'Pod Template:',
      '  Containers:',
      '   app:',
      '    Image:  web:1',
      'Events:',
      '  Type     Reason        Age  From                   Message',
      '  ----     ------        ---  ----                   -------',
      `  Warning  FailedCreate  2s   replicaset-controller  ${message}`,
      `  Warning  FailedCreate  1s   replicaset-controller  ${message}`,
    ].join('\n');

  it('are read as one where the break is before a space', async () => {
    const message =
      'Error creating: pods "web-5d8f-abcde" is forbidden: exceeded quota: team, requested: cpu=1';
    const text = eventAbout(message);
    const columns = (text.split('\n').find((line) => line.includes(message)) ?? '').indexOf(' quota:');
    const { objects } = await readRecording(write('o.txt', brokenAt(columns, text)));
    expect(objects.Event[0]?.message).toBe(message);
  });

  it('are objects of their own where each is complete', async () => {
    const lines = ['a', 'b', 'c'].map((name) => JSON.stringify(pod(name))).join('\n');
    expect(await podsIn(write('o.txt', lines))).toEqual(['a', 'b', 'c']);
  });

  it('are refused where words were moved', async () => {
    const text = JSON.stringify(wide('a'), undefined, 4).replaceAll(/(.{60}) /gu, '$1\n');
    await expect(readRecording(write('o.txt', text))).rejects.toThrow(/save the output of kubectl in a file/);
  });
});

describe('a list without its end', () => {
  const whole = (items: readonly unknown[], metadata: object = {}) =>
    JSON.stringify({ apiVersion: 'v1', items, kind: 'List', metadata }, undefined, 4);
  const of = ['a', 'b', 'c'].map(pod);
  const yamlOf = (items: readonly unknown[]) =>
    stringify({ apiVersion: 'v1', items, kind: 'List', metadata: {} }, { indentSeq: false });
  it.each<[string, string, string, readonly string[]]>([
    ['of JSON that was cut', 'o.json', whole(of).slice(0, -120), ['a', 'b']],
    [
      'of JSON in a text that was cut',
      'o.txt',
      `$ kubectl get\n${whole(of).slice(0, -120)}\n...\n`,
      ['a', 'b'],
    ],
    ['of YAML that was cut', 'o.yaml', list('a', 'b', 'c').split('kind: List')[0] ?? '', ['a', 'b']],
    ['of YAML that was cut within a word', 'o.yaml', list('a', 'b', 'c').slice(0, -70), ['a', 'b']],
    ['of YAML that begins within an item', 'o.yaml', yamlOf(of).slice(70), ['b', 'c']],
    [
      'of YAML that begins with a line of an item',
      'o.txt',
      yamlOf(of).replace(/^(?:\S.*\n)*/u, ''),
      ['b', 'c'],
    ],
    ['of YAML that begins with an item', 'o.txt', yamlOf(of).replace(/^.*\n.*\n/u, ''), ['a', 'b', 'c']],
    ['of YAML of which the middle is left', 'o.yaml', yamlOf(of).slice(70, -170), ['b']],
    ['of JSON that begins within an item', 'o.json', whole(of).slice(150), ['b', 'c']],
    [
      'of JSON that begins above a list of an item',
      'o.json',
      whole([{ ...pod('a'), spec: { items: [{ key: 'a' }] } }, pod('b'), pod('c')]).slice(150),
      ['b', 'c'],
    ],
    ['of JSON that begins with an item', 'o.txt', whole(of).replace(/^\{\n.*\n.*\n/u, ''), ['a', 'b', 'c']],
    ['of JSON of which the middle is left', 'o.txt', whole(of).slice(150, -120), ['b']],
    ['that is one page of a longer one', 'o.json', whole(of, { continue: 'eyJ2' }), ['a', 'b', 'c']],
  ])('%s is read, and its kinds count as incomplete', async (_, name, content, names) => {
    const { objects, malformed, skipped } = await readRecording(write(name, content));
    expect(objects.Pod.map(({ metadata }) => metadata.name)).toEqual(names);
    expect(malformed.map(({ kind }) => kind)).toEqual(['Pod']);
    expect(skipped).toHaveLength(1);
  });
});

describe('objects of several files', () => {
  const workload = (resourceVersion: string, uid: string, replicas: number) =>
    JSON.stringify({
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'web', namespace: 'shop', uid, resourceVersion },
      spec: { replicas, selector: {}, template: { metadata: {}, spec: { containers: [] } } },
    });
  const listed = (names: readonly string[], resourceVersion: string) =>
    JSON.stringify({
      kind: 'List',
      items: names.map((name) => ({
        ...pod(name),
        metadata: { name, namespace: 'shop', uid: name, resourceVersion },
        status: { phase: 'Failed' },
      })),
    });

  it.each([
    ['a.json', 'b.json'],
    ['b.json', 'a.json'],
  ])('count in their newest version: %s is newer than %s', async (newer, older) => {
    write(newer, workload('99', '1', 3));
    write(older, workload('7', '1', 5));
    const { objects } = await readRecording(folder);
    expect(objects.Deployment.map(({ spec }) => spec.replicas)).toEqual([3]);
  });

  const whole = {
    ...JSON.parse(workload('99', 'uid', 3)),
    status: { replicas: 3, observedGeneration: 1 },
  };
  const manifest = JSON.parse(workload('', '', 5));
  manifest.metadata = { name: 'web', namespace: 'shop' };
  const replicaSet = {
    apiVersion: 'apps/v1',
    kind: 'ReplicaSet',
    metadata: {
      name: 'web-1',
      namespace: 'shop',
      uid: 'of-set',
      ownerReferences: [
        { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web', uid: 'uid', controller: true },
      ],
    },
    spec: { replicas: 3, selector: {}, template: { spec: { containers: [] } } },
    status: { replicas: 3 },
  };
  it.each([
    ['before', [manifest, whole, replicaSet]],
    ['behind', [whole, replicaSet, manifest]],
  ])('are not hidden by a manifest that stands %s them', async (_, documents) => {
    const one = write('one.txt', documents.map((each) => JSON.stringify(each)).join('\n'));
    const several = join(folder, 'several');
    for (const [at, each] of documents.entries()) write(`several/${at}.json`, JSON.stringify(each));
    for (const path of [one, several]) {
      const { objects, partly } = await readRecording(path);
      expect(objects.Deployment.map(({ spec, metadata }) => [spec.replicas, metadata.uid])).toEqual([
        [3, 'uid'],
      ]);
      expect(objects.ReplicaSet[0]?.metadata.ownerReferences[0]?.uid).toBe('uid');
      expect(partly.filter(({ what }) => what === 'Deployment')[0]?.fields ?? []).not.toContain('status');
    }
  });

  it('are refused where a workload is another one of the same name', async () => {
    write('a.json', workload('99', '1', 3));
    write('b.json', workload('7', '2', 3));
    await expect(readRecording(folder)).rejects.toThrow(/shop\/web.*a\.json/);
  });

  it('may be gone where only an older list has them', async () => {
    write('a.json', listed(['old', 'web'], '7'));
    write('b.json', listed(['web', 'new'], '99'));
    expect((await readRecording(folder)).malformed).toMatchObject([
      { kind: 'Pod', namespace: 'shop', error: { fault: { key: 'older-list' } } },
    ]);
  });

  it('are complete where both lists have the same', async () => {
    write('a.json', listed(['web'], '7'));
    write('b.json', listed(['web', 'new'], '99'));
    expect((await readRecording(folder)).malformed).toEqual([]);
  });
});

describe('events that another program keeps', () => {
  const kept = (name: string, count: number) => ({
    metadata: { name, namespace: 'shop', uid: name, resourceVersion: String(count) },
    involvedObject: { kind: 'Pod', namespace: 'shop', name: 'a', uid: 'uid-of-a', labels: { app: 'web' } },
    reason: 'FailedMount',
    message: 'secret "tls" not found',
    type: 'Warning',
    count,
    firstTimestamp: '2026-11-29T09:00:00Z',
    lastTimestamp: '2026-11-29T09:10:00Z',
  });
  const both = [kept('one', 3), kept('two', 5)];
  it.each<[string, (event: object) => object]>([
    ['kubernetes-event-exporter', (event) => ({ ...event, clusterName: 'prod' })],
    ['eventrouter', (event) => ({ verb: 'UPDATED', event, old_event: { ...event, count: 1 } })],
    ['the OpenTelemetry collector', (body) => ({ timestamp: '2026-11-29T09:10:00Z', severity: 0, body })],
  ])('are read: %s', async (_, written) => {
    const lines = both.map((event) => JSON.stringify(written(event)));
    write('pods.json', json('a'));
    for (const text of [
      lines.join('\n'),
      `[${lines.join(',')}]`,
      `$ kubectl logs x\n${lines.join('\n')}\n`,
    ]) {
      for (const name of ['events.json', 'events.txt']) {
        write(name, text);
        const { objects } = await readRecording(folder);
        expect(objects.Event.map(({ count, reason }) => [count, reason])).toEqual([
          [3, 'FailedMount'],
          [5, 'FailedMount'],
        ]);
        rmSync(join(folder, name));
      }
    }
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

describe('text that holds no object is refused with what helps', () => {
  it.each<[string, string, RegExp]>([
    ['a rollout status', 'deployment "web" exceeded its progress deadline\n', /kubectl get .* -o yaml/],
    [
      'a rollout history',
      'deployment.apps/web \nREVISION  CHANGE-CAUSE\n1         <none>\n',
      /kubectl get .* -o yaml/,
    ],
    ['chosen columns', 'Pod     Restarts\nweb-1   5\n', /kubectl get .* -o yaml/],
    ['names', 'pod/web-1\npod/web-2\n', /kubectl get .* -o yaml/],
    ['chosen columns in capitals', 'NAME    PHASE\nweb-1   Running\n', /kubectl get deploy.* -o yaml/],
    [
      'two descriptions beside each other',
      'Name:        a          │ Name:        b\nNamespace:   shop       │ Namespace:   shop\n',
      /beside each other/,
    ],
  ])('%s', async (_, content, words) => {
    await expect(readRecording(write('x.txt', content))).rejects.toThrow(words);
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
    [
      'for a picture of a screen',
      () => write('x.txt', Buffer.from('\x89PNG\r\n\x1a\n\0', 'latin1')),
      /it is PNG/,
    ],
    ['for a document', () => write('x.txt', '{\\rtf1\\ansi Name: a\\par}'), /it is RTF.*kubectl get/],
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

  it('are those that lack what a kubelet writes beside the containers', async () => {
    const containerStatuses = [{ name: 'app', ready: true, restartCount: 0, image: 'a:1', imageID: '' }];
    write('a.json', JSON.stringify([{ ...pod('a'), status: { phase: 'Running', containerStatuses } }]));
    const lastTransitionTime = '2026-11-29T09:00:00Z';
    const conditions = ['Ready', 'ContainersReady'].map((type) => ({
      type,
      status: 'True',
      lastTransitionTime,
    }));
    expect((await readRecording(folder)).partly).toMatchObject([{ what: 'Pod', fields: ['status'] }]);
    write('a.json', JSON.stringify([{ ...pod('a'), status: { phase: 'Running', conditions } }]));
    expect((await readRecording(folder)).partly).toMatchObject([{ what: 'Pod', fields: ['status'] }]);
    const status = { phase: 'Running', conditions, containerStatuses };
    write('a.json', JSON.stringify([{ ...pod('a'), status }]));
    expect((await readRecording(folder)).partly).toEqual([]);
  });

  it('are none where each has a phase', async () => {
    const file = write('o.json', JSON.stringify([{ ...pod('b'), status: { phase: 'Pending' } }]));
    expect((await readRecording(file)).partly).toEqual([]);
  });
});
