import { z } from 'zod';
import { viewClosed, viewSubmission } from '../delivery/interaction-payloads.js';
import type { Desk } from '../desk.js';
import { isJson } from '../json.js';
import { checkView } from '../view-limits.js';
import { pushModal, replaceModal } from '../web-api/views.js';
import type { Person, View } from '../workspace/model.js';
import { fieldsOf, stateValue, withValue } from '../workspace/values.js';
import { clickInView, currentView, storeView, troubleConnecting } from './clicking.js';
import { fieldErrors } from './field-errors.js';
import { type Outcome, refused } from './outcome.js';

/** What is typed and chosen, by action id, block id or label. */
export type Filled = Readonly<Record<string, string | readonly string[]>>;

/**
 * A person fills fields of a view. Fields with `dispatch_action` tell the app.
 *
 * @throws when the view has no such field
 */
export async function fillView(desk: Desk, person: Person, view: View, filled: Filled): Promise<View> {
  for (const [name, chosen] of Object.entries(filled)) {
    const current = currentView(desk, view);
    const fields = fieldsOf(current.blocks);
    const field = fields.find(({ actionId, blockId, block }) => {
      const label = isJson(block.label) ? block.label.text : undefined;
      return actionId === name || blockId === name || label === name;
    });
    if (field === undefined) {
      const there = fields.map(({ actionId }) => actionId).join(', ');
      throw new Error(`The view has no field ${name}; it has ${there === '' ? 'none' : there}.`);
    }
    const value = stateValue(field.element, chosen);
    storeView(desk, { ...current, values: withValue(current.values, field, value) });
    if (field.block.dispatch_action === true) {
      const found = { blockId: field.blockId, element: field.element };
      await clickInView(desk, person, view, found, { value: chosen });
    }
  }
  return currentView(desk, view);
}

const Answer = z.discriminatedUnion('response_action', [
  z.looseObject({ response_action: z.literal('errors'), errors: z.record(z.string(), z.string()) }),
  z.looseObject({ response_action: z.literal('update'), view: z.unknown() }),
  z.looseObject({ response_action: z.literal('push'), view: z.unknown() }),
  z.looseObject({ response_action: z.literal('clear') }),
]);

/** A person submits a modal. Slack's own checks come first; the app is not asked when they fail. */
export async function submitView(desk: Desk, person: Person, view: View): Promise<Outcome> {
  const current = currentView(desk, view);
  const errors = fieldErrors(current, person.locale);
  if (Object.keys(errors).length > 0) {
    storeView(desk, { ...current, errors });
    return refused('fields are not filled', errors);
  }
  storeView(desk, { ...current, errors: {}, notice: undefined });
  const payload = viewSubmission(desk, person, current);
  const delivered = await desk.dispatch({ kind: 'interaction', payload });
  const after = currentView(desk, view);
  if (delivered.type === 'failed') {
    storeView(desk, { ...after, notice: troubleConnecting });
    return delivered;
  }
  const empty = !isJson(delivered.body) || Object.keys(delivered.body).length === 0;
  if (empty) {
    removeViews(desk, view, 'top');
    return delivered;
  }
  const answer = Answer.safeParse(delivered.body);
  const problem = answer.success ? obey(desk, after, answer.data) : 'the answer is no response_action';
  if (problem === undefined) return delivered;
  storeView(desk, { ...after, notice: troubleConnecting });
  return refused(problem);
}

/** Does what the app answered; gives why it cannot. */
function obey(desk: Desk, view: View, answer: z.output<typeof Answer>): string | undefined {
  switch (answer.response_action) {
    case 'errors': {
      const blockIds = new Set(fieldsOf(view.blocks).map(({ blockId }) => blockId));
      const unknown = Object.keys(answer.errors).find((blockId) => !blockIds.has(blockId));
      if (unknown !== undefined) return `no input block ${unknown}`;
      storeView(desk, { ...view, errors: answer.errors });
      return undefined;
    }
    case 'clear':
      removeViews(desk, view, 'all');
      return undefined;
    default: {
      const problem = checkView(answer.view, 'modal')[0];
      if (problem !== undefined) return `${problem.message} [json-pointer:${problem.pointer}]`;
      if (!isJson(answer.view)) return 'no view';
      if (answer.response_action === 'push') pushModal(desk, view.userId, answer.view);
      else replaceModal(desk, view, answer.view);
      return undefined;
    }
  }
}

/**
 * A person closes a modal: the one on top, or the whole stack. The app hears of it if the view asked for
 * that.
 */
export async function closeView(desk: Desk, person: Person, view: View, all: boolean): Promise<Outcome> {
  const current = currentView(desk, view);
  const cleared = all || current.clearOnClose;
  const stack = desk.workspace.modals.get(view.userId) ?? [];
  const closing = cleared ? stack.toReversed() : [current];
  removeViews(desk, view, cleared ? 'all' : 'top');
  let outcome: Outcome = { type: 'acknowledged', body: undefined };
  for (const each of closing.filter(({ notifyOnClose }) => notifyOnClose)) {
    outcome = await desk.dispatch({ kind: 'interaction', payload: viewClosed(desk, person, each, cleared) });
  }
  return outcome;
}

function removeViews(desk: Desk, view: View, which: 'top' | 'all'): void {
  const stack = desk.workspace.modals.get(view.userId) ?? [];
  desk.workspace.modals.set(view.userId, which === 'all' ? [] : stack.filter(({ id }) => id !== view.id));
  desk.workspace.changes.note();
}
