import { Queue } from 'bullmq';
import type { Redis } from 'ioredis';
import { connectProducer } from '#src/edges/redis/connection.js';
import type { ApiObject } from '../../demo/cluster/api-object.js';
import { listAt, textAt } from '../../demo/cluster/json.js';
import type { Message, View } from '../../demo/slack/workspace/model.js';
import type { Rig } from './faults-rig.js';
import { aloud } from './read-aloud.js';

/** Pods that start and stop in a moment: the stories do not depend on durations. */
export const quick = { usual: { startMs: 200, readyMs: 100, terminationMs: 200 } };

export interface SeenPod {
  readonly name: string;
  readonly node: string;
  readonly ready: boolean;
}

/** Pods of a Deployment that are not leaving. */
export function podsOf({ cluster }: Rig, namespace: string, app: string): readonly SeenPod[] {
  return cluster
    .list('v1', 'Pod', namespace)
    .filter(({ metadata }) => metadata.labels?.app === app && metadata.deletionTimestamp === undefined)
    .map((pod) => ({
      name: pod.metadata.name,
      node: textAt(pod, 'spec', 'nodeName') ?? '',
      ready: listAt(pod, 'status', 'conditions').some(
        ({ type, status }) => type === 'Ready' && status === 'True',
      ),
    }));
}

export function deployment({ cluster }: Rig, namespace: string, name: string): ApiObject {
  const found = cluster.find('apps/v1', 'Deployment', namespace, name);
  if (found === undefined) throw new Error(`no Deployment ${namespace}/${name}`);
  return found;
}

/** Presses a button of the message and waits until the modal contains this text and can be submitted. */
export function opened(
  rig: Rig,
  person: string,
  message: Message,
  button: string,
  shows: string,
): Promise<View> {
  return untilModal(rig, person, message, button, { shows, submits: true });
}

/** Presses a button of the message and waits until the modal contains this text and has no submit button. */
export function refused(
  rig: Rig,
  person: string,
  message: Message,
  button: string,
  shows: string,
): Promise<View> {
  return untilModal(rig, person, message, button, { shows, submits: false });
}

async function untilModal(
  { slack }: Rig,
  person: string,
  message: Message,
  button: string,
  { shows, submits }: { readonly shows: string; readonly submits: boolean },
): Promise<View> {
  await slack.as(person).clicks(slack.message(message) ?? message, button);
  return slack.until(
    () => {
      const view = slack.as(person).modal();
      const isShown = view !== undefined && JSON.stringify(view).includes(shows);
      return isShown && (view.submit !== undefined) === submits ? view : undefined;
    },
    { what: `a review with "${shows}"` },
  );
}

/** Waits for a message in the thread that contains this plain text. */
export async function untilThread({ slack }: Rig, message: Message, words: string): Promise<Message> {
  return slack.until(
    () => slack.thread(message).find(({ text, blocks }) => `${text}\n${aloud(blocks)}`.includes(words)),
    { what: `"${words}" in the thread` },
  );
}

/** Makes the only delayed reminder due, as after a day. @returns when it was due, in milliseconds since 1970 */
export async function letReminderCome({ redis, prefix }: Rig): Promise<number> {
  const connection: Redis = connectProducer({ url: redis.url, prefix: 'unused' }, () => undefined);
  const queue = new Queue('verification', { connection, prefix: `${prefix}-jobs` });
  try {
    const delayed = await queue.getDelayed();
    const reminder = delayed.find(({ data }) => (data as { readonly remind?: boolean }).remind === true);
    if (reminder === undefined) throw new Error('no reminder is waiting');
    const { timestamp, opts } = reminder;
    await reminder.promote();
    return timestamp + (opts.delay ?? 0);
  } finally {
    await queue.close();
    connection.disconnect();
  }
}
