import type { ShownImage } from '../../core/incident/delivery.js';
import type { Incident } from '../../core/incident/incident.js';
import type { Shown } from '../../usecases/deliver/incident-thread.js';
import type { PictureImages } from './picture-images.js';
import type { Message } from './render/message.js';
import { renderPicture } from './render/picture.js';

/**
 * Slack refuses a file that it is still processing (slackapi/python-slack-sdk#1521), usually for a second.
 */
const maxRefusals = 4;

/**
 * Sends the incident's picture as an image where the bot may upload files, and as text everywhere else.
 *
 * @param former the file that the message shows now
 * @param send posts the message, or edits it
 */
export async function showPicture(
  images: PictureImages | undefined,
  incident: Incident,
  former: ShownImage | undefined,
  send: (message: Message) => Promise<Shown>,
): Promise<Shown> {
  const image = await images?.imageOf(incident, former);
  if (images !== undefined && image !== undefined) {
    const shown = await sendImage(images, renderPicture(incident, image.id), send);
    if (shown.type === 'shown') {
      if (former !== undefined && former.id !== image.id) await images.remove(former.id);
      return { ...shown, image };
    }
    if (shown.type !== 'refused' && shown.type !== 'throttled') return shown;
    if (former?.id !== image.id) await images.remove(image.id);
    if (shown.type === 'throttled' || !isAboutFile(shown.error)) return shown;
  }
  const shown = await send(renderPicture(incident));
  if (shown.type === 'shown' && former !== undefined) await images?.remove(former.id);
  return shown;
}

async function sendImage(
  images: PictureImages,
  message: Message,
  send: (message: Message) => Promise<Shown>,
): Promise<Shown> {
  for (let refusals = 1; ; refusals += 1) {
    const shown = await send(message);
    if (shown.type !== 'refused' || !isAboutFile(shown.error) || refusals === maxRefusals) return shown;
    await images.waitForProcessing();
  }
}

/** Slack answers `invalid_blocks` for a file that is not ready, and for one that is gone. */
function isAboutFile(error: string): boolean {
  return error === 'invalid_blocks';
}

export function showsFile({ blocks }: Message): boolean {
  return blocks.some((block) => block.type === 'image' && 'slack_file' in block);
}
