import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fontFiles } from '#src/adapters/image/paint-drawing.js';
import { shippedFolder } from '#support/shipped-programs.js';
import { type Stack, startStack } from '../../demo/stack.js';

const run = promisify(execFile);
const root = join(import.meta.dirname, '../..');
const scenarios = join(import.meta.dirname, '../scenarios');
const policy = `grants:
  - groups: [ml-oncall]
    namespaces: [shop]
    actions: "*"
`;

const assembled = shippedFolder('image');

/** Far from the packages of this clone, as in the image: a file that is missing there is missing here. */
describe('what the image holds', () => {
  it('runs the command line by its name, with the version of this clone', async () => {
    const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { version: string };
    const env = { PATH: `${join(assembled, 'bin')}:${process.env.PATH}` };

    expect((await run('rollout-doctor', ['--version'], { env })).stdout.trim()).toContain(version);
    const diagnosed = run(
      'rollout-doctor',
      ['diagnose', 'deploy/inference', '-n', 'shop', '--from', join(scenarios, 'gpu-one-node'), '-o', 'json'],
      { env },
    );
    await expect(diagnosed).rejects.toMatchObject({
      code: 1,
      stdout: expect.stringContaining('"surge-deadlock"'),
      stderr: '',
    });
  });

  it('has the image library and each font file that pictures are drawn with', () => {
    const { resolve } = createRequire(join(assembled, 'dist', 'app.js'));

    expect(fontFiles.length).toBeGreaterThan(0);
    for (const name of ['@napi-rs/canvas', ...fontFiles.map(({ file }) => file)]) {
      expect(resolve(name).startsWith(assembled)).toBe(true);
    }
  });

  it.each(['bundle', 'assemble-image'])(
    'is not written by %s over a folder that holds other files',
    async (script) => {
      const folder = await mkdtemp(join(tmpdir(), 'rollout-doctor-taken-'));
      try {
        await writeFile(join(folder, 'kept'), 'yes');
        const written = run('node', [`scripts/${script}.mjs`, folder], { cwd: root });

        await expect(written).rejects.toMatchObject({
          code: 2,
          stderr: expect.stringContaining('is not empty'),
        });
        expect(await readFile(join(folder, 'kept'), 'utf8')).toBe('yes');
      } finally {
        await rm(folder, { recursive: true });
      }
    },
  );

  it('has the licence of each package in the bundle', async () => {
    const text = await readFile(join(assembled, 'dist', 'third-party-licences.txt'), 'utf8');

    for (const name of ['bullmq', '@slack/bolt', '@kubernetes/client-node', 'zod'])
      expect(text).toContain(`\n${name} `);
  });
});

/** The whole flow on real parts: command, card, refused approver, review, two approvals, verdict, undo. */
describe.each([
  { folder: 'gpu-one-node', mode: 'socket', name: 'inference', resource: 'nvidia.com/gpu' },
  { folder: 'memory-full-of-itself', mode: 'http', name: 'analytics', resource: 'memory' },
  { folder: 'host-port', mode: 'socket', name: 'ingress', resource: 'host port' },
] as const)('the incident $folder over $mode', ({ folder, mode, name, resource }) => {
  let stack: Stack;

  beforeAll(async () => {
    stack = await startStack({ mode, policy, slack: { page: false } });
    await stack.cluster.loadRecording(join(scenarios, folder));
  });

  afterAll(async () => {
    await stack.stop();
  });

  const channel = 'ml-oncall';
  const card = (words: string) => {
    const found = stack.slack
      .messages(channel)
      .find((message) => JSON.stringify(message.blocks).includes(words));
    return found;
  };
  const strategyOf = () =>
    stack.cluster.find('apps/v1', 'Deployment', 'shop', name)?.spec as { readonly strategy: unknown };

  it('is acknowledged at once and shown with proof in one card', async () => {
    const acknowledged = await stack.slack
      .as('dana')
      .runs(`/rollout-doctor deploy/${name} -n shop`, { channel });
    expect(acknowledged.type).toBe('acknowledged');
    const message = await stack.slack.until(() => card('is deadlocked'), { what: 'the card' });

    expect(message.text).toContain(`shop/${name} is deadlocked`);
    expect(JSON.stringify(message.blocks)).toContain(resource);
    expect(JSON.stringify(message.blocks)).toContain('Review');
    await stack.slack.until(() => stack.slack.thread(message).length > 0, { what: 'the picture' });
  });

  it('is not reviewed by a person without the right, who is answered privately', async () => {
    const message = await stack.slack.until(() => card('is deadlocked'));
    const sam = stack.slack.as('sam');
    await sam.clicks(message, `Review for shop/${name}: Stop the old pod first`);
    const view = await stack.slack.until(
      () => stack.slack.modals('sam').find((each) => JSON.stringify(each).includes('not approve')),
      { what: 'the refusal' },
    );

    expect(JSON.stringify(view)).toContain('@ml-oncall');
    expect(stack.cluster.requests.some(({ verb }) => verb === 'patch')).toBe(false);
    await sam.closes(view);
  });

  it('is patched once for two approvals, verified, and shown as recovered', async () => {
    const message = await stack.slack.until(() => card('is deadlocked'));
    const reviewers = [stack.slack.as('dana'), stack.slack.as('min-jun')];
    const views: ReturnType<typeof stack.slack.modals>[number][] = [];
    for (const person of reviewers) {
      await person.clicks(message, `Review for shop/${name}: Stop the old pod first`);
      views.push(
        await stack.slack.until(
          () => {
            const view = person.modal();
            return view?.submit !== undefined && JSON.stringify(view).includes('maxSurge') ? view : undefined;
          },
          { what: 'the review' },
        ),
      );
    }
    await Promise.all(
      reviewers.map((person, position) => {
        const view = views[position];
        if (view === undefined) throw new Error('no review');
        return person.submits(view, { reason: 'deadlock' });
      }),
    );
    await stack.slack.until(() => card('recovered'), { what: 'the recovered card' });

    const patches = stack.cluster.requests.filter(
      ({ verb, resource: kind, query }) =>
        verb === 'patch' && kind === 'deployments' && !query.includes('dryRun'),
    );
    expect(patches).toHaveLength(1);
    expect(strategyOf().strategy).toMatchObject({ rollingUpdate: { maxSurge: 0, maxUnavailable: 1 } });
    expect(stack.slack.messages(channel).filter(({ botId }) => botId !== undefined)).toHaveLength(1);
    const events = stack.cluster
      .list('v1', 'Event', 'shop')
      .filter(({ reason }) => reason === 'RemediationApplied');
    expect(events).toHaveLength(1);
  });

  it('gets its former strategy back by Undo', async () => {
    const message = await stack.slack.until(() => card('recovered'));
    const dana = stack.slack.as('dana');
    await dana.clicks(message, 'Undo');
    const view = await stack.slack.until(
      () => {
        const open = dana.modal();
        return open?.submit !== undefined && JSON.stringify(open).includes('maxSurge') ? open : undefined;
      },
      { what: 'the undo review' },
    );
    await dana.submits(view, { reason: 'back' });
    await stack.slack.until(() => JSON.stringify(strategyOf().strategy).includes('25%') || undefined, {
      what: 'the former strategy',
    });
    await stack.slack.until(() => stack.slack.calls('chat.update').at(-1), { what: 'the card' });
  });
});
