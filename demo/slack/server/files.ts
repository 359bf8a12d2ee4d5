import type { ServerResponse } from 'node:http';
import type { Desk } from '../desk.js';
import { answerText } from './answers.js';

/** Serves an uploaded file: pictures as pictures, all else as plain text, none of it able to run anything. */
export function serveFile(desk: Desk, id: string, response: ServerResponse): void {
  const stored = desk.workspace.files.get(id);
  if (stored === undefined) {
    answerText(response, 404, 'No such file.');
    return;
  }
  const { mimetype } = stored.file;
  const contentType = mimetype.startsWith('image/') ? mimetype : 'text/plain; charset=utf-8';
  answerText(response, 200, stored.content, contentType, {
    'content-security-policy': "default-src 'none'; sandbox",
  });
}
