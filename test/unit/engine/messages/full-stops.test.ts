import { expect, it } from 'vitest';
import { parseSchedulerMessage } from '#src/engine/messages/parse-scheduler-message.js';
import { fullStop } from '#src/engine/messages/scanning.js';

it('the parser does not end the list of reasons at full stops within a taint value', () => {
  const { reasons } = parseSchedulerMessage(
    "0/1 nodes are available: 1 node(s) had taint {a.b/c: x_q..9}, that the pod didn't tolerate.",
  );

  expect(reasons).toMatchObject([{ reason: 'taint', count: 1, detail: 'a.b/c: x_q..9' }]);
});

it.each<[string, number]>([
  ['', 0],
  ['a b', 3],
  ['a.', 1],
  ['a. b', 1],
  ['a., b', 1],
  ['a.. b', 1],
  ['a.\nb', 1],
  ['a.b', 3],
  ['a.b. c', 3],
  ['a..b, c. d', 7],
])('a list of reasons ends at a full stop that ends a word: %j at %d', (text, end) => {
  expect(fullStop(text)).toBe(end);
});

it('a list of reasons ends behind the place from which it is read', () => {
  expect(fullStop('a. b. c', 2)).toBe(4);
});
