import { describe, expect, it } from 'vitest';
import {
  causePage,
  linksOf,
  PageLinks,
  type Pages,
  unknownPlaceholders,
} from '#src/doctor/incidents/page-links.js';
import { buildDiagnosis, buildFinding, buildIncident } from '../../../support/slack-builders.js';

function pages(url: string): Pages {
  return { docsUrl: undefined, links: PageLinks.parse([{ name: 'Logs', url }]) };
}

const incident = buildIncident();

describe('a link of an incident', () => {
  it('names the workload, in the language of the reader', () => {
    const name = { en: 'Logs', ko: '로그' };
    const url = 'https://logs.example/{cluster}/{namespace}?kind={kind}&app={name}';
    const settings = { docsUrl: undefined, links: PageLinks.parse([{ name, url }]) };
    const address = 'https://logs.example/prod-eu/ml?kind=Deployment&app=inference';
    expect(linksOf(incident, settings, 'en')).toEqual([{ name: 'Logs', url: address }]);
    expect(linksOf(incident, settings, 'ko')).toEqual([{ name: '로그', url: address }]);
  });

  it('encodes what it names, so that no name changes where it leads', () => {
    const name = 'a/../b?x=1&y=<|>"#';
    const workload = { ...incident.workload, name };
    const [link] = linksOf({ ...incident, workload }, pages('https://logs.example/q/{name}'), 'en');
    expect(link?.url).toBe(`https://logs.example/q/${encodeURIComponent(name)}`);
  });

  it('keeps braces and bars of a query language, without ending the link in a message', () => {
    const [link] = linksOf(incident, pages('https://g.example/?q={app="{name}"}|=[x]'), 'en');
    expect(link?.url).toBe('https://g.example/?q={app=%22inference%22}%7C=[x]');
  });

  it.each([
    [
      'the blamed node',
      buildFinding({ blames: { kind: 'Node', name: 'gpu-b' } }),
      ['https://n.example/gpu-b'],
    ],
    [
      'the first node of the finding',
      buildFinding({ nodes: ['gpu-a', 'gpu-c'] }),
      ['https://n.example/gpu-a'],
    ],
    ['no node, and is left out', buildFinding({ nodes: [] }), []],
  ])('names %s', (_, finding, urls) => {
    const diagnosis = buildDiagnosis({ findings: [finding] });
    const links = linksOf({ ...incident, diagnosis }, pages('https://n.example/{node}'), 'en');
    expect(links.map(({ url }) => url)).toEqual(urls);
  });

  it.each([
    'javascript:alert(1)',
    'ftp://logs.example/',
    'logs.example/{name}',
    'https://{cluster}.example/',
    'https://logs.example{name}',
    'https://user@logs.example/',
    'https://logs.example/a b',
    `https://logs.example/${'x'.repeat(1_000)}`,
  ])('is not made of %s', (url) => {
    expect(PageLinks.safeParse([{ name: 'Logs', url }]).success).toBe(false);
  });

  it('is one of at most five', () => {
    const link = { name: 'Logs', url: 'https://logs.example/' };
    expect(PageLinks.safeParse(Array.from({ length: 5 }, () => link)).success).toBe(true);
    expect(PageLinks.safeParse(Array.from({ length: 6 }, () => link)).success).toBe(false);
  });
});

it('an unknown placeholder is named', () => {
  expect(unknownPlaceholders('https://x.example/{namespace}/{workload}?q={app="x"}')).toEqual(['workload']);
});

it('the page of a cause is below the address of the docs', () => {
  const docs = { docsUrl: 'https://git.example/docs/', links: [] };
  expect(causePage(docs, 'surge-deadlock')).toBe('https://git.example/docs/causes/surge-deadlock.md');
  expect(causePage({ ...docs, docsUrl: undefined }, 'surge-deadlock')).toBeUndefined();
});
