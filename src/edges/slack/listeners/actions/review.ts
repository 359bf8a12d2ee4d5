import type { App, BlockAction, ButtonAction } from '@slack/bolt';
import { actionIds, RemediationValue } from '../../render/action-ids.js';
import type { ListenerDeps } from '../deps.js';
import { guarded } from '../guarded.js';
import { openReview } from './open-review.js';
import { askerOf, buttonValue, type Press } from './press.js';

/** Review: lays the plan open in a modal. */
export function register(app: App, deps: ListenerDeps): void {
  app.action<BlockAction<ButtonAction>>(actionIds.review, async ({ ack, ...press }) => {
    await ack();
    await review(deps, press);
  });
  app.action<BlockAction<ButtonAction>>(actionIds.reviewInGit, async ({ ack, ...press }) => {
    await ack();
    await review(deps, press, true);
  });
}

/** @param inGit whether the fix is proposed as a pull request */
export async function review(deps: ListenerDeps, press: Press, inGit = false): Promise<void> {
  await guarded(deps, askerOf(deps, press), { listener: 'actions/review' }, async () => {
    const asked = await buttonValue(deps, press, RemediationValue);
    if (asked !== undefined) await openReview(deps, press, inGit ? { ...asked, inGit } : asked);
  });
}
