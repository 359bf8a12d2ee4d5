import { type Rig, reviewButton } from './faults-rig.js';
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
