import { describe, expect, it } from 'vitest';
import { runCli } from '#src/cli/run-cli.js';
import { causes } from '#src/core/diagnosis/causes/causes.js';
import { scenarios } from '#support/scenarios/expectation.js';
import { causesWanted, disagreements } from '#support/scenarios/judge.js';

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
    it('has the expected diagnosis, with every required and no forbidden text', async () => {
      expect(disagreements(scenario.expect, await diagnosed(scenario))).toEqual([]);
    });

    it('has the same diagnosis in Korean', async () => {
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

/** The resources that the old pods of a workload can hold in a `surge-deadlock`. */
const resourceClasses = [
  'nvidia.com/gpu',
  'cpu',
  'memory',
  'ephemeral-storage',
  'pods',
  'hostPort',
  'ReadWriteOncePod',
  'csiVolumeLimit',
  'podAntiAffinity',
  'topologySpread',
  'deviceClaim',
];

describe('the collection of recorded incidents', () => {
  it('is complete, and all but two incidents have an expected result', () => {
    const judged = all.filter(({ expect: expected }) => causesWanted(expected) !== undefined);

    expect(all.length).toBeGreaterThanOrEqual(280);
    expect(all.length - judged.length).toBeLessThanOrEqual(2);
  });

  it.each(causes.map(({ id }) => id))('expects the cause %s in some incident', (cause) => {
    const expecting = all.filter(
      ({ expect: expected }) =>
        causesWanted(expected)?.includes(cause) || expected.informational?.includes(cause),
    );

    expect(expecting).not.toEqual([]);
  });

  it.each(resourceClasses)('has a surge deadlock over %s', (resource) => {
    const found = all.filter(
      ({ expect: { cause, detail } }) => cause === 'surge-deadlock' && detail?.resource === resource,
    );

    expect(found).not.toEqual([]);
  });

  it('has more healthy incidents than failing ones', () => {
    const wanted = all.map(({ expect: expected }) => causesWanted(expected));
    const healthy = wanted.filter((each) => each?.length === 0).length;

    expect(healthy).toBeGreaterThan(wanted.filter((each) => each !== undefined && each.length > 0).length);
  });
});
