import type { Redis } from 'ioredis';
import { Incident } from '../../doctor/incidents/incident.js';
import { isUnsettled } from '../../doctor/incidents/incident-transitions.js';
import { ignoreMalformed } from '../../service/errors.js';
import type { IncidentStore } from '../../service/records/incident-store.js';
import type { AuditedWrite } from './audited-write.js';
import { guarded, parseRecord } from './guard.js';
import { createVersionedRecords } from './versioned-records.js';

interface RedisIncidentStoreOptions {
  readonly redis: Redis;
  readonly prefix: string;
  readonly ttlMs: number;
  readonly recordDecision: AuditedWrite;
}

/** Asking again within this time joins the incident that still needs somebody. */
export const joinMs = 6 * 3_600_000;

/** Incidents kept in the list of recent ones. */
const recentMax = 1_000;

export function createRedisIncidentStore({
  redis,
  prefix,
  ttlMs,
  recordDecision,
}: RedisIncidentStoreOptions): IncidentStore {
  const recordPrefix = `${prefix}:incident:`;
  const recentKey = `${prefix}:incidents`;
  const records = createVersionedRecords<Incident>({
    redis,
    prefix: recordPrefix,
    parse: (text) => parseRecord(Incident, text),
    isOpen: isUnsettled,
    ttlMs,
    recordDecision,
  });
  const scoreOf = (incident: Incident): number => Date.parse(incident.createdAt);
  const threadOf = ({ origin, threadTs = '' }: Incident): string => (origin.via === 'alert' ? '' : threadTs);
  const claimOf = ({ workload, channel }: Incident, thread: string): string => {
    const { cluster, kind, namespace, name } = workload;
    return `${prefix}:open-incident:${[cluster, kind, namespace, name, channel, thread].join('/')}`;
  };

  return {
    async open(incident, { reopen = false, joins = () => true } = {}) {
      const threadTs = threadOf(incident);
      const claimKey = claimOf(incident, threadTs);
      if (threadTs !== '') {
        const inThread = await claimedBy(claimOf(incident, ''));
        if (inThread?.threadTs === threadTs && isJoined(inThread, true) && joins(inThread)) {
          return { created: false, incident: inThread };
        }
      }
      const place = { key: claimKey, ttlMs: joinMs, renew: reopen };
      for (;;) {
        const id = await records.openAt(place, incident, scoreOf(incident));
        if (id === incident.id) {
          await listRecent(incident);
          return { created: true, incident };
        }
        const existing = await records.get(id).catch(ignoreMalformed);
        if (existing !== undefined && isJoined(existing, reopen) && joins(existing)) {
          return { created: false, incident: existing };
        }
        await guarded(() => redis.eval(releaseScript, 1, claimKey, id));
      }
    },
    get: (id) => records.get(id),
    replace: (next, decision) => records.replace(next, scoreOf(next), decision),
    unsettled: () => records.open(),
    versions: (ids) => records.versions(ids),
    async restore(incident) {
      if (!(await records.restore(incident, scoreOf(incident)))) return false;
      await guarded(() => redis.set(claimOf(incident, threadOf(incident)), incident.id, 'PX', joinMs, 'NX'));
      await listRecent(incident);
      return true;
    },
    async recent(limit) {
      const ids = await guarded(() => redis.zrevrange(recentKey, 0, limit - 1));
      const incidents = await Promise.all(ids.map((id) => records.get(id).catch(ignoreMalformed)));
      return incidents.filter((incident) => incident !== undefined);
    },
  };

  async function listRecent(incident: Incident): Promise<void> {
    await guarded(() =>
      redis
        .multi()
        .zadd(recentKey, scoreOf(incident), incident.id)
        .zremrangebyrank(recentKey, 0, -recentMax - 1)
        .exec(),
    );
  }

  /** The incident of a whole channel, which may live in the thread somebody asks in: its card goes on. */
  async function claimedBy(claimKey: string): Promise<Incident | undefined> {
    const id = await guarded(() => redis.get(claimKey));
    return id === null ? undefined : records.get(id).catch(ignoreMalformed);
  }
}

/** Frees the claim if it still names the incident that is over. */
const releaseScript = `if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end return 0`;

/**
 * An incident that another one took over is never joined; one that is over goes on only where that is asked
 * for.
 */
function isJoined(incident: Incident, reopen: boolean): boolean {
  return incident.successor === undefined && (reopen || needsSomebody(incident));
}

/** An incident that a repeated question should join instead of starting a second card. */
function needsSomebody({ phase, diagnosis }: Incident): boolean {
  if (phase === 'settled' || phase === 'failed') return false;
  if (phase !== 'diagnosed') return true;
  return diagnosis?.findings.some(({ severity }) => severity !== 'info') ?? false;
}
