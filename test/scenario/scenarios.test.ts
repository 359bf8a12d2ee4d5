import { describe, expect, it } from 'vitest';
import { runCli } from '../../src/cli/run-cli.js';
import { scenarios } from './expectation.js';
import { causesWanted, disagreements } from './judge.js';

const all = scenarios();

async function diagnosed({ folder, expect: expected }: (typeof all)[number], lang = 'en') {
  const { kind, namespace, name } = expected.workload;
  const written = { out: '', err: '' };
  const status = await runCli(
    [
      'diagnose',
      `${kind.toLowerCase()}/${name}`,
      '-n',
      namespace,
      '--from',
      folder,
      '--at',
      expected.takenAt,
      '--output',
      'json',
      '--lang',
      lang,
    ],
    {
      out: (text) => {
        written.out += text;
      },
      err: (text) => {
        written.err += text;
      },
      paint: { colour: false, width: 80 },
      watched: false,
    },
  );
  return { status, text: written.out };
}

describe.each(all.map((scenario) => [scenario.expect.id, scenario.expect.title, scenario] as const))(
  '%s (%s)',
  (_, __, scenario) => {
    it('is called what it is, with what must be named and nothing that must not', async () => {
      expect(disagreements(scenario.expect, await diagnosed(scenario))).toEqual([]);
    });

    it('is told in Korean as well', async () => {
      const causesOf = ({ text }: { readonly text: string }) =>
        (JSON.parse(text) as { readonly findings: readonly { readonly cause: string }[] }).findings.map(
          ({ cause }) => cause,
        );
      const english = await diagnosed(scenario);
      const korean = await diagnosed(scenario, 'ko');

      expect(causesOf(korean)).toEqual(causesOf(english));
      if (causesOf(english).length > 0) expect(korean.text).toMatch(/[가-힣]/);
    });
  },
);

describe('the collection', () => {
  it('is there, and all but a few of it has a cause or none to be found', () => {
    const judged = all.filter(({ expect: expected }) => causesWanted(expected) !== undefined);

    expect(all.length).toBeGreaterThanOrEqual(89);
    expect(all.length - judged.length).toBeLessThanOrEqual(2);
  });
});
