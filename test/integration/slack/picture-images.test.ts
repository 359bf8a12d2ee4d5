import { WebClient } from '@slack/web-api';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Picture } from '#src/doctor/findings/picture.js';
import { createPaintDrawing } from '#src/edges/image/paint-drawing.js';
import { webClientOptions } from '#src/edges/slack/clients.js';
import { createPictureImages } from '#src/edges/slack/picture-images.js';
import { createSlackIncidentThread } from '#src/edges/slack/slack-incident-thread.js';
import type { IncidentThread, Shown } from '#src/service/deliver/incident-thread.js';
import { createLocalSlack, type LocalSlack } from '../../../demo/slack/create-local-slack.js';
import { buildDiagnosis } from '../../support/diagnosis.js';
import { openSights } from '../../support/sights.js';
import { buildIncident, tell } from '../../support/slack-builders.js';
import { manifest, manifestWithout } from '../../support/slack-rig.js';

const longName = `inference-${'x'.repeat(60)}-5zvcm`;
const ring: Picture = {
  v: 1,
  kind: 'wait-cycle',
  workload: 'ml/inference',
  confidence: 'proven',
  steps: [
    { who: { role: 'new-pod', names: [longName], more: 0 }, waits: { for: 'lock' } },
    { who: { role: 'old-pod', names: ['inference-old'], more: 0 }, waits: { for: 'readiness' } },
  ],
};
const strip: Picture = {
  v: 1,
  kind: 'node-strip',
  workload: 'ml/inference',
  nodes: { all: 1, troubled: 0 },
  groups: [{ rows: [{ node: 'gpu-a', pods: { ready: 1 } }], folded: { nodes: 0, pods: {} } }],
};
const contentOf = (picture: Picture) => {
  const diagnosis = buildDiagnosis({ picture });
  const incident = buildIncident({ channel: 'C0MLONCALL', phase: 'diagnosed', diagnosis });
  return { kind: 'picture', incident } as const;
};

let slack: LocalSlack;
afterEach(() => slack.close());

function threadOf(paint = createPaintDrawing()): IncidentThread {
  const log = pino({ level: 'silent' });
  const client = new WebClient(slack.botToken, webClientOptions(slack.apiUrl, 2_000, log));
  const clock = { now: () => new Date() };
  const images = createPictureImages({
    client,
    slackApiUrl: slack.apiUrl,
    paint,
    clock,
    log,
    processingMs: 1,
  });
  return createSlackIncidentThread({
    sights: openSights(),
    client,
    tell,
    languageOf: async () => 'en',
    images,
  });
}

const post = async (thread: IncidentThread, picture: Picture = ring): Promise<Shown & { type: 'shown' }> => {
  const alert = slack.asBot('alertmanager').posts({ channel: 'ml-oncall', text: 'stuck' });
  const place = { channel: 'C0MLONCALL', threadTs: alert.ts };
  const shown = await thread.post(contentOf(picture), place, 'incident.picture');
  if (shown.type !== 'shown') throw new Error(`not shown: ${shown.type}`);
  return shown;
};
const blockTypes = (shown: { readonly channel: string; readonly ts: string }) =>
  slack.message(shown)?.blocks.map(({ type }) => type) ?? [];

describe('with the scope for files, a picture', () => {
  beforeEach(async () => {
    slack = await createLocalSlack({ manifest, page: false });
  });

  it('is an image in one message, whose alternative text has whole names', async () => {
    const shown = await post(threadOf());

    expect(blockTypes(shown)).toContain('image');
    const image = slack.message(shown)?.blocks.find(({ type }) => type === 'image');
    expect(image?.alt_text).toContain(longName);
    const [file, ...others] = slack.files();
    expect(others).toEqual([]);
    expect(shown.image?.id).toBe(file?.id);
    expect(
      slack
        .fileContent(file?.id ?? '')
        ?.subarray(1, 4)
        .toString(),
    ).toBe('PNG');
    expect(slack.messages('ml-oncall', { replies: true })).toHaveLength(2);
    expect(slack.message(shown)?.text).toContain('kept until');
  });

  it('is uploaded again only when it changes, and then its former file is deleted', async () => {
    const thread = threadOf();
    const shown = await post(thread);
    const same = await thread.edit(contentOf(ring), shown, shown.image);
    expect(slack.calls('files.getUploadURLExternal')).toHaveLength(1);
    expect(same).toMatchObject({ image: shown.image });

    const other = await thread.edit(contentOf(strip), shown, shown.image);
    const ids = slack.files().map(({ id }) => id);
    expect(ids).toHaveLength(1);
    expect(other).toMatchObject({ type: 'shown', image: { id: ids[0] } });
    expect(ids).not.toContain(shown.image?.id);
  });

  it('waits while Slack still processes the file', async () => {
    const processing = slack.faults.fail({ method: 'chat.postMessage', error: 'invalid_blocks', times: 2 });
    const shown = await post(threadOf());
    expect(processing.met()).toBe(2);
    expect(blockTypes(shown)).toContain('image');
  });

  it('is text when Slack keeps refusing the file, which is deleted', async () => {
    slack.faults.fail({ method: 'chat.postMessage', error: 'invalid_blocks', times: 4 });
    const shown = await post(threadOf());
    expect(blockTypes(shown)).not.toContain('image');
    expect(slack.files()).toEqual([]);
    expect(shown.image).toBeUndefined();
  });

  it.each(['files.getUploadURLExternal', 'files.completeUploadExternal'])(
    'is text when %s fails',
    async (method) => {
      slack.faults.serverError({ method });
      expect(blockTypes(await post(threadOf()))).not.toContain('image');
    },
  );

  it('is text when it cannot be drawn', async () => {
    const shown = await post(threadOf(async () => Promise.reject(new Error('no such font'))));
    expect(blockTypes(shown)).not.toContain('image');
  });

  it('leaves no file where Slack asks to wait with the message', async () => {
    slack.faults.rateLimit({ method: 'chat.postMessage', retryAfterSeconds: 1, times: 1 });
    await expect(post(threadOf())).rejects.toThrow('throttled');
    expect(slack.files()).toEqual([]);
  });
});

describe('without the scope for files, a picture', () => {
  it('is text, and no upload is tried', async () => {
    slack = await createLocalSlack({ manifest: manifestWithout('files:write'), page: false });
    const shown = await post(threadOf());
    expect(blockTypes(shown)).not.toContain('image');
    expect(slack.calls('files.getUploadURLExternal')).toEqual([]);
  });
});
