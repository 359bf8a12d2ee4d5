import { messageAction, viewAction } from '../delivery/interaction-payloads.js';
import type { Desk } from '../desk.js';
import { isJson, type Json } from '../json.js';
import { changeMessage, currentMessage } from '../workspace/messages.js';
import type { Message, Person, View } from '../workspace/model.js';
import { optionsOf, stateValue, withValue } from '../workspace/values.js';
import type { Found } from './find-element.js';
import { type Outcome, refused, slackbotTells } from './outcome.js';

/** What is chosen or forged: an option's value for menus, another value for buttons. */
export interface Choice {
  readonly value?: string | readonly string[];
  /** What the person says to a confirmation dialog; yes when absent. */
  readonly confirm?: boolean;
}

/** A person clicks a button of a message, or chooses from its menu. */
export async function clickInMessage(
  desk: Desk,
  person: Person,
  message: Message,
  found: Found,
  choice: Choice,
): Promise<Outcome> {
  if (found.element.confirm !== undefined && choice.confirm === false) return refused('not confirmed');
  // Only the app that posted a message hears of its clicks.
  if (message.appId !== desk.app.appId) return refused('not our message');
  const action = actionOf(found, choice);
  const current = currentMessage(desk.workspace, message);
  if (current !== undefined && isStateful(found.element)) {
    const field = { blockId: found.blockId, actionId: String(found.element.action_id) };
    changeMessage(desk.workspace, current, {
      values: withValue(current.values, field, stateValue(found.element, choice.value)),
    });
  }
  const payload = messageAction(desk, person, message, action);
  const delivered = await desk.dispatch({ kind: 'interaction', payload });
  if (delivered.type === 'failed') {
    const text = `That did not reach the app: "${delivered.reason}"`;
    slackbotTells(desk, person.id, message.channel, text, message.threadTs);
  }
  return delivered;
}

/** A person clicks or chooses in a modal or on the Home tab. */
export async function clickInView(
  desk: Desk,
  person: Person,
  view: View,
  found: Found,
  choice: Choice,
): Promise<Outcome> {
  if (found.element.confirm !== undefined && choice.confirm === false) return refused('not confirmed');
  let current = currentView(desk, view);
  if (isStateful(found.element)) {
    const field = { blockId: found.blockId, actionId: String(found.element.action_id) };
    current = storeView(desk, {
      ...current,
      values: withValue(current.values, field, stateValue(found.element, choice.value)),
    });
  }
  const payload = viewAction(desk, person, current, actionOf(found, choice));
  const delivered = await desk.dispatch({ kind: 'interaction', payload });
  if (delivered.type === 'failed') {
    storeView(desk, { ...currentView(desk, view), notice: troubleConnecting });
  }
  return delivered;
}

/** What Slack writes into a modal whose app does not answer. */
export const troubleConnecting = 'We had some trouble connecting. Try again?';

/** The view as it is now; the given one if it is gone. */
export function currentView(desk: Desk, view: View): View {
  const stack = desk.workspace.modals.get(view.userId) ?? [];
  const home = desk.workspace.homes.get(view.userId);
  return stack.find((each) => each.id === view.id) ?? (home?.id === view.id ? home : view);
}

/** Puts a changed view in its place. */
export function storeView(desk: Desk, view: View): View {
  const { modals, homes, changes } = desk.workspace;
  const stack = modals.get(view.userId) ?? [];
  if (view.type === 'home') homes.set(view.userId, view);
  else
    modals.set(
      view.userId,
      stack.map((each) => (each.id === view.id ? view : each)),
    );
  changes.note();
  return view;
}

function isStateful({ type }: Json): boolean {
  return type !== 'button' && type !== 'overflow' && type !== 'workflow_button' && type !== 'icon_button';
}

/** The `actions` entry of a payload. */
function actionOf({ blockId, element, entry }: Found, { value = entry }: Choice): Json {
  const named = { action_id: element.action_id, block_id: blockId, type: element.type };
  const one = typeof value === 'string' ? value : value?.[0];
  switch (element.type) {
    case 'button':
    case 'workflow_button':
    case 'icon_button': {
      const sent = one ?? element.value;
      return {
        ...named,
        text: element.text,
        ...(sent === undefined ? {} : { value: sent }),
        ...(element.style === undefined ? {} : { style: element.style }),
      };
    }
    case 'feedback_buttons': {
      const side = [element.positive_button, element.negative_button]
        .filter(isJson)
        .find((each) => each.value === one);
      return { ...named, text: side?.text, value: one };
    }
    case 'overflow': {
      const option = optionsOf(element).find((each) => each.value === one);
      if (option === undefined) throw new Error(`${String(element.action_id)} has no option ${one}.`);
      return { ...named, selected_option: option };
    }
    default:
      return { ...named, ...stateValue(element, value) };
  }
}
