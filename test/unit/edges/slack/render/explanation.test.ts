import { describe, expect, it } from 'vitest';
import { noPages, type Pages } from '#src/doctor/incidents/page-links.js';
import { renderExplanation } from '#src/edges/slack/render/explanation.js';
import { createTell } from '#src/service/create-engine.js';
import { explainSentence } from '#src/service/diagnose/engine.js';
import { aloud } from '../../../../support/read-aloud.js';

const tell = createTell();
const rendered = (sentence: string, language: 'en' | 'ko', pages = noPages) =>
  renderExplanation(explainSentence(sentence, tell, language), language, pages).blocks;
const said = (sentence: string, language: 'en' | 'ko') => aloud(rendered(sentence, language)).split('\n');

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

  it.each(['en', 'ko'] as const)('has no bold text where it is one paragraph, in %s', (language) => {
    for (const status of ['CrashLoopBackOff', 'hello world'])
      expect(said(status, language)[0]).not.toContain('*');
  });

  it('states only that a message has no reason of a scheduler, and quotes it once', () => {
    expect(said('hello world', 'en')).toEqual([expect.stringContaining('no known reason')]);
  });
});

describe('the page that an explanation names', () => {
  const pages: Pages = { ...noPages, docsUrl: 'https://docs.example/docs' };
  const reason = 'CrashLoopBackOff';
  const several = `${reason}\nImagePullBackOff\nFailedMount`;
  const linksIn = (sentence: string, language: 'en' | 'ko', known = pages) =>
    [...JSON.stringify(rendered(sentence, language, known)).matchAll(/"type":"link","url":"([^"]+)"/gu)].map(
      ([, url]) => url,
    );

  it.each(['en', 'ko'] as const)('is a link where the settings have its address (%s)', (language) => {
    expect(linksIn(reason, language)).toEqual([
      expect.stringMatching(/^https:\/\/docs\.example\/docs\/causes\/[a-z-]+\.md$/u),
    ]);
    expect(linksIn(several, language)).toHaveLength(3);
  });

  it('is a name alone without an address, and never a link in what was pasted', () => {
    expect(linksIn(reason, 'en', noPages)).toEqual([]);
    expect(linksIn('docs/causes/config-missing.md https://evil.example', 'en')).toEqual([]);
  });
});
