import { describe, expect, it } from 'vitest';
import { maxCommandText } from '#src/doctor/commands/clean-text.js';
import { parseCommand } from '#src/doctor/commands/parse-command.js';
import { finished } from '#src/doctor/redaction/span.js';
import { statusOf } from '#src/edges/kubernetes/api-call.js';
import { AlertMessage, alertsOfMessage, maxMessageText } from '#src/edges/slack/alerts-of-message.js';
import { parsingWebhook } from '#src/edges/webhooks/parse-webhook.js';
import { maxSenderText } from '#src/edges/webhooks/sources/parsed-alerts.js';
import {
  boundText,
  hasInOrder,
  textAfter,
  textBetween,
  trimCharacters,
} from '#src/engine/language/text-scanning.js';
import { explainSchedulerText } from '#src/engine/messages/explain-scheduler-message.js';
import { maxSentence } from '#src/engine/messages/parse-scheduler-message.js';
import { Event } from '#src/engine/objects/event.js';
import { Condition } from '#src/engine/objects/metadata.js';
import { ContainerState } from '#src/engine/objects/pod.js';
import { maxMessage } from '#src/engine/objects/wire.js';

const long = 'x'.repeat(100_000);
const ts = '1763694000.000100';

describe('a text from outside', () => {
  it.each<[string, number, string]>([
    ['abc', 3, 'abc'],
    ['abcd', 3, 'ab…'],
    ['', 3, ''],
    ['a😀b', 3, 'a…'],
    ['ab😀', 3, 'ab…'],
  ])('%j is shortened to %i characters as %j', (text, max, expected) => {
    expect(boundText(text, max)).toBe(expected);
  });

  it('is searched and trimmed without regular expressions', () => {
    expect(textAfter('a: b: c', ': ')).toBe('b: c');
    expect(textAfter('a', ': ')).toBeUndefined();
    expect(textBetween('a [b] [c]', '[', ']')).toBe('b');
    expect(textBetween('a [b', '[', ']')).toBeUndefined();
    expect([hasInOrder('a then b', 'a', 'b'), hasInOrder('b then a', 'a', 'b')]).toEqual([true, false]);
    expect(trimCharacters('"\'a";,', `"'`, `"',;`)).toBe('a');
    expect(trimCharacters('...', '.', '.')).toBe('');
  });
});

describe('text from the cluster', () => {
  const metadata = { name: 'e' };
  it.each<[string, string]>([
    ['the message of an event', Event.parse({ metadata, message: long }).message],
    ['the note of an event', Event.parse({ metadata, note: long }).message],
    ['the message of a condition', Condition.parse({ type: 'Ready', message: long }).message],
    [
      'the message of a waiting container',
      ContainerState.parse({ waiting: { message: long } }).waiting?.message ?? '',
    ],
    [
      'the message of a container that ended',
      ContainerState.parse({ terminated: { message: long } }).terminated?.message ?? '',
    ],
  ])('%s ends with … when it is longer than the limit', (_, text) => {
    expect(text).toHaveLength(maxMessage);
    expect(text.endsWith('x…')).toBe(true);
  });

  it('is shortened in refusals of the API server too', () => {
    expect(statusOf({ message: long }).message.endsWith('x…')).toBe(true);
    expect(statusOf(long).message.endsWith('x…')).toBe(true);
  });
});

describe('text from alert senders and from people', () => {
  it('is read up to a limit from a message in Slack', () => {
    const lines = `${'a b c d\n'.repeat(4)}${long}${long}`;
    const [alert] = alertsOfMessage(AlertMessage.parse({ ts, text: lines }), (text) => text.slice(0, 32));
    expect(alert?.text?.length).toBeLessThan(maxMessageText);
    expect(alert?.text?.endsWith('…')).toBe(true);
  });

  it('is read up to a limit from each text of a webhook', () => {
    const body = {
      alerts: [{ status: 'firing', labels: { alertname: 'A' }, annotations: { summary: long } }],
    };
    const parsed = finished(
      parsingWebhook({ source: 'alertmanager', mapping: undefined }, Buffer.from(JSON.stringify(body))),
    );
    expect(parsed).toMatchObject({ alerts: [{ text: `${'x'.repeat(maxSenderText - 1)}…` }] });
  });

  it('is marked as cut when a command is too long to be explained whole', () => {
    const command = parseCommand(`explain 0/3 nodes are available: 3 Insufficient cpu, ${long}`);
    expect(command.type === 'explain' && command.sentence.endsWith(' ...')).toBe(true);
    expect(command.type === 'explain' && command.sentence.length).toBeLessThanOrEqual(maxCommandText);
  });

  it('is reported as cut off when a scheduler message is too long', () => {
    const { statements } = explainSchedulerText(`0/3 nodes are available: 3 Insufficient cpu, 2 ${long}`);
    expect(long.length).toBeGreaterThan(maxSentence);
    expect(statements.map(({ key }) => key)).toContain('cut-off');
  });
});
