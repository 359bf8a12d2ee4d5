import type { App, BlockAction, ButtonAction } from '@slack/bolt';
import { actionIds, UndoValue } from '../../render/action-ids.js';
import type { ListenerDeps } from '../deps.js';
import { guarded } from '../guarded.js';
import { openReview } from './open-review.js';
import { askerOf, buttonValue } from './press.js';

/** Undo: the same review as any change, for the plan that puts back what the last one replaced. */
export function register(app: App, deps: ListenerDeps): void {
  for (const actionId of [actionIds.undo, actionIds.undoInGit]) {
    const inGit = actionId === actionIds.undoInGit;
    app.action<BlockAction<ButtonAction>>(actionId, async ({ ack, ...press }) => {
      await ack();
      await guarded(deps, askerOf(deps, press), { listener: 'actions/undo' }, async () => {
        const asked = await buttonValue(deps, press, UndoValue);
        if (asked !== undefined) await openReview(deps, press, { ...asked, remediationId: 'undo', inGit });
      });
    });
  }
}
