import { type Incarnation, setCensoredApart } from './incarnation.js';
import { atMost } from './multiplicity.js';
import {
  type Concentration,
  type ConcentrationOptions,
  experimentFor,
  nodeConcentration,
} from './node-concentration.js';
import { type Exposure, exposureOf } from './risk-sets.js';

/** A concentration, and where it was tried against the time that pods ran, what came of it. */
export interface ConcentrationOverTime {
  readonly concentration: Concentration;
  readonly exposure?: Exposure;
}

/**
 * `nodeConcentration` of incarnations that a history remembers, which lived at different times and for different lengths:
 * concentrated is only what is beyond chance by the count of pods and by their time at risk as well. Both tests keep to
 * `alpha`, so that the two together do.
 */
export function concentrationOverTime(
  incarnations: readonly Incarnation[],
  options: ConcentrationOptions,
): ConcentrationOverTime {
  const { alpha = 0.05, attributes } = options;
  const found = nodeConcentration(incarnations, options);
  if (found.verdict !== 'concentrated') return { concentration: found };
  const exposure = exposureOf(incarnations, found.nodes, attributes);
  if (atMost(exposure.pAdjusted, alpha)) {
    return {
      concentration: { ...found, pAdjusted: Math.max(found.pAdjusted, exposure.pAdjusted) },
      exposure,
    };
  }
  const suspect = found.nodes[0] ?? '';
  return {
    concentration: {
      verdict: 'cannot-tell',
      because: 'unequal-exposure',
      suspect,
      revision: undefined,
      p: exposure.p,
      pAdjusted: exposure.pAdjusted,
      experiment: experimentFor(setCensoredApart(incarnations).counted, suspect),
      table: found.table,
    },
    exposure,
  };
}
