import { type Sight, visibleIn } from '../../core/authorization/view.js';
import type { WorkloadRef } from '../../core/cluster/workload.js';
import type { NamedWorkload } from '../../core/command/command.js';
import { resolveWorkload } from '../../core/command/resolve-workload.js';
import type { MayApprove } from '../approve/may-approve.js';
import type { ClusterReader, NotFound, Unreadable } from '../diagnose/cluster-reader.js';
import type { Clock } from '../records/process-ports.js';
import type { Refused } from './conversation.js';
import type { Silence, SilenceStore } from './people-ports.js';
import { type Sights, sightOrRefused } from './sights.js';

export interface SilencingDeps {
  readonly clock: Clock;
  readonly cluster: Pick<ClusterReader, 'find'>;
  readonly mayApprove: MayApprove;
  readonly sights: Pick<Sights, 'ofPerson'>;
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
  const { clock, cluster, mayApprove, sights, silences, maxSeconds } = deps;
  return {
    async silence({ by, query, seconds, reason }) {
      const allowed = await sightOrRefused(sights, by);
      if (allowed.type === 'refused') return allowed;
      if (seconds > maxSeconds) return { type: 'too-long', maxSeconds };
      const found = await cluster.find(query, allowed.sight);
      if (found.type !== 'found') return found;
      const [workload, ...others] = found.workloads;
      if (workload === undefined) {
        return { type: 'not-found', what: 'workload', name: query.name, nearest: [] };
      }
      if (others.length > 0) return { type: 'choices', workloads: found.workloads };
      const granted = await mayApprove({ workload }, by, 'silence');
      if (granted.type === 'refused') return granted;
      const now = clock.now();
      const silence: Silence = {
        workload,
        by,
        at: now.toISOString(),
        until: new Date(now.getTime() + seconds * 1_000).toISOString(),
        reason: reason.slice(0, keptReason),
      };
      const former = await silences.of(workload);
      const { until, at } = silence;
      await silences.put(silence, {
        at,
        action: 'silenced',
        by,
        workload,
        details: { until, reason: silence.reason },
      });
      return { type: 'silenced', silence, former };
    },
    async lift({ by, query }) {
      const allowed = await sightOrRefused(sights, by);
      if (allowed.type === 'refused') return allowed;
      const all = await visibleSilences(deps, allowed.sight);
      const matched = resolveWorkload(
        query,
        all.map(({ workload }) => workload),
      );
      if (matched.type === 'several') return { type: 'choices', workloads: matched.workloads };
      if (matched.type === 'one') {
        const granted = await mayApprove(matched, by, 'silence');
        if (granted.type === 'refused') return granted;
      }
      const silence = matched.type === 'one' ? await lift(all, matched.workload, by) : undefined;
      if (silence === undefined) return { type: 'not-silenced', others: all };
      return { type: 'lifted', silence };
    },
    async list({ by }) {
      const allowed = await sightOrRefused(sights, by);
      if (allowed.type === 'refused') return allowed;
      return { type: 'silences', silences: await visibleSilences(deps, allowed.sight) };
    },
  };

  function lift(all: readonly Silence[], workload: WorkloadRef, by: string): Promise<Silence | undefined> {
    const until = all.find((each) => each.workload === workload)?.until;
    const at = clock.now().toISOString();
    return silences.lift(workload, { at, action: 'silence-lifted', by, workload, details: { until } });
  }
}

async function visibleSilences(
  { silences }: Pick<SilencingDeps, 'silences'>,
  sight: Sight,
): Promise<readonly Silence[]> {
  return (await silences.all()).filter(({ workload }) => visibleIn(sight, workload).workload);
}
