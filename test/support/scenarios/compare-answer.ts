import { z } from 'zod';
import type { Expectation } from './expectation.js';

const order = ['possible', 'likely', 'proven'];

/** The part of the command line's JSON that is compared with a scenario. */
const Diagnosis = z.object({
  findings: z.array(
    z.looseObject({
      cause: z.string(),
      confidence: z.string(),
      severity: z.string(),
      resource: z.string().optional(),
      remediations: z.array(
        z.looseObject({
          kind: z.string(),
          downtimeSeconds: z.number().optional(),
          survival: z.looseObject({ verdict: z.looseObject({ type: z.string() }) }).optional(),
        }),
      ),
    }),
  ),
  defects: z.unknown().optional(),
});

/**
 * Causes any of which is right as the first; empty: nothing above informational; undefined: only prohibitions
 * count.
 */
export function causesWanted({ cause, anyOf }: Expectation): readonly string[] | undefined {
  if (anyOf !== undefined) return anyOf;
  if (cause === 'any') return undefined;
  return cause === null || cause === undefined ? [] : [cause];
}

export type Family = 'a deadlock' | 'another cause' | 'no problem' | 'only forbidden causes';

/** The class of a scenario, for counting. */
export function familyOf(expected: Expectation): Family {
  const causes = causesWanted(expected);
  if (causes === undefined) return 'only forbidden causes';
  if (causes.length === 0) return 'no problem';
  return causes.some((cause) => cause.endsWith('-deadlock')) ? 'a deadlock' : 'another cause';
}

/**
 * Differences between `diagnose --output json` and the scenario, a sentence each; empty when all is correct.
 */
export function disagreements(
  expected: Expectation,
  answer: { readonly status: number | null; readonly text: string },
): readonly string[] {
  const json = Diagnosis.parse(JSON.parse(answer.text));
  const serious = json.findings.filter(({ severity }) => severity !== 'info');
  const [first] = serious;
  const wrong: string[] = [];
  const must = (holds: boolean, sentence: string) => {
    if (!holds) wrong.push(sentence);
  };

  must(json.defects === undefined, 'a rule failed');
  for (const { cause } of serious)
    must(!expected.never.includes(cause), `found ${cause}, which is forbidden`);
  if (familyOf(expected) === 'another cause') {
    for (const { cause } of serious) must(!cause.endsWith('-deadlock'), `found ${cause} where there is none`);
  }
  for (const cause of expected.also)
    must(
      serious.some((each) => each.cause === cause),
      `does not find ${cause} as well`,
    );
  const { never, maxDowntimeSeconds = Number.POSITIVE_INFINITY } = expected.remediation;
  for (const { kind, downtimeSeconds = 0 } of json.findings.flatMap(({ remediations }) => remediations)) {
    must(!never.includes(kind), `offered ${kind}, which is forbidden`);
    must(
      downtimeSeconds <= maxDowntimeSeconds,
      `${kind} costs ${downtimeSeconds} s, not ${maxDowntimeSeconds} s at most`,
    );
  }
  const notes = json.findings.filter(({ severity }) => severity === 'info').map(({ cause }) => cause);
  for (const cause of expected.informational ?? []) must(notes.includes(cause), `does not note ${cause}`);
  for (const secret of expected.mustNotContain) must(!answer.text.includes(secret), `printed ${secret}`);
  const statusOfNothing = expected.unchecked ? 3 : 0;
  must(answer.status === (first === undefined ? statusOfNothing : 1), `ended with status ${answer.status}`);
  for (const mention of expected.mustMention)
    must(answer.text.includes(mention), `does not mention ${mention}`);

  const causes = causesWanted(expected);
  if (causes === undefined) return wrong;
  if (first === undefined || causes.length === 0) {
    must(
      first === undefined && causes.length === 0,
      `found ${first?.cause ?? 'nothing'}, not ${causes.join(' or ') || 'nothing'}`,
    );
    return wrong;
  }
  must(causes.includes(first.cause), `found ${first.cause}, not ${causes.join(' or ')}`);
  const confidence = order.indexOf(first.confidence);
  must(
    confidence >= order.indexOf(expected.minConfidence ?? 'possible') &&
      confidence <= order.indexOf(expected.maxConfidence ?? 'proven'),
    `is ${first.confidence}, not ${expected.minConfidence ?? 'possible'} to ${expected.maxConfidence ?? 'proven'}`,
  );
  const resource = expected.detail?.resource;
  must(
    resource === undefined || first.resource === resource,
    `the resource is ${first.resource}, not ${String(resource)}`,
  );
  const firstText = JSON.stringify(first);
  const named = [
    ...Object.values(expected.detail ?? {}).flat(),
    ...(expected.holders ?? []),
    ...(expected.nodes ?? []),
    ...(expected.alsoHolding ?? []),
    ...(expected.owner === undefined ? [] : [expected.owner.kind, expected.owner.name]),
  ];
  for (const name of named) must(firstText.includes(name), `the finding does not name ${name}`);
  for (const [kind, verdict] of Object.entries(expected.survival ?? {})) {
    const found = first.remediations.find((each) => each.kind === kind)?.survival?.verdict.type;
    must(found === verdict, `predicts ${found ?? 'nothing'} for ${kind}, not ${verdict}`);
  }
  if (expected.remediation.first.length > 0) {
    const offered = first.remediations[0]?.kind ?? 'nothing';
    must(
      expected.remediation.first.includes(offered),
      `offers ${offered} first, not ${expected.remediation.first.join(' or ')}`,
    );
  }
  return wrong;
}
