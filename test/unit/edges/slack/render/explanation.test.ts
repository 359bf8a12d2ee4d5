import { describe, expect, it } from 'vitest';
import { renderExplanation } from '#src/edges/slack/render/explanation.js';
import { createTell } from '#src/service/create-engine.js';
import { explainSentence } from '#src/service/diagnose/engine.js';
import { aloud } from '../../../../support/read-aloud.js';

const tell = createTell();
const said = (sentence: string, language: 'en' | 'ko') =>
  aloud(renderExplanation(explainSentence(sentence, tell, language), language).blocks).split('\n');

describe('the explanation of a scheduler message', () => {
  const message =
    '0/6 nodes are available: 1 Insufficient nvidia.com/gpu, 5 node(s) had untolerated taint(s)';

  it('begins with the conclusion in bold, then quotes the message, then lists each reason', () => {
    const [conclusion, quoted, ...reasons] = said(message, 'en');

    expect(conclusion).toBe('*None of the 6 nodes can run the pod.*');
    expect(quoted).toContain(message);
    expect(reasons.length).toBeGreaterThan(2);
    expect(reasons.filter((line) => !line.startsWith('- '))).toEqual([]);
  });

  it('begins with the conclusion in Korean too', () => {
    expect(said(message, 'ko')[0]).toMatch(/^\*.*[가-힣].*\*$/u);
  });

  it('states only that a message has no reason of a scheduler, and quotes it once', () => {
    expect(said('hello world', 'en')).toEqual([expect.stringContaining('no known reason')]);
  });
});
