import { expect, it } from 'vitest';
import { parseSchedulerMessage } from '#src/core/placement/message/parse-scheduler-message.js';

it('the parser does not end the list of reasons at full stops within a taint value', () => {
  const { reasons } = parseSchedulerMessage(
    "0/1 nodes are available: 1 node(s) had taint {a.b/c: x_q..9}, that the pod didn't tolerate.",
  );

  expect(reasons).toMatchObject([{ reason: 'taint', count: 1, detail: 'a.b/c: x_q..9' }]);
});
