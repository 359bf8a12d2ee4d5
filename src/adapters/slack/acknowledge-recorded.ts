import type { App, ReceiverEvent } from '@slack/bolt';
import { DoctorError } from '../../errors.js';

/** Slack waits three seconds for an acknowledgement, and sends an event again where none comes. */
const acknowledgeWithinMs = 2_500;

/**
 * Bolt acknowledges every event before any listener hears of it: what a process that dies does not get done is lost.
 * Chosen events are acknowledged only once their listeners are through, over HTTP and Socket Mode alike. Where one of
 * them throws, or takes too long, Slack hears no acknowledgement and sends the event again (at once, after a minute,
 * after five), while the slow one goes on.
 *
 * @param chosen by the body of the request
 * @returns what the app's error handler has to tell of each request that was not handled
 */
export function acknowledgeRecorded(app: App, chosen: (body: unknown) => boolean): (body: object) => void {
  const failed = new WeakSet<object>();
  const processEvent = app.processEvent.bind(app);
  app.processEvent = async (event: ReceiverEvent) => {
    if (!chosen(event.body)) return processEvent(event);
    const handled = processEvent({ ...event, ack: async () => undefined });
    if (await isThrough(handled)) {
      if (failed.has(event.body)) throw notRecorded('an event was not put on record');
      await event.ack();
      return;
    }
    throw notRecorded('an event was not put on record in time');
  };
  return (body) => void failed.add(body);
}

async function isThrough(handled: Promise<void>): Promise<boolean> {
  let deadline: NodeJS.Timeout | undefined;
  const late = new Promise<false>((resolve) => {
    deadline = setTimeout(() => resolve(false), acknowledgeWithinMs);
  });
  try {
    return await Promise.race([handled.then(() => true), late]);
  } finally {
    clearTimeout(deadline);
  }
}

/** The receiver answers it with 500, or not at all in Socket Mode. */
function notRecorded(message: string): DoctorError {
  return new DoctorError({ code: 'event-not-recorded', message, retryable: true });
}
