import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  closeSync,
  cpSync,
  ftruncateSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Ran, scenario } from '../../support/command-line-run.js';
import { rolloutDoctor } from '../../support/run-command-line.js';
import { statedCount } from '../../support/stated-count.js';

const recorded = scenario('gpu-one-node');
const manifest = `apiVersion: apps/v1
kind: Deployment
metadata: { name: web, namespace: shop, uid: u1, generation: 1, creationTimestamp: 2026-11-20T09:00:00Z }
spec:
  { replicas: 0, strategy: { type: Recreate }, selector: {}, template: { spec: { containers: [{ name: app, image: app:1 }] } } }
status: { observedGeneration: 1 }
`;
const canary = 'content-of-a-file-outside';

let outside: string;
let folder: string;
const sockets: Server[] = [];
beforeAll(() => {
  outside = mkdtempSync(join(tmpdir(), 'rollout-doctor-outside-'));
  writeFileSync(join(outside, 'objects.yaml'), manifest.replace('name: web', `name: ${canary}`));
  writeFileSync(join(outside, 'shop_web_app.log'), `${canary}\n`);
});
afterAll(() => rmSync(outside, { recursive: true }));
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'rollout-doctor-files-'));
});
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.close();
  rmSync(folder, { recursive: true });
});

/** Generous, because the machine may do other work; a run needs a second. */
const guardMs = 90_000;

/**
 * Runs the command line in this process. Where it waits for a pipe, nothing in this thread can end it: then another thread
 * ends the process, which fails the run.
 */
async function runGuarded(args: readonly string[]): Promise<Ran> {
  const guard = new Worker(`setTimeout(() => process.kill(process.pid, 'SIGKILL'), ${guardMs})`, {
    eval: true,
  });
  try {
    return await rolloutDoctor(args, { cwd: folder });
  } finally {
    await guard.terminate();
  }
}

/** Things at a path that are not a regular file of the folder, with the expected message. */
const strangers: readonly [string, (path: string) => void | Promise<void>, RegExp][] = [
  ['a pipe', (path) => void execFileSync('mkfifo', [path]), /it is a pipe/],
  ['a link to a pipe', (path) => linkToPipe(path), /it is a pipe/],
  ['a link to /dev/zero', (path) => symlinkSync('/dev/zero', path), /it is not a regular file/],
  [
    'a link to /dev/stdin',
    (path) => symlinkSync('/dev/stdin', path),
    /it is (not a regular file|a pipe)|out of the/,
  ],
  ['a socket', (path) => listenAt(path), /it is not a regular file/],
  [
    'a folder',
    (path) => void mkdirSync(path),
    /it is a folder|no \.json, \.yaml or \.txt file|no \.json or \.yaml file/,
  ],
  ['a link to itself', (path) => symlinkSync(path, path), /leads back to itself/],
  ['a link to nothing', (path) => symlinkSync('gone', path), /no such file/],
  ['a file of a terabyte', (path) => makeSparse(path, 2 ** 40), /larger than|more to read|too much YAML/],
];

function linkToPipe(path: string): void {
  execFileSync('mkfifo', [`${path}.pipe`]);
  symlinkSync(`${path}.pipe`, path);
}

function makeSparse(path: string, bytes: number): void {
  const file = openSync(path, 'w');
  ftruncateSync(file, bytes);
  closeSync(file);
}

async function listenAt(path: string): Promise<void> {
  const server = createServer();
  sockets.push(server);
  await new Promise<void>((resolve) => server.listen(path, resolve));
}

/** The options that take a file: its path, and the arguments that name it or its folder. */
const places: readonly [string, (folder: string) => string, (folder: string) => readonly string[]][] = [
  ['--from', (at) => join(at, 'o.yaml'), (at) => ['scan', '--from', join(at, 'o.yaml')]],
  ['--from with JSON', (at) => join(at, 'o.json'), (at) => ['scan', '--from', join(at, 'o.json')]],
  ['a folder of --from', (at) => join(at, 'o.json'), (at) => ['scan', '--from', at]],
  ['-f', (at) => join(at, 'o.yaml'), (at) => ['check', '-f', join(at, 'o.yaml'), '--against', recorded]],
  ['a folder of -f', (at) => join(at, 'o.yaml'), (at) => ['check', '-f', at, '--against', recorded]],
  [
    '--against',
    (at) => join(at, 'o.yaml'),
    (at) => ['check', '-f', join(recorded, 'objects.json'), '--against', join(at, 'o.yaml')],
  ],
  ['--kubeconfig', (at) => join(at, 'config'), (at) => ['scan', '-A', '--kubeconfig', join(at, 'config')]],
];

