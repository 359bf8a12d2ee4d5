import type { Desk } from '../desk.js';
import { currentMessage } from '../workspace/messages.js';
import type { Message, Person, View } from '../workspace/model.js';
import { wireView } from '../workspace/wire.js';
import { channelNamed, personNamed } from '../workspace/workspace.js';
import { clickInMessage, clickInView, currentView } from './clicking.js';
import { pickGlobalShortcut, pickMessageShortcut, runCommand } from './commanding.js';
import { type Aimed, findElement } from './find-element.js';
import type { Outcome } from './outcome.js';
import { say } from './speaking.js';
import { closeView, type Filled, fillView, submitView } from './submitting.js';

/** Where something is said or run; the first channel when absent. */
export interface Where {
  /** Name or id. */
  readonly channel?: string;
  readonly threadTs?: string;
}

/** What a played person can do. Each promise settles when the app has answered or the 3 s are over. */
export interface Actor {
  readonly id: string;
  readonly name: string;
  /** Runs a slash command, such as `/rollout-doctor ml/inference`. */
  runs(line: string, where?: Pick<Where, 'channel'>): Promise<Outcome>;
  /**
   * Clicks what is seen in the given state of a message or view, even if it has changed since; confirms
   * dialogs unless told not to.
   */
  clicks(seen: Message | View, aimed: Aimed, options?: { readonly confirm?: boolean }): Promise<Outcome>;
  /** Chooses from a menu, date or time picker, radio buttons, checkboxes or overflow menu. */
  chooses(seen: Message | View, aimed: Aimed, value: string | readonly string[]): Promise<Outcome>;
  fills(view: View, filled: Filled): Promise<View>;
  /** Fills and submits. */
  submits(view: View, filled?: Filled): Promise<Outcome>;
  /** Closes the modal, or with `all` the whole stack. */
  closes(view: View, options?: { readonly all?: boolean }): Promise<Outcome>;
  /** Writes; `@name` and `#channel` become mentions. */
  says(text: string, where?: Where): Message;
  /** Writes to the app's bot: `@rollout-doctor …`. */
  mentions(text: string, where?: Where): Message;
  usesShortcut(callbackId: string, message?: Message): Promise<Outcome>;
  /** Opens the App Home tab. */
  opensHome(): void;
  /** The modal on top, if one is open. */
  modal(): View | undefined;
  home(): View | undefined;
}

/** @throws when nobody has this name */
export function actor(desk: Desk, name: string): Actor {
  const person = personNamed(desk.workspace.people, name);
  const place = (where: Where | undefined) => {
    const first = [...desk.workspace.channels.values()][0];
    const channel = channelNamed(desk.workspace.channels, where?.channel ?? first?.id ?? '');
    if (!channel.members.has(person.id)) throw new Error(`${person.name} is not in ${channel.name}.`);
    return channel;
  };
  const act = (
    seen: Message | View,
    aimed: Aimed,
    value: string | readonly string[] | undefined,
    confirm = true,
  ) => {
    const found = findElement(seen.blocks, aimed);
    const choice = { ...(value === undefined ? {} : { value }), confirm };
    if (isView(seen)) return clickInView(desk, person, currentView(desk, seen), found, choice);
    refuseUnseen(person, seen);
    return clickInMessage(desk, person, seen, found, choice);
  };
  return {
    id: person.id,
    name: person.name,
    runs: (line, where) => runCommand(desk, person, place(where), line),
    clicks(seen, aimed, options = {}) {
      return act(seen, aimed, typeof aimed === 'string' ? undefined : aimed.value, options.confirm);
    },
    chooses: (seen, aimed, value) => act(seen, aimed, value),
    fills: (view, filled) => fillView(desk, person, view, filled),
    async submits(view, filled = {}) {
      await fillView(desk, person, view, filled);
      return submitView(desk, person, view);
    },
    closes: (view, { all = false } = {}) => closeView(desk, person, view, all),
    says: (text, where) => say(desk, person, place(where), text, where?.threadTs),
    mentions: (text, where) =>
      say(desk, person, place(where), `@${desk.app.name} ${text}`.trim(), where?.threadTs),
    usesShortcut(callbackId, message) {
      if (message === undefined) return pickGlobalShortcut(desk, person, callbackId);
      return pickMessageShortcut(
        desk,
        person,
        callbackId,
        currentMessage(desk.workspace, message) ?? message,
      );
    },
    opensHome() {
      const home = desk.workspace.homes.get(person.id);
      desk.events.publish({
        type: 'app_home_opened',
        user: person.id,
        channel: person.id.replace(/^U/, 'D'),
        tab: 'home',
        ...(home === undefined ? {} : { view: wireView(desk.workspace, home, desk.app) }),
      });
    },
    modal: () => desk.workspace.modals.get(person.id)?.at(-1),
    home: () => desk.workspace.homes.get(person.id),
  };
}

function isView(seen: Message | View): seen is View {
  return 'rootId' in seen;
}

/** A test that clicks on somebody else's private message would prove nothing. */
function refuseUnseen(person: Person, { visibleTo }: Message): void {
  if (visibleTo !== undefined && visibleTo !== person.id) {
    throw new Error(`${person.name} does not see this message.`);
  }
}
