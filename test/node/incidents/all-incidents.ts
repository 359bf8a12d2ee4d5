import { configuration } from './configuration.js';
import { crashes } from './crashes.js';
import { endings } from './endings.js';
import { firstContainers } from './first-containers.js';
import { images } from './images.js';
import type { NodeIncident } from './incident.js';
import { kubeletDecisions } from './kubelet-decisions.js';
import { probes } from './probes.js';

/** Every incident that needs nothing of its node but that it works. */
export const nodeIncidents: readonly NodeIncident[] = [
  ...crashes,
  ...probes,
  ...images,
  ...configuration,
  ...firstContainers,
  ...kubeletDecisions,
  ...endings,
];
