import { describe, expect, it } from 'vitest';
import {
  type DeliveryRecord,
  type DeliveryStep,
  nextDeliveryStep,
  withAttempt,
  withMessage,
  withRefusal,
} from '#src/doctor/incidents/delivery.js';

const since = '2026-11-21T03:00:00.000Z';
const later = '2026-11-21T03:05:00.000Z';
const message = { channel: 'C1', ts: '1.1' };
const post: DeliveryStep = { type: 'post' };
const find: DeliveryStep = { type: 'find', since };
const edit: DeliveryStep = { type: 'edit', message };
const done: DeliveryStep = { type: 'done' };
const refused: DeliveryStep = { type: 'refused', error: 'not_in_channel' };
const refusal = { refused: 'not_in_channel' };

describe('the next step of a delivery', () => {
  it.each<[string, DeliveryRecord, number, DeliveryStep]>([
    ['is a post before the first attempt', {}, 3, post],
    ['is a search after an attempt without a response', { tryingSince: since }, 3, find],
    ['is an edit if the message shows an older version', { message, version: 2 }, 3, edit],
    ['is an edit if the content of a found message is unknown', { tryingSince: since, message }, 3, edit],
    ['is none if the message shows the version', { tryingSince: since, message, version: 3 }, 3, done],
    ['is none if the message shows a newer version', { message, version: 4 }, 3, done],
    ['is none for a posted message that is never edited', { message }, 0, done],
    ['is none but the refusal of this version', { ...refusal, refusedVersion: 3 }, 3, refused],
    ['is none but the refusal of a newer version', { ...refusal, refusedVersion: 4 }, 3, refused],
    ['is none but the refusal of a message that is never edited', refusal, 0, refused],
    [
      'is a post after an older version was refused before any attempt',
      { ...refusal, refusedVersion: 2 },
      3,
      post,
    ],
    [
      'is a search after an older post was refused',
      { tryingSince: since, ...refusal, refusedVersion: 2 },
      3,
      find,
    ],
    [
      'is an edit after an older edit was refused',
      { message, version: 1, ...refusal, refusedVersion: 2 },
      3,
      edit,
    ],
    ['is a post after a refusal of an unknown version', refusal, 1, post],
  ])('%s', (_, record, version, expected) => {
    expect(nextDeliveryStep(record, version)).toEqual(expected);
  });

  it('is a post after a search did not find the message', () => {
    expect(nextDeliveryStep({ tryingSince: since }, 3, true)).toEqual(post);
  });
});

describe('the record of a delivery', () => {
  it('keeps the time of the first attempt, and drops an older refusal at the next one', () => {
    const first = withAttempt({}, since);
    expect(first).toEqual({ tryingSince: since });
    expect(withAttempt(withRefusal(first, 'not_in_channel', 2), later)).toEqual({ tryingSince: since });
  });

  it('has no further step after each outcome', () => {
    const attempt = withAttempt({}, since);

    expect(nextDeliveryStep(withMessage(attempt, message, 3), 3)).toEqual(done);
    expect(nextDeliveryStep(withRefusal(attempt, 'not_in_channel', 3), 3)).toEqual(refused);
    expect(nextDeliveryStep(withMessage(attempt, message, 0), 0)).toEqual(done);
  });

  it('has an edit as its next step after the message was found, and drops an older refusal', () => {
    const found = withMessage(withRefusal({ tryingSince: since }, 'not_in_channel', 2), message, 0);

    expect(nextDeliveryStep(found, 3)).toEqual(edit);
    expect(found).not.toHaveProperty('refused');
  });
});
