import { compareText } from '../../engine/collections/collections.js';
import { causes } from '../causes/causes.js';
import { confidences, severities } from '../findings/cause-id.js';
import type { Diagnosis } from '../findings/diagnosis.js';

/** Diagnoses by their worst finding, those without any last; then by namespace, name and kind. */
export function worstFirst(diagnoses: readonly Diagnosis[]): readonly Diagnosis[] {
  return [...diagnoses].sort((a, b) => rankOf(a) - rankOf(b) || byName(a, b));
}

/** Findings of a diagnosis come best first, so the first one is its worst. */
function rankOf({ findings: [worst] }: Diagnosis): number {
  if (worst === undefined) return Number.POSITIVE_INFINITY;
  const { severity, confidence, cause } = worst;
  return (
    (severities.indexOf(severity) * confidences.length + confidences.indexOf(confidence)) * causes.length +
    causes.findIndex(({ id }) => id === cause)
  );
}

function byName({ workload: a }: Diagnosis, { workload: b }: Diagnosis): number {
  return (
    compareText(a.cluster, b.cluster) ||
    compareText(a.namespace, b.namespace) ||
    compareText(a.name, b.name) ||
    compareText(a.kind, b.kind)
  );
}
