import { createContext, useContext, useEffect, useMemo, useState } from 'react';
import type { Label } from '../local-slack-options.js';
import type { PageRequest } from '../server/page-actions.js';
import type { PageFrame, PageUpdate } from '../server/page-state.js';
import type { Message } from '../workspace/model.js';

/** What became of something the reader did. */
export interface PageOutcome {
  readonly type: 'acknowledged' | 'failed' | 'refused';
  readonly reason?: string;
  readonly because?: string;
}

type Without<Kind extends PageRequest> = Kind extends unknown ? Omit<Kind, 'as'> : never;

/** The page's state, for one played person. */
export interface Slack extends PageFrame {
  /** All messages the person sees, oldest first. */
  readonly all: readonly Message[];
  /** False while the connection to the server is lost. */
  readonly live: boolean;
  /** How often the reader sent something: a command, a message, or what a button sends. */
  readonly sent: number;
  send(request: Without<PageRequest>): Promise<PageOutcome>;
}

interface State {
  readonly frame: PageFrame;
  readonly messages: ReadonlyMap<string, Message>;
  readonly live: boolean;
}

function applied(state: State | undefined, { frame, messages, removed }: PageUpdate): State {
  const next = new Map(state?.frame.me === frame.me ? state.messages : []);
  for (const key of removed) next.delete(key);
  for (const message of messages) next.set(`${message.channel}/${message.ts}`, message);
  return { frame, messages: next, live: true };
}

/** Follows the server's state as the given person. */
export function useSlackStore(as: string): Slack | undefined {
  const [state, setState] = useState<State>();
  const [pressed, setPressed] = useState<Label>();
  const [sent, setSent] = useState(0);
  useEffect(() => {
    const source = new EventSource(`/ui/stream?as=${encodeURIComponent(as)}`);
    let first = true;
    source.onopen = () => {
      first = true;
    };
    source.onmessage = ({ data }: MessageEvent<string>) => {
      const update = JSON.parse(data) as PageUpdate;
      // A new connection starts from nothing, so what it does not tell is gone.
      const fresh = first;
      first = false;
      setState((former) => applied(fresh ? undefined : former, update));
    };
    source.onerror = () => setState((former) => (former === undefined ? former : { ...former, live: false }));
    return () => source.close();
  }, [as]);
  return useMemo(() => {
    if (state === undefined) return undefined;
    const all = [...state.messages.values()].sort((left, right) => Number(left.ts) - Number(right.ts));
    const { frame, live } = state;
    const send: Slack['send'] = async (request) => {
      setSent((before) => before + 1);
      // The answer of the server would come after a second click.
      const busyLabel = request.do === 'extra' ? frame.buttons[request.index]?.busyLabel : undefined;
      if (busyLabel !== undefined) setPressed(busyLabel);
      const outcome = await sendAs(frame.me, request);
      if (busyLabel !== undefined) setPressed(undefined);
      return outcome;
    };
    return { ...frame, busy: frame.busy ?? pressed, all, live, sent, send };
  }, [state, pressed, sent]);
}

async function sendAs(me: string, request: Without<PageRequest>): Promise<PageOutcome> {
  try {
    const response = await fetch('/ui', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ...request, as: me }),
    });
    return (await response.json()) as PageOutcome;
  } catch {
    return { type: 'failed', reason: 'the local Slack does not answer' };
  }
}

export const SlackContext = createContext<Slack | undefined>(undefined);

export function useSlack(): Slack {
  const slack = useContext(SlackContext);
  if (slack === undefined) throw new Error('The page has no state yet.');
  return slack;
}

/** The played person, as the one who reads. */
export function useReader() {
  const { people, me } = useSlack();
  const person = people.find(({ id }) => id === me);
  return { locale: person?.locale ?? 'en-US', timeZone: person?.timeZone ?? 'UTC' };
}
