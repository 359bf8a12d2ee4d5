import { describe, expect, it } from 'vitest';
import { rolloutDoctor } from '../../support/run-command-line.js';

const gpus = '0/3 nodes are available: 3 Insufficient nvidia.com/gpu.';
const preempting =
  '0/5 nodes are available: 1 node(s) were unschedulable, 2 Insufficient nvidia.com/gpu, 2 node(s) had untolerated taint {a: b}. preemption: 0/5 nodes are available: 2 No preemption victims found for incoming pod, 3 Preemption is not helpful for scheduling.';

/** Parses every line of the answer as JSON. */
function objects(out: string): readonly unknown[] {
  return out
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown);
}

describe('rollout-doctor explain', () => {
  it('prints one object for one sentence in the documented JSON shape', async () => {
    const { status, out } = await rolloutDoctor(['explain', preempting, '--output', 'json']);
    expect(status).toBe(0);
    expect(JSON.parse(out)).toEqual({
      nodes: 5,
      feasible: 0,
      reasons: [
        { reason: 'cordoned', count: 1, text: 'node(s) were unschedulable' },
        {
          reason: 'extended-resource',
          count: 2,
          text: 'Insufficient nvidia.com/gpu',
          detail: 'nvidia.com/gpu',
        },
        { reason: 'taint', count: 2, text: 'node(s) had untolerated taint {a: b}', detail: 'a: b' },
      ],
      preemption: {
        reasons: [
          { reason: 'no-victims', count: 2, text: 'No preemption victims found for incoming pod' },
          { reason: 'not-helpful', count: 3, text: 'Preemption is not helpful for scheduling' },
        ],
        text: 'preemption: 0/5 nodes are available: 2 No preemption victims found for incoming pod, 3 Preemption is not helpful for scheduling.',
      },
    });
  });

  it('answers every line of standard input with one line, also empty and unknown ones', async () => {
    const input = `${gpus}\r\n\nthe dog ate it\n${gpus.replace('3 Ins', '2\u2028Ins')}`;
    const { status, out } = await rolloutDoctor(['explain', '-o', 'json'], { input });
    expect(status).toBe(0);
    expect(objects(out)).toEqual([
      expect.objectContaining({ nodes: 3, reasons: [expect.objectContaining({ count: 3 })] }),
      { reasons: [], preemption: { reasons: [], text: '' } },
      { reasons: [{ reason: 'unknown', text: 'the dog ate it' }], preemption: { reasons: [], text: '' } },
      expect.objectContaining({ nodes: 3 }),
    ]);
  });

  it('answers twenty thousand sentences in one run', async () => {
    const input = Array.from({ length: 20_000 }, (_, at) => gpus.replaceAll('3', String(at + 1))).join('\n');
    const { status, out } = await rolloutDoctor(['explain', '--output', 'json', '-'], { input });
    expect(status).toBe(0);
    const answers = objects(out);
    expect(answers).toHaveLength(20_000);
    expect(answers.at(-1)).toMatchObject({ nodes: 20_000, reasons: [{ count: 20_000 }] });
  });

  it('prints plain text in English and in Korean', async () => {
    const [english, korean] = await Promise.all([
      rolloutDoctor(['explain', ...preempting.split(' ')]),
      rolloutDoctor(['explain', preempting, '--lang', 'ko']),
    ]);
    expect(english.out).toContain('None of the 5 nodes can run the pod.\n');
    expect(english.out).toContain('3 nodes cannot run the pod');
    expect(korean.out).toContain('노드 5개 중 파드를 실행할 수 있는 노드가 없습니다.\n');
    expect([english.status, korean.status]).toEqual([0, 0]);
  });

  it('prints no control characters of a hostile sentence', async () => {
    const hostile = '0/1 nodes are available: 1 \u001b[2Jgone\u202e\u0007.';
    const [text, json] = await Promise.all([
      rolloutDoctor(['explain', hostile]),
      rolloutDoctor(['explain', hostile, '-o', 'json']),
    ]);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: their absence is what is tested
    const acting = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e]/u;
    expect(text.out).not.toMatch(acting);
    expect(json.out).not.toMatch(acting);
    expect(JSON.parse(json.out)).toMatchObject({ reasons: [{ text: '\u001b[2Jgone\u202e\u0007' }] });
  });

  it('reports an empty sentence and an unknown format as wrong usage', async () => {
    const [empty, format] = await Promise.all([
      rolloutDoctor(['explain', ' ']),
      rolloutDoctor(['explain', gpus, '-o', 'xml']),
    ]);
    expect([empty.status, format.status]).toEqual([2, 2]);
    expect(empty.err).toContain('The message is missing');
    expect(format.err).toContain('Valid values: text, json, yaml and markdown.');
  });

  it('reports empty standard input', async () => {
    const { status, out, err } = await rolloutDoctor(['explain']);
    expect([status, out]).toEqual([2, '']);
    expect(err).toContain('Standard input is empty.');
  });
});
