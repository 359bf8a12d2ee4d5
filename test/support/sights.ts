import { fullSight, type Sight } from '#src/doctor/policy/view.js';
import type { Sights } from '#src/service/people/sights.js';

/** Everybody sees everything, or this much. */
export function openSights(sight: Sight = fullSight): Sights {
  return {
    ofPerson: async () => sight,
    ofGroup: () => sight,
    ofChannel: async () => ({ audience: 'own-workspace', sight }),
  };
}
