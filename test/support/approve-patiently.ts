import { eventually, type Rig, reviewButton } from './faults-rig.js';
import { submittable } from './killed-at-random.js';

/** A person who tries until the card states what became of the change, as people do whose click was lost. */
export async function approvePatiently(rig: Rig, isOver: () => boolean): Promise<void> {
  while (!isOver()) {
    try {
      const [card] = rig.cards();
      if (card === undefined) throw new Error('no card');
      const slack = rig.slack.as('dana');
      const button = reviewButton(card, 'patch-strategy-in-place');
      if (button === undefined) throw new Error('no button now');
      await slack.clicks(card, button);
      const view = await rig.slack.until(() => (isOver() ? slack.modal() : submittable(rig, 'dana')), {
        what: 'a review that can be approved',
        withinMs: 10_000,
      });
      if (view?.submit !== undefined) await slack.submits(view, { reason: 'deadlock' });
    } catch {
      // The app or Redis is away, or the card has no button while a change is under way.
    }
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
}

/**
 * The first card of a deadlock. A person asks again where the reply was that the question could not be queued, as on
 * a machine on which Redis does not answer in time.
 */
export async function askPatiently(rig: Rig): Promise<void> {
  await eventually('the card is posted', async () => {
    if (rig.cards().length === 0) await rig.ask(`deploy/inference -n ${rig.namespace}`);
    return rig.slack
      .until(() => rig.cards().length > 0, { withinMs: 15_000 })
      .then(() => true)
      .catch(() => false);
  });
  await rig.untilDeadlock();
}
