import type { WorkloadRef } from '../core/cluster/workload.js';
import type { NamedWorkload } from '../core/command/command.js';
import { matchWorkload } from '../core/command/match-workload.js';
import type { Refused } from './conversation.js';
import type { MayLook } from './may-look.js';
import type { Silence, SilenceStore } from './people-ports.js';
import type { AuditEntry, AuditLog, Clock, ClusterReader, NotFound, Unreadable } from './ports.js';

export interface SilencingDeps {
  readonly audit: AuditLog;
  readonly clock: Clock;
  readonly cluster: Pick<ClusterReader, 'find'>;
  readonly mayLook: MayLook;
  readonly silences: SilenceStore;
  /** Longest silence, in seconds. */
  readonly maxSeconds: number;
}

export type Silenced =
  /** `former`: what was said before about the same workload. */
  | { readonly type: 'silenced'; readonly silence: Silence; readonly former: Silence | undefined }
  | { readonly type: 'too-long'; readonly maxSeconds: number }
  | { readonly type: 'choices'; readonly workloads: readonly WorkloadRef[] }
  | NotFound
  | Unreadable
  | Refused;

export type Unsilenced =
  | { readonly type: 'lifted'; readonly silence: Silence }
  | { readonly type: 'not-silenced'; readonly others: readonly Silence[] }
  | { readonly type: 'choices'; readonly workloads: readonly WorkloadRef[] }
  | Refused;

export interface Silencing {
  silence(request: {
    readonly by: string;
    readonly query: NamedWorkload;
    readonly seconds: number;
    readonly reason: string;
  }): Promise<Silenced>;
  /** Ends a silence; the workload need not exist any more. */
  lift(request: { readonly by: string; readonly query: NamedWorkload }): Promise<Unsilenced>;
  list(request: {
    readonly by: string;
  }): Promise<{ readonly type: 'silences'; readonly silences: readonly Silence[] } | Refused>;
}

const keptReason = 300;

/** Keeps a workload from being spoken of unasked for a while. Questions are answered all the same. */
export function createSilencing(deps: SilencingDeps): Silencing {
  const { clock, cluster, mayLook, silences, maxSeconds } = deps;
  return {
    async silence({ by, query, seconds, reason }) {
      const allowed = await mayLook(by);
      if (allowed.type === 'refused') return allowed;
      if (seconds > maxSeconds) return { type: 'too-long', maxSeconds };
      const found = await cluster.find(query);
      if (found.type !== 'found') return found;
      const [workload, ...others] = found.workloads;
      if (workload === undefined) {
        return { type: 'not-found', what: 'workload', name: query.name, nearest: [] };
      }
      if (others.length > 0) return { type: 'choices', workloads: found.workloads };
      const now = clock.now();
      const silence: Silence = {
        workload,
        by,
        at: now.toISOString(),
        until: new Date(now.getTime() + seconds * 1_000).toISOString(),
        reason: reason.slice(0, keptReason),
      };
      const former = await silences.of(workload);
      await silences.put(silence);
      await record(deps, 'silenced', workload, by, { until: silence.until, reason: silence.reason });
      return { type: 'silenced', silence, former };
    },
    async lift({ by, query }) {
      const allowed = await mayLook(by);
      if (allowed.type === 'refused') return allowed;
      const all = await silences.all();
      const matched = matchWorkload(
        query,
        all.map(({ workload }) => workload),
      );
      if (matched.type === 'several') return { type: 'choices', workloads: matched.workloads };
      const silence = matched.type === 'one' ? await silences.lift(matched.workload) : undefined;
      if (silence === undefined) return { type: 'not-silenced', others: all };
      await record(deps, 'silence-lifted', silence.workload, by, { until: silence.until });
      return { type: 'lifted', silence };
    },
    async list({ by }) {
      const allowed = await mayLook(by);
      if (allowed.type === 'refused') return allowed;
      return { type: 'silences', silences: await silences.all() };
    },
  };
}

async function record(
  { audit, clock }: SilencingDeps,
  action: AuditEntry['action'],
  workload: WorkloadRef,
  by: string,
  details: AuditEntry['details'],
): Promise<void> {
  await audit.append({ at: clock.now().toISOString(), action, by, workload, details });
}
