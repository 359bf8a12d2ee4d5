import type { App, BlockAction, ButtonAction } from '@slack/bolt';
import { actionIds, linkActionPrefix, numberedActionIds } from '../../render/action-ids.js';
import type { ListenerDeps } from '../deps.js';
import { guarded } from '../guarded.js';
import { askerOf, refuse } from './press.js';

/** Anything else that is pressed: a button of an older version, or a forged one. */
export function register(app: App, deps: ListenerDeps): void {
  app.action<BlockAction<ButtonAction>>(unknownActions(), async ({ ack, ...press }) => {
    await ack();
    const asker = askerOf(deps, press);
    await guarded(deps, asker, { listener: 'actions/unknown' }, () =>
      refuse(deps, asker, press.action.action_id, 'an unknown action was refused'),
    );
  });
}

/** Matches every action id that no other listener takes. */
export function unknownActions(): RegExp {
  const known = Object.values(actionIds).map((id) =>
    numberedActionIds.includes(id) ? `${escaped(id)}\\.\\d+$` : `${escaped(id)}$`,
  );
  return new RegExp(`^(?!${known.join('|')}|${escaped(linkActionPrefix)})[\\s\\S]*$`);
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
