import { afterAll, describe, expect, it } from 'vitest';
import type { View } from '../../../demo/slack/workspace/model.js';
import { askPatiently } from '../../support/approve-patiently.js';
import { usualCases } from '../../support/at-night.js';
import { eventually, isChanged, type Rig, reviewButton } from '../../support/faults-rig.js';
import { effectsOf, killsOf, startKilledRig, submittable, targetOf } from '../../support/killed-at-random.js';

/**
 * Kills processes at moments that a seed chooses, while people review a change and none of them may make it
 * happen. `KILL_ROUNDS` makes more rounds of each kind, with more kills each, than a usual run has time for.
 */
const rounds = Number(process.env.KILL_ROUNDS ?? 1);
const killsOfRound = process.env.KILL_ROUNDS === undefined ? 4 : undefined;

const twoPeople = `apiVersion: rollout-doctor/v1
grants:
  - groups: [ml-oncall]
    namespaces: ["*"]
    actions: "*"
demands:
  - approvers: 2
brakes:
  cancelSeconds: 0
`;
/** Thirteen kills of five reviews at once take minutes on a busy machine. */
const roundMs = 600_000;
/** `APPROVAL_MINUTES` below, and a second in which the review was opened. */
const expiredAfterMs = 61_000;

/** What people do again and again until the kills are over. An error means that the app was away. */
interface Attempt {
  readonly title: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly policy?: string;
  try(rig: Rig, isOver: () => boolean): Promise<void>;
}

async function review(rig: Rig, person: string): Promise<View> {
  const [card] = rig.cards();
  const button = card === undefined ? undefined : reviewButton(card, 'patch-strategy-in-place');
  if (card === undefined || button === undefined) throw new Error('no button now');
  await rig.slack.as(person).clicks(card, button);
  return rig.slack.until(() => submittable(rig, person), { what: 'a review', withinMs: 10_000 });
}

const attempts: readonly Attempt[] = [
  {
    title: 'that nobody gives',
    async try(rig) {
      await rig.slack.as('dana').closes(await review(rig, 'dana'));
    },
  },
  {
    title: 'that another person rejects',
    policy: twoPeople,
    async try(rig) {
      const [card] = rig.cards();
      if (card === undefined) throw new Error('no card');
      await review(rig, 'dana')
        .then((view) => rig.slack.as('dana').submits(view, { reason: 'deadlock' }))
        .catch(() => undefined);
      await rig.slack.as('min-jun').clicks(rig.slack.message(card) ?? card, 'Reject');
    },
  },
  {
    title: 'that expired before it is given',
    env: { APPROVAL_MINUTES: '1' },
    async try(rig, isOver) {
      const view = await review(rig, 'dana');
      const until = Date.now() + expiredAfterMs;
      while (Date.now() < until) {
        if (isOver()) return;
        await new Promise((resolve) => setTimeout(resolve, 500));
      }
      await rig.slack.as('dana').submits(view, { reason: 'deadlock' });
    },
  },
  {
    title: 'of which the second is tried by the same person and one without the right',
    policy: twoPeople,
    async try(rig) {
      for (const person of ['dana', 'dana', 'sam'])
        await review(rig, person)
          .then((view) => rig.slack.as(person).submits(view, { reason: 'deadlock' }))
          .catch(() => undefined);
    },
  },
];

const total = new Map<string, number>();
let changes = 0;

/** The numbers of docs/faults.md. */
afterAll(() => {
  const kills = [...total].map(([target, count]) => `${target} ${count}`).join(', ');
  process.stdout.write(`killed without an approval: ${kills}; changes: ${changes}\n`);
});

/**
 * Every change that the API server received so far; the local cluster keeps the last thousand requests only.
 */
function watchChanges(rig: Rig): { readonly seen: ReadonlySet<object>; stop(): void } {
  const seen = new Set<object>();
  const timer = setInterval(() => {
    for (const change of rig.changes()) seen.add(change);
  }, 100);
  return { seen, stop: () => clearInterval(timer) };
}

/**
 * A new diagnosis makes a review void: people approve again until the card states what became of the change.
 */
async function approve(rig: Rig, people: readonly string[]): Promise<void> {
  const isOver = () => rig.cards().some((card) => rig.says(card).includes('recovered'));
  for (let tries = 1; !isOver() && tries <= 4; tries += 1) {
    for (const person of people) {
      const left = rig.slack.as(person).modal();
      if (left !== undefined) await rig.slack.as(person).closes(left, { all: true });
      await review(rig, person)
        .then((view) => rig.slack.as(person).submits(view, { reason: 'deadlock' }))
        .catch(() => undefined);
    }
    await eventually('the change is verified', isOver, 20_000).catch(() => undefined);
  }
}

/** In the usual run the two that end in the queue of changes. */
const tried = usualCases(attempts, ({ policy }) => policy !== undefined);

describe.concurrent.each(tried)('an approval $title, while app and workers are killed', (attempt) => {
  it.for(Array.from({ length: rounds }, (_, at) => at + 1))(
    'changes nothing: seed %d',
    { timeout: roundMs },
    async (seed, context) => {
      const { rig, kill } = await startKilledRig(context, {
        ...(attempt.env === undefined ? {} : { env: attempt.env }),
        ...(attempt.policy === undefined ? {} : { policy: attempt.policy }),
      });
      await askPatiently(rig);
      const before = effectsOf(rig);
      const watched = watchChanges(rig);
      let isOver = false;
      const people = (async () => {
        while (!isOver) {
          await attempt.try(rig, () => isOver).catch(() => undefined);
          await new Promise((resolve) => setTimeout(resolve, 500));
        }
      })();
      const killed = await kill(killsOf(seed).slice(0, killsOfRound), () => false);
      isOver = true;
      await people;
      for (const each of killed) total.set(targetOf(each), (total.get(targetOf(each)) ?? 0) + 1);

      // Whatever waits in a queue is carried out before a new diagnosis is shown.
      await rig.ask('deploy/inference -n shop', 'min-jun');
      await rig.untilDeadlock();
      watched.stop();
      changes += watched.seen.size + effectsOf(rig).generation - before.generation;
      expect([...watched.seen], killed.join(', ')).toEqual([]);
      expect(effectsOf(rig)).toEqual(before);
      expect(rig.cards()).toHaveLength(1);

      // The same change is made once it is approved.
      await approve(rig, attempt.policy === undefined ? ['dana'] : ['dana', 'min-jun']);
      await rig.untilRecovered();
      expect(isChanged(rig)).toBe(true);
      expect(effectsOf(rig).generation - before.generation).toBe(1);
    },
  );
});