async function expectRefusal(args: readonly string[], words: RegExp): Promise<void> {
  const ran = await runGuarded(args);
  expect(ran, ran.err).toMatchObject({ status: 3, out: '' });
  expect(ran.err).toMatch(words);
  // One line without a stack trace, an engine crash or the content of another file.
  expect(ran.err.trimEnd().split('\n')).toHaveLength(1);
  expect(ran.err).not.toMatch(/failed with an internal error| {4}at |\p{Cc}(?!$)/u);
  expect(ran.err).not.toContain(canary);
}

it.each(strangers)('%s is rejected with a message, without waiting', async (_, make, words) => {
  await make(join(folder, 'o.yaml'));
  await expectRefusal(['scan', '--from', join(folder, 'o.yaml')], words);
});

describe.each(places)('a path given as %s', (_, pathIn, argsFor) => {
  it.each(strangers.slice(0, 3))(
    'is rejected with a message, without waiting, when it is %s',
    async (_what, make, words) => {
      await make(pathIn(folder));
      await expectRefusal(argsFor(folder), words);
    },
  );
});

describe('a folder of objects', () => {
  it.each([
    ['--from', (at: string) => ['scan', '--from', at]],
    ['-f', (at: string) => ['check', '-f', at, '--against', recorded]],
  ])('that is given as %s does not lead to files outside of it', async (_, argsFor) => {
    symlinkSync(join(outside, 'objects.yaml'), join(folder, 'objects.yaml'));
    await expectRefusal(argsFor(folder), /link that leads out of the folder/);
    rmSync(join(folder, 'objects.yaml'));

    symlinkSync(outside, join(folder, 'sub'));
    symlinkSync('sub/objects.yaml', join(folder, 'objects.yaml'));
    await expectRefusal(argsFor(folder), /link that leads out of the folder/);
    rmSync(join(folder, 'objects.yaml'));

    // A folder whose name starts with the name of the given folder is not within it.
    const beside = `${folder}-beside`;
    cpSync(outside, beside, { recursive: true });
    symlinkSync(join(beside, 'objects.yaml'), join(folder, 'objects.yaml'));
    await expectRefusal(argsFor(folder), /link that leads out of the folder/).finally(() =>
      rmSync(beside, { recursive: true }),
    );
  });

  it('is read through links that stay within it, as in the volume of a ConfigMap, and through a link to itself', async () => {
    mkdirSync(join(folder, 'real', '..2026_11_20'), { recursive: true });
    writeFileSync(join(folder, 'real', '..2026_11_20', 'objects.yaml'), manifest);
    symlinkSync('..2026_11_20', join(folder, 'real', '..data'));
    symlinkSync('..data/objects.yaml', join(folder, 'real', 'objects.yaml'));
    symlinkSync('real', join(folder, 'link'));

    const { status, out } = await runGuarded(['scan', '--from', 'link', '-o', 'json']);
    expect([status === 0 || status === 1, out.includes('"name": "web"')], out).toEqual([true, true]);
  });

  it('with too many files is rejected', async () => {
    mkdirSync(join(folder, 'sub'));
    for (let n = 0; n < 50_001; n += 1) writeFileSync(join(folder, 'sub', `o-${n}.yaml`), '');
    await expectRefusal(['scan', '--from', folder], /more than 50000 files/);
  });

  it('with too many container logs is read, and says that some are left out', async () => {
    writeFileSync(join(folder, 'objects.yaml'), manifest);
    mkdirSync(join(folder, 'logs'));
    for (let n = 0; n < 5_001; n += 1) writeFileSync(join(folder, 'logs', `a_${n}_c.log`), 'x');
    const ran = await runGuarded(['scan', '--from', folder]);
    expect([0, 1]).toContain(ran.status);
    expect(ran.err).toMatch(/only the first 5000 container logs are read/);
  });
});

