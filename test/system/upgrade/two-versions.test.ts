import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, it, type TestContext } from 'vitest';
import { queueNames } from '#src/service/jobs/jobs.js';
import type { Message, View } from '../../../demo/slack/workspace/model.js';
import { alertmanagerBody } from '../../support/alert-payloads.js';
import { usualCases } from '../../support/at-night.js';
import { eventually, isChanged, type Rig, startRig } from '../../support/faults-rig.js';
import {
  bundlePreviousVersion,
  hasPreviousVersion,
  type PreviousVersion,
  previousCommit,
} from '../../support/previous-version.js';
import { stopFirst } from '../../support/shown-words.js';

type Version = 'previous' | 'current';

/** The version of each process. */
interface Running {
  readonly apps: readonly Version[];
  /** Alerts, diagnoses, verifications and messages. */
  readonly diagnosis: readonly Version[];
  readonly remediation: readonly Version[];
}

const all = (version: Version): Running => ({
  apps: [version],
  diagnosis: [version],
  remediation: [version],
});
const [previous, current] = [all('previous'), all('current')];
const both: Running = {
  apps: ['previous', 'current'],
  diagnosis: ['previous', 'current'],
  remediation: ['previous', 'current'],
};

/** From one moment of an incident on, until the next one that is named. */
interface Upgrade {
  readonly title: string;
  readonly command: Running;
  readonly alert?: Running;
  /** With the alert on the card. */
  readonly review?: Running;
  /** Reviewed, and not approved yet. */
  readonly approval?: Running;
  /** Approved a moment ago: jobs wait or run. */
  readonly change?: Running;
  readonly undo?: Running;
  /** Undone. */
  readonly records?: Running;
  /** Tried in every run; the others at night. */
  readonly always?: true;
}

const allUpgrades: readonly Upgrade[] = [
  {
    title: 'an app of the previous version and workers of this one',
    command: { ...current, apps: ['previous'] },
    records: current,
  },
  {
    title: 'an app of this version and workers of the previous one',
    command: { ...previous, apps: ['current'] },
    records: previous,
  },
  {
    title: 'a diagnosis worker of the previous version',
    command: { ...current, diagnosis: ['previous'] },
    records: previous,
  },
  {
    title: 'a remediation worker of the previous version',
    command: { ...current, remediation: ['previous'] },
    records: previous,
  },
  { title: 'app and workers of both versions', command: both, records: previous, always: true },
  { title: 'an upgrade while an approval is open', command: previous, approval: current },
  { title: 'a rollback while an approval is open', command: current, approval: previous },
  { title: 'an upgrade during a change', command: previous, change: current, always: true },
  { title: 'a rollback during a change', command: current, change: previous },
  {
    title: 'an upgrade and a rollback again and again',
    command: previous,
    alert: current,
    review: previous,
    approval: current,
    change: previous,
    undo: current,
    records: previous,
  },
];
const upgrades = usualCases(allUpgrades, ({ always }) => always === true);

const settings = `apiVersion: rollout-doctor/v1
channel: C0MLONCALL
webhooks:
  - name: alertmanager
    source: alertmanager
    auth: { type: bearer, token: { env: ALERTS_TOKEN } }
`;

const at: Record<Version, string> = { previous: '', current: process.env.ROLLOUT_DOCTOR_PROGRAMS ?? '' };
let bundled: PreviousVersion | undefined;

beforeAll(() => {
  if (!hasPreviousVersion()) return;
  bundled = bundlePreviousVersion();
  at.previous = bundled.folder;
});
afterAll(() => bundled?.remove());

const maxPresses = 4;

const codeIn = (err: unknown): unknown => (err as { readonly code?: unknown } | undefined)?.code;

interface Started {
  readonly rig: Rig;
  /** Replaces every process whose version differs; all of one kind at a time, as a Deployment does. */
  become(running: Running | undefined): Promise<void>;
}

async function started({ onTestFinished, skip }: TestContext, first: Running): Promise<Started> {
  if (bundled === undefined)
    skip(`this clone lacks commit ${previousCommit}; git fetch --unshallow gets the whole history`);
  const now = new Map<string, Version>([
    ...first.apps.map((version, index) => [`app-${index + 1}`, version] as const),
    ...[...first.diagnosis, ...first.remediation].map(
      (version, index) => [`worker-${index + 1}`, version] as const,
    ),
  ]);
  const rig = await startRig({
    alerts: settings,
    built: (name) => at[now.get(name) ?? 'current'],
    // Each version reads the cluster in full, also on a busy machine.
    env: { READ_TIMEOUT_SECONDS: '30' },
    apps: first.apps.length,
    workers: 0,
    furtherWorkers: [
      ...first.diagnosis.map(() => ({ WORKERS: 'alert,diagnosis,verification,delivery' })),
      ...first.remediation.map(() => ({ WORKERS: 'remediation' })),
    ],
  });
  onTestFinished(() => rig.stop());
  const become: Started['become'] = async (running) => {
    if (running === undefined) return;
    const parts = [...rig.apps, ...rig.workers];
    const wanted = (['apps', 'diagnosis', 'remediation'] as const).flatMap((kind) =>
      first[kind].map((_, index) => running[kind][index] ?? running[kind].at(-1)),
    );
    for (const [index, part] of parts.entries()) {
      const version = wanted[index] ?? 'current';
      if (now.get(part.name) === version) continue;
      expect(await part.stop(), `${part.name} ends`).toBe(0);
      await part.start(at[version]);
      now.set(part.name, version);
    }
  };
  return { rig, become };
}

