import { describe, expect, it } from 'vitest';
import { parseSchedulerMessage } from '#src/engine/messages/parse-scheduler-message.js';
import { SchedulerMessage } from '#src/engine/messages/scheduler-message.js';
import { reviewed } from './sentences/expected.js';
import { foundIn } from './sentences/found-in.js';

describe.each(reviewed)('the messages of %s', (_, sentences) => {
  it.each(sentences)('$says', (expected) => {
    expect(foundIn(expected.says)).toEqual(expected);
  });

  it.each(sentences)('keeps every word of: $says', ({ says }) => {
    const { reasons, preemption } = parseSchedulerMessage(says);
    for (const { text } of [...reasons, ...preemption.reasons]) expect(says).toContain(text);
    expect(says).toContain(preemption.text);
    for (const { text } of preemption.reasons) expect(preemption.text).toContain(text);
  });

  it.each(sentences)('has the published shape: $says', ({ says }) => {
    const message = parseSchedulerMessage(says);
    expect(SchedulerMessage.parse(JSON.parse(JSON.stringify(message)))).toEqual(message);
  });
});

describe('parseSchedulerMessage', () => {
  it('returns the words of each reason without count and full stop, and the resources it names', () => {
    expect(
      parseSchedulerMessage(
        "0/4 nodes are available: 1 Insufficient nvidia.com/gpu, 3 node(s) had taint {dedicated: gpu}, that the pod didn't tolerate.",
      ),
    ).toEqual({
      nodes: 4,
      feasible: 0,
      reasons: [
        {
          reason: 'extended-resource',
          count: 1,
          text: 'Insufficient nvidia.com/gpu',
          detail: 'nvidia.com/gpu',
        },
        {
          reason: 'taint',
          count: 3,
          text: "node(s) had taint {dedicated: gpu}, that the pod didn't tolerate",
          detail: 'dedicated: gpu',
        },
      ],
      preemption: { reasons: [], text: '' },
    });
  });

  it('keeps text between the reasons and the preemption part in the latter', () => {
    const { preemption } = parseSchedulerMessage(
      '0/1 nodes are available: 1 Insufficient cpu. no new claims to deallocate, preemption: 0/1 nodes are available: 1 Preemption is not helpful for scheduling.',
    );
    expect(preemption.text).toBe(
      'no new claims to deallocate, preemption: 0/1 nodes are available: 1 Preemption is not helpful for scheduling.',
    );
    expect(preemption.reasons).toEqual([
      { reason: 'not-helpful', count: 1, text: 'Preemption is not helpful for scheduling' },
    ]);
  });

  it('keeps any other text as one unknown reason, with its line breaks', () => {
    expect(parseSchedulerMessage(' who\n knows ')).toEqual({
      reasons: [{ reason: 'unknown', text: 'who\n knows' }],
      preemption: { reasons: [], text: '' },
    });
  });

  it.each(['', '   ', '\n'])('finds no reason in an empty text (%j)', (text) => {
    expect(parseSchedulerMessage(text)).toEqual({ reasons: [], preemption: { reasons: [], text: '' } });
  });

  it('parses a message that a terminal or YAML has broken into lines', () => {
    expect(
      foundIn(
        '0/2 nodes are available: 1 Insufficient\n  cpu,\n  1 node(s) had untolerated taint {node.kubernetes.io/disk-pressure:\n  }.\n  preemption: 0/2 nodes\n  are available: 1 No preemption victims found for\n  incoming pod, 1 Preemption is not helpful for scheduling.',
      ),
    ).toMatchObject({
      nodes: '0/2',
      reasons: ['1 cpu cpu', '1 taint node.kubernetes.io/disk-pressure'],
      preemption: ['1 no-victims', '1 not-helpful'],
    });
  });

  it.each([
    ['{key: }', 'key'],
    ['{example.com/key: }', 'example.com/key'],
    ['{example.com/key: a.b_c-d}', 'example.com/key: a.b_c-d'],
    ['{key: 3}', 'key: 3'],
    ['{key: true}', 'key: true'],
  ])('names the taint %s as %s, in the words of each version', (braces, detail) => {
    for (const text of [
      `node(s) had taint ${braces}, that the pod didn't tolerate`,
      `node(s) had untolerated taint ${braces}`,
    ]) {
      const { reasons } = parseSchedulerMessage(`0/3 nodes are available: 1 ${text}, 2 Insufficient cpu.`);
      expect(reasons).toEqual([
        { reason: 'taint', count: 1, text, detail },
        { reason: 'cpu', count: 2, text: 'Insufficient cpu', detail: 'cpu' },
      ]);
    }
  });

  it('parses the first of several messages, and keeps the rest', () => {
    const { nodes, reasons, preemption } = parseSchedulerMessage(
      '0/3 nodes are available: 3 Insufficient cpu. 0/4 nodes are available: 4 Insufficient memory.',
    );
    expect({ nodes, reasons: reasons.length }).toEqual({ nodes: 3, reasons: 1 });
    expect(preemption.text).toBe('0/4 nodes are available: 4 Insufficient memory.');
  });

  it('parses counts up to the largest number, and keeps longer ones as text', () => {
    const digits = '9'.repeat(400);
    expect(parseSchedulerMessage(`0/3 nodes are available: ${digits} Insufficient cpu.`).reasons).toEqual([
      { reason: 'unknown', text: `${digits} Insufficient cpu` },
    ]);
    expect(parseSchedulerMessage(`0/${digits} nodes are available: 1 Too many pods.`).reasons).toEqual([
      { reason: 'pods', count: 1, text: 'Too many pods' },
    ]);
  });
});

