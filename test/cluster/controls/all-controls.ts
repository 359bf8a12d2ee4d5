import { controlsSince137 } from '../incidents/since-1-37.js';
import { afterIncidents } from './after-incidents.js';
import { beforeIncidents } from './before-incidents.js';
import type { Control } from './control.js';
import { crashHistories } from './crash-histories.js';
import { daemonSets } from './daemon-sets.js';
import { fittingQuotas } from './fitting-quotas.js';
import { fittingRollouts } from './fitting-rollouts.js';
import { inTheSameCircumstances } from './in-the-same-circumstances.js';
import { leaversAndVictims } from './leavers-and-victims.js';
import { movingDeployments } from './moving-deployments.js';
import { neighbourhoods } from './neighbourhoods.js';
import { notedControls } from './noted.js';
import { restingDeployments } from './resting-deployments.js';
import { secondVolumes } from './second-volumes.js';
import { statefulSets } from './stateful-sets.js';

/** Every healthy control that is recorded in `test/scenarios/controls`. */
export const allControls: readonly Control[] = [
  ...beforeIncidents,
  ...afterIncidents,
  ...movingDeployments,
  ...restingDeployments,
  ...fittingQuotas,
  ...fittingRollouts,
  ...statefulSets,
  ...daemonSets,
  ...crashHistories,
  ...leaversAndVictims,
  ...secondVolumes,
  ...neighbourhoods,
  ...inTheSameCircumstances,
  ...notedControls,
  ...controlsSince137,
];
