import { fullSight, type Sight } from '#src/core/authorization/view.js';
import type { Sights } from '#src/usecases/people/sights.js';

/** Everybody sees everything, or this much. */
export function openSights(sight: Sight = fullSight): Sights {
  return {
    ofPerson: async () => sight,
    ofGroup: () => sight,
    ofChannel: async () => ({ audience: 'own-workspace', sight }),
  };
}