describe('a scheduler message cut off at 1024 bytes', () => {
  const cut = (text: string): readonly string[] => foundIn(`0/9 nodes are available: ${text} ...`).reasons;

  it.each([
    ["3 node(s) didn't match Pod's node aff", ['3 node-affinity']],
    ['3 node(s) had untolerated tai', ['3 taint']],
    ['3 node(s) had untolerated taint {node.kubernetes.io/unre', ['3 taint']],
    ["3 node(s) had taint {a: b}, that the pod didn't tol", ['3 taint']],
    ['3 Insufficient nvidia.com/g', ['3 extended-resource']],
    ['3 Insufficient cpu', ['3 cpu cpu']],
    ['3 Insufficient c', ['3 unknown']],
    ['3 node(s) did', ['3 unknown']],
    ["3 node(s) didn't match pod ", ['3 unknown']],
    ['2 Too many pods, 3', ['2 pods', 'unknown']],
    ['2 Too many pods', ['2 pods']],
  ])('%s: is completed only where one ending is possible', (text, reasons) => {
    expect(cut(text)).toEqual(reasons);
  });

  it('gives no name that may be incomplete', () => {
    expect(
      parseSchedulerMessage('0/9 nodes are available: 1 Insufficient nvidia.com/gp ...').reasons,
    ).toEqual([{ reason: 'extended-resource', count: 1, text: 'Insufficient nvidia.com/gp' }]);
  });

  it('has a complete preemption part', () => {
    const { preemption } = parseSchedulerMessage(
      '0/9 nodes are available: 9 Insufficient cpu. preemption: 0/9 nodes are available: 1 No preemption vic ...',
    );
    expect(preemption).toEqual({
      reasons: [{ reason: 'no-victims', count: 1, text: 'No preemption vic' }],
      text: 'preemption: 0/9 nodes are available: 1 No preemption vic ...',
    });
  });

  it.each(['no new cl', 'preempt', 'no new claims to deallocate, preemp'])(
    'has %j as the beginning of the preemption part, not as a reason',
    (start) => {
      const { reasons, preemption } = parseSchedulerMessage(
        `0/9 nodes are available: 9 Insufficient cpu. ${start} ...`,
      );
      expect(reasons).toHaveLength(1);
      expect(preemption).toEqual({ reasons: [], text: `${start} ...` });
    },
  );
});