/** Sends the same alert each time, again after a 5xx as Alertmanager does. */
const send = (rig: Rig) =>
  eventually('the alert is accepted', async () => {
    const { status } = await rig.alert('alertmanager', alertmanagerBody({}));
    return status === 200;
  });

/**
 * Approves as people do: who is asked to review again, because a plan of the other version differs, reviews
 * again.
 */
async function approve(rig: Rig, card: Message, reviewed: View): Promise<void> {
  const dana = rig.slack.as('dana');
  const isTaken = () => !rig.says(rig.slack.message(card) ?? card).includes('Review fix');
  await dana.submits(reviewed, { reason: 'deadlock' });
  const answer = await rig.slack.until(
    () => {
      const shown = dana.modal();
      return isTaken() ? 'taken' : shown?.submit === undefined ? shown : undefined;
    },
    { what: 'the approval to be taken or refused' },
  );
  if (answer === 'taken') return;
  await dana.closes(answer, { all: true });
  // A slow answer may be on its way.
  const isLate = await eventually('the approval is taken', isTaken, 15_000).then(
    () => true,
    () => false,
  );
  if (isLate) return;
  await dana.submits(await review(rig, card), { reason: 'deadlock' });
}

/** Slack lets a press open a window for 3 seconds: on a busy machine a person presses again. */
async function untilReviewed(rig: Rig, press: () => Promise<unknown>): Promise<View> {
  const dana = rig.slack.as('dana');
  for (let presses = 1; ; presses += 1) {
    await press();
    const view = await rig.slack
      .until(
        () => {
          const shown = dana.modal();
          return shown?.submit === undefined ? undefined : shown;
        },
        { what: 'a review that can be approved', withinMs: 30_000 },
      )
      .catch((error: unknown) => {
        if (presses === maxPresses) throw error;
      });
    if (view !== undefined) return view;
    const left = dana.modal();
    if (left !== undefined) await dana.closes(left, { all: true });
  }
}

const review = (rig: Rig, card: Message) =>
  untilReviewed(rig, () => rig.opensReview('dana', card, 'patch-strategy-in-place'));
const reviewUndo = (rig: Rig, card: Message) =>
  untilReviewed(rig, () => rig.slack.as('dana').clicks(rig.slack.message(card) ?? card, 'Undo'));

const doctorOf = async (rig: Rig, version: Version): Promise<string> => {
  const program = join(at[version], 'rollout-doctor.js');
  const env = { ...process.env, REDIS_URL: rig.redis.url, REDIS_PREFIX: rig.prefix };
  const run = promisify(execFile)(process.execPath, [program, 'doctor', '--only', 'redis'], { env });
  return (await run.catch((error: { stdout: string }) => error)).stdout.replace(/\s+/g, ' ');
};

/** Each with its reason. */
async function failedJobs(rig: Rig): Promise<readonly string[]> {
  const redis = new Redis(rig.redis.url);
  const failed: string[] = [];
  for (const name of queueNames) {
    const queue = `${rig.prefix}-jobs:${name}`;
    for (const id of await redis.zrange(`${queue}:failed`, '0', '-1'))
      failed.push(`${id}: ${await redis.hget(`${queue}:${id}`, 'failedReason')}`);
  }
  redis.disconnect();
  return failed;
}

describe('two versions that share a Redis', () => {
  it.for(upgrades)('carry an incident from the command to its undo: $title', async (upgrade, context) => {
    const { rig, become } = await started(context, upgrade.command);
    const before = rig.strategy();
    await rig.ask('deploy/inference -n shop');
    await rig.untilDeadlock();
    await become(upgrade.alert);
    await send(rig);
    const card = await rig.untilCard('KubeDeploymentRolloutStuck');
    await become(upgrade.review);
    const reviewed = await review(rig, card);
    await become(upgrade.approval);
    expect(rig.changes()).toEqual([]);
    await approve(rig, card, reviewed);
    await become(upgrade.change);
    const recovered = await rig.untilRecovered();
    expect(isChanged(rig)).toBe(true);
    expect(rig.changes()).toHaveLength(1);

    await become(upgrade.undo);
    const undo = await reviewUndo(rig, recovered);
    await rig.slack.as('dana').submits(undo, { reason: 'back to the settings in Git' });
    await rig.untilCard('Undone');
    expect(rig.strategy()).toBe(before);
    expect(rig.changes().map(({ resource, name }) => `${resource}/${name}`)).toEqual([
      'deployments/inference',
      'deployments/inference',
    ]);

    await become(upgrade.records);
    await rig.ask('history shop/inference', 'min-jun');
    await rig.untilTold('min-jun', 'shop/inference');
    await rig.ask('audit shop/inference', 'sam');
    expect(await rig.untilTold('sam', 'deadlock')).toContain(stopFirst);
    await send(rig);

    for (const version of ['previous', 'current'] as const)
      expect(await doctorOf(rig, version)).toMatch(/audit log is intact: decisions 1 to/);
    expect(rig.cards()).toHaveLength(1);
    const thread = rig.slack.thread(recovered).map(({ text }) => text);
    expect(thread.filter((text, index) => thread.indexOf(text) !== index)).toEqual([]);
    expect(await failedJobs(rig)).toEqual([]);
    // On a busy machine a command to Redis may take too long, whatever the versions are.
    const errors = rig.logged.filter(({ level, err }) => level >= 50 && codeIn(err) !== 'redis-unavailable');
    expect(errors).toEqual([]);
  });
});
