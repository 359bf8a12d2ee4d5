import type { App, Receiver, ReceiverEvent } from '@slack/bolt';
import { DoctorError } from '../../errors.js';

/** Slack waits three seconds for an acknowledgement, and sends an event again if it receives none. */
const acknowledgeWithinMs = 2_500;

/**
 * Wraps a Bolt receiver so that chosen events are acknowledged only after their listeners are done. Bolt
 * calls the `ack` of the receiver before it calls any listener, so an event whose process dies in between
 * would be lost. No option changes that: `processBeforeResponse` exists for HTTP only, and would delay the
 * answers to commands and clicks too. The receiver is the extension point that Bolt documents: it decides
 * what `app.processEvent` is given.
 *
 * If processing fails or takes too long, the wrapped receiver answers with status 500 (HTTP) or not at all
 * (Socket Mode). Slack then sends the event again: at once, after a minute, after five. A slow listener keeps
 * running.
 *
 * @param isChosen decides by the body of the request
 * @see https://docs.slack.dev/tools/bolt-js/concepts/receiver
 */
export function acknowledgeAfterStoring(receiver: Receiver, isChosen: (body: unknown) => boolean): Receiver {
  return {
    init(app) {
      const processEvent = (event: ReceiverEvent): Promise<void> =>
        isChosen(event.body) ? processThenAcknowledge(app, event) : app.processEvent(event);
      receiver.init(Object.create(app, { processEvent: { value: processEvent } }) as App);
    },
    start: (...given) => receiver.start(...given),
    stop: (...given) => receiver.stop(...given),
  };
}

/** @throws DoctorError `event-not-recorded` after the time, or what the error handler of the app throws */
async function processThenAcknowledge(app: App, event: ReceiverEvent): Promise<void> {
  let deadline: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    deadline = setTimeout(() => reject(notStoredInTime()), acknowledgeWithinMs);
  });
  try {
    await Promise.race([app.processEvent({ ...event, ack: async () => undefined }), timeout]);
  } finally {
    clearTimeout(deadline);
  }
  await event.ack();
}

function notStoredInTime(): DoctorError {
  return new DoctorError({
    code: 'event-not-recorded',
    message: 'an event was not put on record in time',
    retryable: true,
  });
}
