import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Stack, startStack } from '../../demo/stack.js';

const scenarios = join(import.meta.dirname, '../scenarios');
const policy = `grants:
  - groups: [ml-oncall]
    namespaces: [shop]
    actions: "*"
`;

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
