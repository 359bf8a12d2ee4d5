import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { kubeconfigYaml } from '../../../demo/cluster/kubeconfig.js';
import { createLocalCluster, type LocalCluster } from '../../../demo/cluster/local-cluster.js';
import type { Message } from '../../../demo/slack/workspace/model.js';
import { type Rig, startRig } from '../../support/faults-rig.js';
import { causesWanted } from '../../support/scenarios/compare-answer.js';
import { crashRecordings } from './crash-recordings.js';

/** Slack accepts one message a second in a channel, so the test uses several channels. */
const channels = Array.from({ length: 10 }, (_, number) => `ops-${number}`);

/** Causes that predict a problem. */
const informational = ['fragile-strategy', 'probe-configuration', 'resource-configuration'];

const recordings = crashRecordings.map((recording, number) => ({
  ...recording,
  // Of one length, so that none is a part of another.
  context: `recorded-${String(number).padStart(3, '0')}`,
  channel: channels[number % channels.length] ?? '',
}));

/** One app, one worker, and one cluster for each recording. */
describe('recorded crashes through Slack', () => {
  const clusters = new Map<string, LocalCluster>();
  let rig: Rig;
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'rollout-doctor-recordings-'));
    for (const { context } of recordings) {
      // The clock is stopped, so the recorded state does not change.
      clusters.set(context, await createLocalCluster({ name: context, startAt: Date.now() }));
    }
    const kubeconfig = join(folder, 'kubeconfig');
    const entries = [...clusters.values()].map(({ name, url }) => ({
      name,
      url,
      user: 'admin',
      token: 'admin',
    }));
    await writeFile(kubeconfig, kubeconfigYaml(entries), { mode: 0o600 });
    rig = await startRig({
      mode: 'http',
      scenario: 'none',
      slack: { channels: channels.map((name) => ({ name })) },
      env: { KUBECONFIG: kubeconfig, READ_TIMEOUT_SECONDS: '60' },
    });
  });

  afterAll(async () => {
    await rig?.stop();
    for (const cluster of clusters.values()) await cluster.close();
    await rm(folder, { recursive: true, force: true });
  });

  /** Some recordings are healthy for seconds only, so each is loaded just before its diagnosis. */
  async function diagnose({
    context,
    folder: recording,
    channel,
    expect: expected,
  }: (typeof recordings)[number]) {
    const cluster = clusters.get(context);
    cluster?.advanceTo(Date.now());
    await cluster?.loadRecording(recording);
    const { namespace, kind, name } = expected.workload;
    // With the kind, since a namespace may have the name of one, as `rs` has.
    await rig.slack.as('dana').runs(`/rollout-doctor ${context}/${namespace}/${kind}/${name}`, { channel });
  }

  const cardOf = ({ context, channel }: (typeof recordings)[number]): Promise<Message> =>
    rig.slack.until(
      () => {
        const card = rig.slack
          .messages(channel)
          .find((message) => rig.says(message).includes(`\`${context}\``));
        return card !== undefined && rig.says(card).includes('[Show proof]') ? card : undefined;
      },
      { what: `the card for ${context}` },
    );

  it.each(recordings.map((recording) => [recording.expect.id, recording.expect.title, recording] as const))(
    '%s (%s) has the expected cause on its card',
    async (_, __, recording) => {
      await diagnose(recording);
      const says = rig.says(await cardOf(recording));
      const [, cause] = /\n\(`([a-z-]+)` · asked by /.exec(says) ?? [];
      const wanted = causesWanted(recording.expect) ?? [];

      if (wanted.length === 0) expect(['-', ...informational]).toContain(cause ?? '-');
      else expect(wanted).toContain(cause);
      for (const forbidden of recording.expect.never) expect(cause).not.toBe(forbidden);
      for (const secret of recording.expect.mustNotContain) expect(says).not.toContain(secret);
    },
    120_000,
  );

  it('send no forbidden text of their own in any call to Slack', () => {
    const calls = rig.slack.calls().map((call) => JSON.stringify(call));
    const sent = recordings.flatMap(({ context, expect: expected }) => {
      // One recording may have to say what another one must not, so each answers for the calls that name it.
      const own = calls.filter((call) => call.includes(context));
      expect(own, context).not.toEqual([]);
      return expected.mustNotContain.filter((text) => own.some((call) => call.includes(text)));
    });

    expect(rig.slack.calls('chat.postMessage').length).toBeGreaterThanOrEqual(recordings.length);
    expect(recordings.some(({ expect: expected }) => expected.mustNotContain.length > 0)).toBe(true);
    expect(sent).toEqual([]);
  });
});
