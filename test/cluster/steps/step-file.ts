import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseServerVersion } from '#src/engine/objects/release-rules.js';
import { ruleOfVersion } from '#src/engine/workloads/rollout-state.js';
import { type PlacementStep, placementOutcome } from './placement-step.js';
import { type QuotaStep, quotaOutcome } from './quota-step.js';
import { outcomeOf, type RolloutStep, subjectOf } from './rollout-step.js';

/** A step of any engine, by what it is compared with. */
export type Step =
  | { readonly of: 'rollout'; readonly step: RolloutStep }
  | { readonly of: 'placement'; readonly step: PlacementStep }
  | { readonly of: 'quota'; readonly step: QuotaStep };
export type Engine = Step['of'];

/** The first line of a file of steps: which programs acted, and how to record the same steps again. */
export interface Recorded {
  /** Versions by program. */
  readonly programs: Readonly<Record<string, string>>;
  readonly seed: number;
  /** Steps from which these were chosen. */
  readonly chosenFrom: number;
}

const folder = new URL('../../unit/engine/', import.meta.url);
/** Beside the tests of their engines; one step a line. */
export const stepFiles: Readonly<Record<Engine, string>> = {
  rollout: fileURLToPath(new URL('workloads/recorded-steps/rollouts.jsonl', folder)),
  quota: fileURLToPath(new URL('workloads/recorded-steps/quotas.jsonl', folder)),
  placement: fileURLToPath(new URL('scheduler/recorded-steps/placements.jsonl', folder)),
};

export function readSteps(engine: Engine): { readonly recorded: Recorded; readonly steps: readonly Step[] } {
  const [first = '', ...lines] = readFileSync(stepFiles[engine], 'utf8').trimEnd().split('\n');
  const steps = lines.map((line) => ({ of: engine, step: JSON.parse(line) }) as Step);
  return { recorded: JSON.parse(first) as Recorded, steps };
}

/** What the real program did, and what the engine says where it says anything else. */
export function replay(
  { programs }: Pick<Recorded, 'programs'>,
  { of, step }: Step,
): {
  readonly real: unknown;
  readonly engine: unknown;
} {
  switch (of) {
    case 'rollout': {
      const rule = ruleOfVersion(parseServerVersion(`v${programs.Kubernetes}`));
      return { real: step.done, engine: outcomeOf(subjectOf(step.kind, rule), step) };
    }
    case 'placement':
      return {
        real: { decided: step.decided, victims: step.victims },
        engine: placementOutcome(step, programs.Kubernetes ?? ''),
      };
    case 'quota':
      return { real: { refusal: step.refusal, countedOtherwise: [] }, engine: quotaOutcome(step) };
  }
}
