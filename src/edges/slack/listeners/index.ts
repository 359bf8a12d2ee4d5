import type { App, BlockAction, ButtonAction, OverflowAction } from '@slack/bolt';
import {
  actionIds,
  linkActionPrefix,
  linkEntry,
  type MenuAction,
  MenuValue,
  numberedActionIds,
} from '../render/action-ids.js';
import { registerChange, review } from './actions/change.js';
import { assign, diagnoseAgain, registerIncident } from './actions/incident.js';
import { askerOf, type Press, refuse } from './actions/press.js';
import { registerPrivateModals, showPostMortem, showProof } from './actions/private-modals.js';
import { makeRequest, registerRequest } from './actions/request.js';
import { registerAlertMessage, registerDiagnoseThis } from './alert-message.js';
import type { ListenerDeps } from './deps.js';
import { guarded } from './guarded.js';
import { registerHome } from './home.js';
import { registerSubmitted } from './submitted-views.js';
import { registerAppMention, registerRolloutDoctor } from './typed-requests.js';

/** Everything the app listens to. */
export function register(app: App, deps: ListenerDeps): void {
  registerRolloutDoctor(app, deps);
  registerAppMention(app, deps);
  registerAlertMessage(app, deps);
  registerDiagnoseThis(app, deps);
  registerHome(app, deps);
  registerChange(app, deps);
  registerIncident(app, deps);
  registerPrivateModals(app, deps);
  registerRequest(app, deps);
  registerMenu(app, deps);
  registerOpenLink(app);
  registerUnknown(app, deps);
  registerSubmitted(app, deps);
}

/** The menu of a card: an entry does what the button that it stands for does. */
function registerMenu(app: App, deps: ListenerDeps): void {
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
  }: Pick<Press, 'respond'> & { readonly body: BlockAction<OverflowAction>; readonly action: OverflowAction },
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

/** Buttons that open an address: the browser has done the work, Slack only wants to be answered. */
function registerOpenLink(app: App): void {
  app.action(new RegExp(`^${linkActionPrefix.replace('.', '\\.')}`), async ({ ack }) => {
    await ack();
  });
}

/** Anything else that is pressed: a button of an older version, or a forged one. */
function registerUnknown(app: App, deps: ListenerDeps): void {
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
