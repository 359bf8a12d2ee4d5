import { z } from 'zod';
import { clickInMessage, clickInView, currentView, storeView } from '../acting/clicking.js';
import { pickMessageShortcut, runCommand } from '../acting/commanding.js';
import { clickables, type Found } from '../acting/find-element.js';
import type { Outcome } from '../acting/outcome.js';
import { actor } from '../acting/person.js';
import { say } from '../acting/speaking.js';
import { closeView, submitView } from '../acting/submitting.js';
import type { Desk } from '../desk.js';
import type { Json } from '../json.js';
import type { ExtraButton } from '../local-slack-options.js';
import { currentMessage } from '../workspace/messages.js';
import type { View } from '../workspace/model.js';
import { fieldsOf, stateValue, withValue } from '../workspace/values.js';
import { channelNamed, personNamed } from '../workspace/workspace.js';

const chosen = z.union([z.string(), z.array(z.string())]);
const values = z.array(z.object({ blockId: z.string(), actionId: z.string(), chosen: chosen.optional() }));
const at = { channel: z.string(), ts: z.string() };
const aimed = { blockId: z.string(), actionId: z.string(), value: chosen.optional() };

/** What the page may ask for, on behalf of the person played. */
export const PageRequest = z.discriminatedUnion('do', [
  z.object({ do: z.literal('command'), as: z.string(), channel: z.string(), line: z.string().max(4000) }),
  z.object({
    do: z.literal('say'),
    as: z.string(),
    channel: z.string(),
    text: z.string().min(1).max(4000),
    threadTs: z.string().optional(),
  }),
  z.object({ do: z.literal('act'), as: z.string(), ...at, ...aimed }),
  z.object({ do: z.literal('act-in-view'), as: z.string(), viewId: z.string(), values, ...aimed }),
  z.object({ do: z.literal('submit'), as: z.string(), viewId: z.string(), values }),
  z.object({ do: z.literal('close'), as: z.string(), viewId: z.string(), all: z.boolean() }),
  z.object({ do: z.literal('shortcut'), as: z.string(), callbackId: z.string(), ...at }),
  z.object({ do: z.literal('home'), as: z.string() }),
  z.object({ do: z.literal('extra'), as: z.string(), index: z.int().min(0) }),
]);
export type PageRequest = z.output<typeof PageRequest>;

const done: Outcome = { type: 'acknowledged', body: undefined };
const gone: Outcome = { type: 'refused', because: 'It is not there any more.' };

/** Does what the page asks for. */
export async function act(
  desk: Desk,
  buttons: readonly ExtraButton[],
  request: PageRequest,
): Promise<Outcome> {
  const person = personNamed(desk.workspace.people, request.as);
  const view = 'viewId' in request ? viewOf(desk, person.id, request.viewId) : undefined;
  switch (request.do) {
    case 'command':
      return runCommand(desk, person, channelNamed(desk.workspace.channels, request.channel), request.line);
    case 'say': {
      const channel = channelNamed(desk.workspace.channels, request.channel);
      say(desk, person, channel, request.text, request.threadTs);
      return done;
    }
    case 'act': {
      const message = currentMessage(desk.workspace, request);
      const found = message === undefined ? undefined : aimedAt(message.blocks, request);
      if (message === undefined || found === undefined) return gone;
      return clickInMessage(desk, person, message, found, chosenIn(request));
    }
    case 'act-in-view': {
      if (view === undefined) return gone;
      const filled = withChosen(desk, view, request.values);
      const found = aimedAt(filled.blocks, request);
      return found === undefined ? gone : clickInView(desk, person, filled, found, chosenIn(request));
    }
    case 'submit':
      if (view === undefined) return gone;
      return submitView(desk, person, withChosen(desk, view, request.values));
    case 'close':
      return view === undefined ? gone : closeView(desk, person, view, request.all);
    case 'shortcut': {
      const message = currentMessage(desk.workspace, request);
      return message === undefined ? gone : pickMessageShortcut(desk, person, request.callbackId, message);
    }
    case 'home':
      actor(desk, person.id).opensHome();
      return done;
    case 'extra':
      await buttons[request.index]?.run();
      return done;
  }
}

function viewOf(desk: Desk, userId: string, id: string): View | undefined {
  const home = desk.workspace.homes.get(userId);
  if (home?.id === id) return home;
  return desk.workspace.modals.get(userId)?.find((each) => each.id === id);
}

function aimedAt(
  blocks: readonly Json[],
  { blockId, actionId }: { readonly blockId: string; readonly actionId: string },
): Found | undefined {
  return clickables(blocks).find(
    (found) => found.blockId === blockId && found.element.action_id === actionId,
  );
}

function chosenIn({ value }: { value?: string | string[] | undefined }): {
  value?: string | readonly string[];
} {
  return value === undefined ? {} : { value };
}

/** Keeps what stands in the form. */
function withChosen(desk: Desk, view: View, filled: z.output<typeof values>): View {
  const current = currentView(desk, view);
  const fields = fieldsOf(current.blocks);
  const next = filled.reduce((all, each) => {
    const field = fields.find(
      ({ blockId, actionId }) => blockId === each.blockId && actionId === each.actionId,
    );
    return field === undefined ? all : withValue(all, field, stateValue(field.element, each.chosen));
  }, current.values);
  return storeView(desk, { ...current, values: next });
}
