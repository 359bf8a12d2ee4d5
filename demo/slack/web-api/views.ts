import { z } from 'zod';
import type { Desk } from '../desk.js';
import { isJson, type Json, jsonList, stringOf } from '../json.js';
import { checkView } from '../view-limits.js';
import { withBlockIds } from '../workspace/messages.js';
import type { View } from '../workspace/model.js';
import { initialValues, keptValues } from '../workspace/values.js';
import { wireView } from '../workspace/wire.js';
import { ApiError, type Method, method } from './method.js';

/** Views of one stack. source: docs.slack.dev/surfaces/modals */
const stackDepth = 3;

function refuseBadView(view: unknown, type: 'modal' | 'home'): Json {
  if (!isJson(view))
    throw new ApiError('invalid_arguments', { response_metadata: { messages: ['[ERROR] view'] } });
  const problems = checkView(view, type);
  const first = problems[0];
  if (first === undefined) return view;
  const messages = problems.map(({ pointer, message }) => `[ERROR] ${message} [json-pointer:${pointer}]`);
  throw new ApiError(first.error, { response_metadata: { messages } });
}

function textOf(value: unknown): string | undefined {
  return isJson(value) ? stringOf(value.text) : undefined;
}

type Place = Pick<View, 'id' | 'userId' | 'rootId' | 'previousId'>;

/** A view as stored, made of what the app sent. */
function makeView(desk: Desk, place: Place, sent: Json, former?: View): View {
  const type = sent.type === 'home' ? 'home' : 'modal';
  const blocks = withBlockIds(desk.workspace, jsonList(sent.blocks));
  return {
    ...place,
    type,
    callbackId: stringOf(sent.callback_id) ?? '',
    externalId: stringOf(sent.external_id) ?? '',
    privateMetadata: stringOf(sent.private_metadata) ?? '',
    title: textOf(sent.title) ?? '',
    submit: textOf(sent.submit),
    close: textOf(sent.close),
    clearOnClose: sent.clear_on_close === true,
    notifyOnClose: sent.notify_on_close === true,
    blocks,
    hash: `${Math.floor(desk.now() / 1000)}.${String(desk.workspace.nextNumber()).padStart(8, '0')}`,
    values: former === undefined ? initialValues(blocks) : keptValues(blocks, former.values),
    errors: {},
    notice: undefined,
  };
}

function newId(desk: Desk): string {
  return `V${String(desk.workspace.nextNumber()).padStart(8, '0')}`;
}

function redeem(desk: Desk, triggerId: string): string {
  const redeemed = desk.triggers.redeem(triggerId);
  if (redeemed.type !== 'redeemed') throw new ApiError(redeemed.type);
  return redeemed.userId;
}

function setStack(desk: Desk, userId: string, stack: readonly View[]): void {
  desk.workspace.modals.set(userId, stack);
  desk.workspace.changes.note();
}

function answer(desk: Desk, view: View): Json {
  return { view: wireView(desk.workspace, view, desk.app) };
}

/** Opens a modal above whatever the person sees, as the first of a new stack. */
function openModal(desk: Desk, userId: string, sent: Json): View {
  const id = newId(desk);
  const view = makeView(desk, { id, userId, rootId: id, previousId: undefined }, sent);
  setStack(desk, userId, [view]);
  return view;
}

/** Lays a view over the one on top; three deep at most. */
export function pushModal(desk: Desk, userId: string, sent: Json): View {
  const stack = desk.workspace.modals.get(userId) ?? [];
  const top = stack.at(-1);
  if (top === undefined) throw new ApiError('not_found');
  if (stack.length >= stackDepth) throw new ApiError('push_limit_reached');
  const place = { id: newId(desk), userId, rootId: top.rootId, previousId: top.id };
  const view = makeView(desk, place, sent);
  setStack(desk, userId, [...stack, view]);
  return view;
}

/** Puts a view in the place of another one. */
export function replaceModal(desk: Desk, former: View, sent: Json): View {
  const { id, userId, rootId, previousId } = former;
  const view = makeView(desk, { id, userId, rootId, previousId }, sent, former);
  const stack = desk.workspace.modals.get(userId) ?? [];
  setStack(
    desk,
    userId,
    stack.map((each) => (each.id === id ? view : each)),
  );
  return view;
}

const triggered = z.looseObject({ trigger_id: z.string(), view: z.unknown() });

const open = method({
  name: 'views.open',
  args: triggered,
  run(args, desk) {
    const sent = refuseBadView(args.view, 'modal');
    return answer(desk, openModal(desk, redeem(desk, args.trigger_id), sent));
  },
});

const push = method({
  name: 'views.push',
  args: triggered,
  run(args, desk) {
    const sent = refuseBadView(args.view, 'modal');
    return answer(desk, pushModal(desk, redeem(desk, args.trigger_id), sent));
  },
});

const update = method({
  name: 'views.update',
  args: z.looseObject({
    view_id: z.string().optional(),
    external_id: z.string().optional(),
    hash: z.string().optional(),
    view: z.unknown(),
  }),
  run(args, desk) {
    const open = [...desk.workspace.modals.values()].flat();
    const former = open.find(
      (view) =>
        view.id === args.view_id || (args.external_id !== undefined && view.externalId === args.external_id),
    );
    if (former === undefined) throw new ApiError('not_found');
    const sent = refuseBadView(args.view, 'modal');
    if (args.hash !== undefined && args.hash !== former.hash) throw new ApiError('hash_conflict');
    return answer(desk, replaceModal(desk, former, sent));
  },
});

const publish = method({
  name: 'views.publish',
  args: z.looseObject({ user_id: z.string(), hash: z.string().optional(), view: z.unknown() }),
  run(args, desk) {
    const sent = refuseBadView(args.view, 'home');
    if (!desk.workspace.people.has(args.user_id)) throw new ApiError('invalid_arguments');
    const former = desk.workspace.homes.get(args.user_id);
    if (args.hash !== undefined && former !== undefined && args.hash !== former.hash) {
      throw new ApiError('hash_conflict');
    }
    const id = former?.id ?? newId(desk);
    const place = { id, userId: args.user_id, rootId: id, previousId: undefined };
    const view = makeView(desk, place, sent, former);
    desk.workspace.homes.set(args.user_id, view);
    desk.workspace.changes.note();
    return answer(desk, view);
  },
});

export const viewMethods: readonly Method[] = [open, push, update, publish];
