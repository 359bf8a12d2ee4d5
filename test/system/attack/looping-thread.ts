import { answerForDoctor } from '#src/adapters/threads/doctor-in-thread.js';
import type { Snapshot } from '#src/core/cluster/snapshot.js';
import { createDoctor } from '#src/doctor.js';

/** The rules of the product, one of which loops without end on some workloads. */
const doctor = createDoctor();
answerForDoctor({
  ...doctor,
  diagnose(snapshot: Snapshot) {
    const isPoisonous = snapshot.workload.metadata.name.startsWith('poison');
    for (let n = 0; isPoisonous; n += 1) if (n < 0) break;
    return doctor.diagnose(snapshot);
  },
});
