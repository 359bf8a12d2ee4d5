import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { WebClient } from '@slack/web-api';
import type { Logger } from 'pino';
import type { ShownImage } from '../../doctor/incidents/delivery.js';
import type { Incident } from '../../doctor/incidents/incident.js';
import { draw } from '../../doctor/pictures/drawing/draw.js';
import type { Drawing } from '../../doctor/pictures/drawing/drawing.js';
import type { Clock } from '../../service/records/process-ports.js';
import { callSlack } from './call-slack.js';

import { pictureInWords } from './render/picture.js';

/**
 * Images of pictures as files in Slack. A file is in no channel: only the message that shows it makes it
 * visible.
 */
export interface PictureImages {
  /**
   * The file of the incident's picture, uploaded unless `former` is of the same drawing.
   *
   * @returns `undefined` without a picture, without the scope, or where drawing or upload fails: text is
   *   shown then
   */
  imageOf(incident: Incident, former: ShownImage | undefined): Promise<ShownImage | undefined>;
  /** Deletes a file that no message shows any more, as far as Slack does it. */
  remove(id: string): Promise<void>;
  waitForProcessing(): Promise<void>;
}

interface PictureImagesOptions {
  readonly client: WebClient;
  /** Base of the Web API, ends with `/api/`. Files are sent to its host or a host below it. */
  readonly slackApiUrl: string;
  readonly paint: (drawing: Drawing) => Promise<Uint8Array>;
  readonly clock: Clock;
  readonly log: Logger;
  readonly processingMs?: number;
}

/** Of an upload with its three calls: a message holds its lock for 30 seconds at most. */
const uploadMs = 8_000;
/** People may install the app again with other scopes. */
const scopesMs = 600_000;

export function createPictureImages(options: PictureImagesOptions): PictureImages {
  const { client, clock, log, processingMs = 1_000 } = options;
  let known: { readonly mayUpload: boolean; readonly until: number } | undefined;

  async function mayUpload(): Promise<boolean> {
    const now = clock.now().getTime();
    if (known !== undefined && now < known.until) return known.mayUpload;
    const answer = await callSlack(() => client.auth.test());
    if (answer.type !== 'answered') return false;
    const scopes = answer.result.response_metadata?.scopes ?? [];
    known = { mayUpload: scopes.includes('files:write'), until: now + scopesMs };
    return known.mayUpload;
  }

  return {
    async imageOf(incident, former) {
      const picture = incident.diagnosis?.picture;
      if (picture === undefined || !(await mayUpload())) return undefined;
      try {
        const drawing = draw(picture, incident.language);
        const digest = createHash('sha256').update(JSON.stringify(drawing)).digest('base64url');
        if (former?.digest === digest) return former;
        const png = await options.paint(drawing);
        const id = await upload(options, png, pictureInWords(picture, incident.language));
        return { id, digest };
      } catch (error) {
        log.warn({ error }, 'a picture is shown as text: its image could not be made');
        return undefined;
      }
    },
    async remove(id) {
      await callSlack(() => client.files.delete({ file: id }));
    },
    waitForProcessing: () => delay(processingMs),
  };
}

/** Uploads a file that is in no channel, in the three steps that Slack asks for. */
async function upload(
  { client, slackApiUrl }: PictureImagesOptions,
  png: Uint8Array,
  alt: string,
): Promise<string> {
  const signal = AbortSignal.timeout(uploadMs);
  const late = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });
  const steps = async (): Promise<string> => {
    const asked = await client.files.getUploadURLExternal({
      filename: 'picture.png',
      length: png.length,
      alt_text: alt,
    });
    const { upload_url: url = '', file_id: id = '' } = asked;
    if (!isSlacks(url, slackApiUrl)) throw new Error('Slack named an address outside of Slack for a file');
    const sent = await fetch(url, { method: 'POST', body: new Uint8Array(png), signal, redirect: 'error' });
    if (!sent.ok) throw new Error(`Slack answered ${sent.status} to a file`);
    await client.files.completeUploadExternal({ files: [{ id, title: 'picture.png' }] });
    return id;
  };
  return Promise.race([steps(), late]);
}

function isSlacks(url: string, slackApiUrl: string): boolean {
  if (!URL.canParse(url)) return false;
  const [target, api] = [new URL(url), new URL(slackApiUrl)];
  if (target.origin === api.origin) return true;
  return target.protocol === 'https:' && target.hostname.endsWith(`.${api.hostname}`);
}
