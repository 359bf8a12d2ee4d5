import { describe, expect, it } from 'vitest';
import { runCli } from '#src/cli/run-cli.js';
import { causes } from '#src/core/diagnosis/causes/causes.js';
import { causesWanted, disagreements } from '#support/scenarios/compare-answer.js';
import { scenarios } from '#support/scenarios/expectation.js';

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

/** The answer in English, for both tests that read it. */
function diagnosedOnce(scenario: (typeof all)[number]): () => ReturnType<typeof diagnosed> {
  let answer: ReturnType<typeof diagnosed> | undefined;
  return () => {
    answer ??= diagnosed(scenario);
    return answer;
  };
}

describe.each(all.map((scenario) => [scenario.expect.id, scenario.expect.title, scenario] as const))(
  '%s (%s)',
  (_, __, scenario) => {
    const inEnglish = diagnosedOnce(scenario);

    it('has the expected findings, names and fixes', async () => {
      expect(disagreements(scenario.expect, await inEnglish())).toEqual([]);
    });

    it('has the same causes in Korean', async () => {
      const causesOf = ({ text }: { readonly text: string }) =>
        (JSON.parse(text) as { readonly findings: readonly { readonly cause: string }[] }).findings.map(
          ({ cause }) => cause,
        );
      const english = await inEnglish();
      const korean = await diagnosed(scenario, 'ko');

      expect(causesOf(korean)).toEqual(causesOf(english));
      if (causesOf(english).length > 0) expect(korean.text).toMatch(/[가-힣]/);
    });
  },
);

/** Every resource that a workload's own old pods can block (`surge-deadlock`). */
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

describe('the collection', () => {
  it('has at least 280 incidents, at most two of them without an expected cause', () => {
    const withCause = all.filter(({ expect: expected }) => causesWanted(expected) !== undefined);

    expect(all.length).toBeGreaterThanOrEqual(280);
    expect(all.length - withCause.length).toBeLessThanOrEqual(2);
  });

  it.each(causes.map(({ id }) => id))('expects %s somewhere', (cause) => {
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

  it('has almost as many healthy workloads as problems, so that false alarms would show', () => {
    const wanted = all.map(({ expect: expected }) => causesWanted(expected));
    const healthy = wanted.filter((each) => each?.length === 0).length;
    const problems = wanted.filter((each) => each !== undefined && each.length > 0).length;

    expect(healthy / problems).toBeGreaterThan(0.8);
  });
});
