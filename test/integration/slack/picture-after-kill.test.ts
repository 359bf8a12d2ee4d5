import { randomUUID } from 'node:crypto';
import { WebClient } from '@slack/web-api';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Picture } from '#src/doctor/findings/picture.js';
import { createPaintDrawing } from '#src/edges/image/paint-drawing.js';
import { createRedisDeliveryStore } from '#src/edges/redis/redis-delivery-store.js';
import { webClientOptions } from '#src/edges/slack/clients.js';
import { createPictureImages } from '#src/edges/slack/picture-images.js';
import { createSlackIncidentThread } from '#src/edges/slack/slack-incident-thread.js';
import { deliverPicture } from '#src/service/deliver/deliver-beside.js';
import { pictureKey } from '#src/service/deliver/delivery-jobs.js';
import { createLocalSlack, type LocalSlack } from '../../../demo/slack/create-local-slack.js';
import { buildDiagnosis } from '../../support/diagnosis.js';
import { withRedis } from '../../support/open-redis.js';
import { openSights } from '../../support/sights.js';
import { buildIncident, tell } from '../../support/slack-builders.js';
import { manifest } from '../../support/slack-rig.js';

const picture: Picture = {
  v: 1,
  kind: 'wait-cycle',
  workload: 'ml/inference',
  confidence: 'proven',
  steps: [
    { who: { role: 'new-pod', names: ['inference-new'], more: 0 }, waits: { for: 'lock' } },
    { who: { role: 'old-pod', names: ['inference-old'], more: 0 }, waits: { for: 'readiness' } },
  ],
};
const incident = buildIncident({
  channel: 'C0MLONCALL',
  phase: 'diagnosed',
  diagnosis: buildDiagnosis({ picture }),
});
const clock = { now: () => new Date() };

let slack: LocalSlack;

const db = withRedis();
beforeEach(async () => {
  slack = await createLocalSlack({ manifest, page: false });
});
afterEach(() => slack.close());

/**
 * A worker that dies where its test says; the lock of a dead worker expires, which closing the delivery
 * stands for.
 */
function worker(prefix: string, diesAfterUpload: boolean) {
  const log = pino({ level: 'silent' });
  const client = new WebClient(slack.botToken, webClientOptions(slack.apiUrl, 2_000, log));
  const options = { client, slackApiUrl: slack.apiUrl, paint: createPaintDrawing(), clock, log };
  const images = createPictureImages({ ...options, processingMs: 1 });
  const thread = createSlackIncidentThread({
    ...{ sights: openSights(), client, tell, languageOf: async () => 'en' as const },
    images: {
      ...images,
      async imageOf(...given) {
        const image = await images.imageOf(...given);
        if (diesAfterUpload) throw new Error('killed');
        return image;
      },
    },
  });
  const everyMs = { postEveryMs: 1, editEveryMs: 1, reactEveryMs: 1 };
  const deliveries = createRedisDeliveryStore({ redis: db.redis, prefix, ttlMs: 3_600_000, ...everyMs });
  const turn = { urgency: 'person', fairnessKey: '' } as const;
  return {
    deliveries,
    deliver: (place: { readonly channel: string; readonly ts: string }) =>
      deliverPicture({ clock, deliveries, thread }, incident, turn, place),
  };
}

const alert = () => slack.asBot('alertmanager').posts({ channel: 'ml-oncall', text: 'stuck' });
const shown = () =>
  slack.messages('ml-oncall', { replies: true }).filter(({ botId }) => botId === slack.botId);

it('a picture whose worker died between the upload and the message is posted once by the next worker', async () => {
  const prefix = randomUUID();
  const place = { channel: 'C0MLONCALL', ts: alert().ts };
  await expect(worker(prefix, true).deliver(place)).rejects.toThrow('killed');
  expect(slack.files()).toHaveLength(1);
  expect(shown()).toEqual([]);

  const next = worker(prefix, false);
  expect(await next.deliver(place)).toEqual({ type: 'delivered', fresh: true });
  expect(await next.deliver(place)).toEqual({ type: 'delivered', fresh: false });
  const [message, ...others] = shown();
  expect(others).toEqual([]);
  expect(message?.blocks.map(({ type }) => type)).toContain('image');
  const { image } = (await next.deliveries.get(pictureKey(incident.id))) ?? {};
  expect(JSON.stringify(message?.blocks)).toContain(image?.id);
});

it('a picture whose message was posted before the worker died is found again, and shows an image', async () => {
  const prefix = randomUUID();
  const place = { channel: 'C0MLONCALL', ts: alert().ts };
  slack.faults.breakAfterSuccess({ method: 'chat.postMessage', times: 1 });
  await expect(worker(prefix, false).deliver(place)).rejects.toThrow('no usable answer');
  expect(shown()).toHaveLength(1);

  const next = worker(prefix, false);
  await next.deliver(place);
  const [message, ...others] = shown();
  expect(others).toEqual([]);
  const { image } = (await next.deliveries.get(pictureKey(incident.id))) ?? {};
  expect(image).toBeDefined();
  expect(JSON.stringify(message?.blocks)).toContain(image?.id);
});
