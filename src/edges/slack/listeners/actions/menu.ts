import type { App, BlockAction, ButtonAction, OverflowAction } from '@slack/bolt';
import { actionIds, linkEntry, type MenuAction, MenuValue } from '../../render/action-ids.js';
import type { ListenerDeps } from '../deps.js';
import { guarded } from '../guarded.js';
import { assign } from './assign.js';
import { diagnoseAgain } from './diagnose-again.js';
import { askerOf, type Press, refuse } from './press.js';
import { showPostMortem, showProof } from './proof.js';
import { makeRequest } from './request.js';
import { review } from './review.js';

/** The menu of a card: an entry does what the button that it stands for does. */
export function register(app: App, deps: ListenerDeps): void {
  app.action<BlockAction<OverflowAction>>(actionIds.menu, async ({ ack, body, action, respond }) => {
    await ack();
    const chosen = MenuValue.safeParse(action.selected_option?.value);
    const press = pressed({ body, respond, action }, chosen.data);
    if (chosen.data === undefined) {
      await guarded(deps, askerOf(deps, press), { listener: 'actions/menu' }, () =>
        refuse(deps, askerOf(deps, press), actionIds.menu, 'a menu entry was refused'),
      );
      return;
    }
    await handlers[chosen.data.action](deps, press);
  });
}

const handlers: Readonly<Record<MenuAction, (deps: ListenerDeps, press: Press) => Promise<void>>> = {
  [actionIds.review]: review,
  [actionIds.assign]: assign,
  [actionIds.diagnoseAgain]: diagnoseAgain,
  [actionIds.proof]: showProof,
  [actionIds.postMortem]: showPostMortem,
  [actionIds.makeRequest]: makeRequest,
  // The browser has opened the address.
  [linkEntry]: async () => undefined,
};

/** The chosen entry as a press of the button that it stands for. */
function pressed(
  {
    body,
    respond,
    action,
  }: Pick<Press, 'respond'> & {
    readonly body: BlockAction<OverflowAction>;
    readonly action: OverflowAction;
  },
  chosen: { readonly action: MenuAction; readonly value: string } | undefined,
): Press {
  const { block_id, action_ts } = action;
  const button: ButtonAction = {
    type: 'button',
    action_id: chosen?.action ?? actionIds.menu,
    block_id,
    action_ts,
    text: { type: 'plain_text', text: '' },
    value: chosen?.value ?? '',
  };
  return { body: { ...body, actions: [button] }, respond, action: button };
}
