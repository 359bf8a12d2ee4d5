import { describe, expect, it } from 'vitest';
import { finished } from '#src/doctor/redaction/span.js';
import { isBoundedJson } from '#src/edges/http/bounded-json.js';
import { parsingWebhook } from '#src/edges/webhooks/parse-webhook.js';
import { alertmanagerBody } from '../../support/alert-payloads.js';

const isBounded = (text: string): boolean => isBoundedJson(Buffer.from(text));

describe('a text of JSON', () => {
  it.each([
    ['of a few values', '{"a":[1,2,{"b":null}]}'],
    ['with brackets in its texts', JSON.stringify({ a: '['.repeat(500), b: '\\"{{{'.repeat(500) })],
    ['of one long text', JSON.stringify('x,'.repeat(900_000))],
    ['of two hundred thousand levels', `${'['.repeat(200_000)}${']'.repeat(200_000)}`],
    ['of many objects beside each other', `[${'{"a":[1]},'.repeat(50_000)}{}]`],
    ['of one name again and again', `[${'{"name":"a"},'.repeat(100_000)}{}]`],
    ['of two hundred thousand numbers', `[${'1,'.repeat(200_000)}1]`],
    ['that is none from its first character on', 'x,[{'.repeat(400_000)],
    ['of thirty thousand names', `{${Array.from({ length: 30_000 }, (_, at) => `"k${at}":1`).join()}}`],
  ])('%s is read', (_, text) => {
    expect(isBounded(text)).toBe(true);
  });

  it.each([
    ['of too many levels', `${'['.repeat(300_000)}${']'.repeat(300_000)}`],
    ['of levels that never end', '{"a":'.repeat(300_000)],
    ['of too many empty objects', `[${'{},'.repeat(300_000)}{}]`],
    ['of too many numbers', `[${'1,'.repeat(300_000)}1]`],
    ['of too many empty objects after a space', ` [${'{},'.repeat(300_000)}{}]`],
    ['of too many different names', `{${Array.from({ length: 60_000 }, (_, at) => `"k${at}":1`).join()}}`],
    ['of too many different texts', `[${Array.from({ length: 60_000 }, (_, at) => `"${at}"`).join()}]`],
    ['of too many lists after a text with an escaped quote', `["\\"",${'[],'.repeat(300_000)}1]`],
  ])('%s is not read', (_, text) => {
    expect(isBounded(text)).toBe(false);
  });

  it('has a limit of fields of large objects, whatever their names are', () => {
    const ofMaps = (maps: number, fields: number): string =>
      `[${Array.from({ length: maps }, () => `{${Array.from({ length: fields }, (_, at) => `"k${at}":{"b":"c:d"}`).join()}}`).join()}]`;
    expect(isBounded(ofMaps(8, 10_000))).toBe(true);
    expect(isBounded(ofMaps(9, 10_000))).toBe(false);
    expect(isBounded(ofMaps(200, 250))).toBe(true);
    const wideFields = 20_000;
    expect(isBoundedJson(Buffer.from(ofMaps(2, 10_000)), { wideFields })).toBe(true);
    expect(isBoundedJson(Buffer.from(ofMaps(3, 8_000)), { wideFields })).toBe(false);
  });

  it('of a webhook is refused like one that is no JSON', () => {
    const alerts = JSON.stringify({ ...(alertmanagerBody({}) as object), alerts: 0 });
    const deep = Buffer.from(
      alerts.replace('"alerts":0', `"alerts":${'['.repeat(300_000)}${']'.repeat(300_000)}`),
    );
    expect(finished(parsingWebhook({ source: 'alertmanager' }, deep))).toMatchObject({
      status: 400,
      reason: 'json',
    });
  });
});
