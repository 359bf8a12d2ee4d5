import { describe, expect, it } from 'vitest';
import { runCli } from '../../src/cli/run-cli.js';
import { causes } from '../../src/core/diagnosis/causes/causes.js';
import { kinds } from '../../src/core/remediation/kinds/kinds.js';
import { type Expectation, scenarios } from './expectation.js';

const known = new Set<string>(causes.map(({ rule }) => rule.id));
const offerable = new Set<string>(Object.keys(kinds));
const order = ['possible', 'likely', 'proven'];
const all = scenarios();

interface Found {
  readonly cause: string;
  readonly confidence: string;
  readonly severity: string;
  readonly remediations: readonly { readonly kind: string }[];
}

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
  const json = JSON.parse(written.out) as { readonly findings: readonly Found[]; readonly defects?: unknown };
  return { status, json, text: written.out };
}

/** Causes any of which is right; undefined when only prohibitions count. */
function wanted({ cause, anyOf }: Expectation): readonly string[] | undefined {
  if (anyOf !== undefined) return anyOf;
  if (cause === 'any') return undefined;
  return cause === null || cause === undefined ? [] : [cause];
}

describe.each(all.map((scenario) => [scenario.expect.id, scenario.expect.title, scenario] as const))(
  '%s (%s)',
  (_, __, scenario) => {
    const { expect: expected } = scenario;

    it('has no rule that fails and no finding that is forbidden', async () => {
      const { json, text, status } = await diagnosed(scenario);
      const serious = json.findings.filter(({ severity }) => severity !== 'info');

      expect(json.defects).toBeUndefined();
      expect(serious.map(({ cause }) => cause).filter((cause) => expected.never.includes(cause))).toEqual([]);
      const offered = json.findings.flatMap(({ remediations }) => remediations.map(({ kind }) => kind));
      expect(offered.filter((kind) => expected.remediation.never.includes(kind))).toEqual([]);
      for (const secret of expected.mustNotContain) expect(text).not.toContain(secret);
      expect(status).toBe(serious.length > 0 ? 1 : 0);
    });

    it('is told in Korean as well', async () => {
      const english = await diagnosed(scenario);
      const korean = await diagnosed(scenario, 'ko');

      expect(korean.json.findings.map(({ cause }) => cause)).toEqual(
        english.json.findings.map(({ cause }) => cause),
      );
      if (english.json.findings.length > 0) expect(korean.text).toMatch(/[가-힣]/);
    });

    const causesWanted = wanted(expected);
    const judged =
      causesWanted !== undefined && (causesWanted.length === 0 || causesWanted.some((id) => known.has(id)));
    it.runIf(judged)('finds what it is, with what must be named', async () => {
      const { json, text } = await diagnosed(scenario);
      const serious = json.findings.filter(({ severity }) => severity !== 'info');
      const [first] = serious;
      if (causesWanted?.length === 0) {
        expect(serious).toEqual([]);
        return;
      }
      expect(first?.cause).toBeOneOf([...(causesWanted ?? [])]);
      const said = JSON.stringify(first);
      const confidence = order.indexOf(first?.confidence ?? '');
      expect(confidence).toBeGreaterThanOrEqual(order.indexOf(expected.minConfidence ?? 'possible'));
      expect(confidence).toBeLessThanOrEqual(order.indexOf(expected.maxConfidence ?? 'proven'));
      const named = [
        ...Object.values(expected.detail ?? {}).flat(),
        ...(expected.holders ?? []),
        ...(expected.nodes ?? []),
        ...(expected.alsoHolding ?? []),
        ...(expected.owner === undefined ? [] : [expected.owner.kind, expected.owner.name]),
      ];
      expect(named.filter((name) => !said.includes(name))).toEqual([]);
      expect(expected.mustMention.filter((mention) => !text.includes(mention))).toEqual([]);
      if (expected.remediation.first.some((kind) => offerable.has(kind))) {
        expect(first?.remediations[0]?.kind).toBeOneOf([...expected.remediation.first]);
      }
    });
  },
);

describe('the collection', () => {
  it('is there, and most of it is judged', () => {
    const judged = all.filter(({ expect: expected }) => {
      const ids = wanted(expected);
      return ids !== undefined && (ids.length === 0 || ids.some((id) => known.has(id)));
    });

    expect(all.length).toBeGreaterThanOrEqual(38);
    expect(judged.length).toBeGreaterThanOrEqual(12);
  });
});
