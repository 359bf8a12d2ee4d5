import type { Incident } from '../../doctor/incidents/incident.js';
import { isUnsettled } from '../../doctor/incidents/incident-transitions.js';
import { isPullRequestUnderWay } from '../../doctor/incidents/pull-request-transitions.js';
import { hasReminder } from '../../doctor/incidents/reminders.js';
import type { IncidentStore } from './incident-store.js';
import type { Clock } from './process-ports.js';

interface KeepOpenIncidentsOptions {
  readonly store: IncidentStore;
  readonly clock: Clock;
  /** How many incidents of work under way are kept in memory; the one that was used longest ago leaves. */
  readonly maxKept?: number;
  /** Runs before a lost incident is stored again. */
  readonly onRestore?: (incident: Incident) => Promise<void>;
}

interface KeptIncidents {
  /** The same store. What this process reads and writes through it is kept in memory. */
  readonly incidents: IncidentStore;
  /**
   * Stores again the incidents that the store confirmed to this process and lost since: it started without
   * its data, with an older copy of it, or a replica was promoted that lacked the last writes.
   *
   * @returns those that were lost
   * @throws DoctorError `redis-unavailable`, retryable
   */
  restoreLost(): Promise<readonly Incident[]>;
}

/**
 * Half of the recorded incidents have a diagnosis below 5 kB of JSON, 19 in 20 below 13 kB, and all below
 * 60 kB.
 */
const usuallyKept = 300;

/**
 * Keeps in memory each incident whose work is under way or of whose fix people are to be reminded, as the
 * store confirmed it last. A store that loses its data also loses the jobs, and nobody would know of the
 * request. Approvals are not kept: one that was cancelled meanwhile must not come back.
 */
export function keepOpenIncidents({
  store,
  clock,
  maxKept = usuallyKept,
  onRestore,
}: KeepOpenIncidentsOptions): KeptIncidents {
  const kept = new Map<string, Incident>();

  const isKept = (incident: Incident): boolean =>
    isUnsettled(incident) || isPullRequestUnderWay(incident) || hasReminder(incident, clock.now().getTime());

  function keep(incident: Incident): Incident {
    const known = kept.get(incident.id);
    if (known !== undefined && known.version > incident.version) return incident;
    kept.delete(incident.id);
    if (isKept(incident)) kept.set(incident.id, incident);
    const [oldest] = kept.keys();
    if (kept.size > maxKept && oldest !== undefined) kept.delete(oldest);
    return incident;
  }

  async function read(id: string): Promise<Incident | undefined> {
    const incident = await store.get(id);
    return incident && keep(incident);
  }

  return {
    incidents: {
      ...store,
      get: read,
      async open(incident, options) {
        const opened = await store.open(incident, options);
        keep(opened.incident);
        return opened;
      },
      async recent(limit) {
        const recent = await store.recent(limit);
        for (const incident of recent.toReversed()) keep(incident);
        return recent;
      },
      async replace(next, decision) {
        const stored = await store.replace(next, decision);
        return 'type' in stored ? stored : keep(stored);
      },
    },
    async restoreLost() {
      // Taken before the versions are read: what is written meanwhile is newer than these.
      const known = [...kept.values()].filter(isKept);
      const versions = await store.versions(known.map(({ id }) => id));
      const lost: Incident[] = [];
      for (const incident of known) {
        const version = versions.get(incident.id) ?? 0;
        if (version > incident.version) await read(incident.id);
        if (version >= incident.version) continue;
        await onRestore?.(incident);
        if (await store.restore(incident)) lost.push(incident);
      }
      return lost;
    },
  };
}