describe('a container log of a recording', () => {
  const logIn = (at: string): string => join(at, 'logs', 'shop_web_app.log');

  it.each([0, 2, 4].flatMap((at) => strangers.slice(at, at + 1)))(
    'is rejected with a message, without waiting, when it is %s',
    async (_, make, words) => {
      mkdirSync(join(folder, 'logs'));
      writeFileSync(join(folder, 'objects.yaml'), manifest);
      await make(logIn(folder));
      await expectRefusal(['scan', '--from', folder], words);
    },
  );

  it.each([
    ['a link to a file outside', () => symlinkSync(join(outside, 'shop_web_app.log'), logIn(folder))],
    ['a link to /etc/passwd', () => symlinkSync('/etc/passwd', logIn(folder))],
    [
      'in a folder that is a link',
      () => {
        rmSync(join(folder, 'logs'), { recursive: true });
        symlinkSync(outside, join(folder, 'logs'));
      },
    ],
  ])('is not read when it is %s', async (_, make) => {
    mkdirSync(join(folder, 'logs'));
    writeFileSync(join(folder, 'objects.yaml'), manifest);
    make();
    await expectRefusal(['scan', '--from', folder], /link that leads out of the folder/);
  });

  it('with a size of a terabyte is read from its end', async () => {
    mkdirSync(join(folder, 'logs'));
    writeFileSync(join(folder, 'objects.yaml'), manifest);
    makeSparse(logIn(folder), 2 ** 40);
    const { status, err } = await runGuarded(['scan', '--from', folder]);
    expect([0, 1], err).toContain(status);
  });
});

describe('a file with 100,000 equal keys', () => {
  it.each([
    ['--from', (path: string) => ['scan', '--from', path]],
    ['-f', (path: string) => ['check', '-f', path, '--against', recorded]],
  ])('is read when it is given as %s', async (_, argsFor) => {
    const path = join(folder, 'o.yaml');
    writeFileSync(path, `${manifest}${'a: 1\n'.repeat(100_000)}`);
    const ran = await runGuarded(argsFor(path));
    expect([0, 1], ran.err).toContain(ran.status);
    expect(ran.err).not.toMatch(/failed with an internal error| {4}at /);
  });

  it('is rejected as a kubeconfig', async () => {
    writeFileSync(join(folder, 'config'), 'clusters: []\n'.repeat(50_000));
    await expectRefusal(
      ['scan', '-A', '--kubeconfig', join(folder, 'config')],
      /line 2, column 1: duplicated/,
    );
  });
});

describe('a name with control characters', () => {
  const red = '\u001b[31mred\nsecond line\u0007';

  it('does not reach the terminal in an error', async () => {
    mkdirSync(join(folder, red));
    writeFileSync(join(folder, red, `${red}.yaml`), 'kind: [');
    await expectRefusal(['scan', '--from', join(folder, red)], /red second line/);
    await expectRefusal(['scan', '--from', join(folder, red, `${red}.yaml`)], /red second line/);
    await expectRefusal(['scan', '--from', join(folder, `${red}.gone`)], /no such file/);
  });

  it.each(['text', 'markdown', 'github', 'yaml'])(
    'does not reach the terminal in an answer as %s',
    async (output) => {
      writeFileSync(join(folder, `${red}.yaml`), manifest);
      const against = join(folder, red);
      cpSync(recorded, against, { recursive: true });
      const args = ['check', '-f', `${red}.yaml`, '--against', against, '-o', output];
      const ran = await runGuarded(args);
      expect([0, 1], ran.err).toContain(ran.status);
      expect(ran.out).not.toMatch(/(?!\n)\p{Cc}/u);
      if (output === 'github')
        expect(
          ran.out
            .trimEnd()
            .split('\n')
            .every((line) => line.startsWith('::')),
        ).toBe(true);
    },
  );
});

// root can read every file.
describe.skipIf(process.getuid?.() === 0)('a file without read permission', () => {
  it('is rejected with a message', async () => {
    writeFileSync(join(folder, 'o.yaml'), manifest);
    chmodSync(join(folder, 'o.yaml'), 0);
    await expectRefusal(['scan', '--from', join(folder, 'o.yaml')], /no right to read it/);
  });
});

it('makes as many things as docs/security.md states', () => {
  expect(strangers.length).toBe(statedCount('things in the place of a file'));
});
