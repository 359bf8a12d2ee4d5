import type { NamedWorkload } from '../../doctor/commands/command.js';
import { isMeant } from '../../doctor/commands/resolve-workload.js';
import { type Sight, visibleIn } from '../../doctor/policy/view.js';
import type { WorkloadRef } from '../../engine/objects/workload.js';
import type { MayApprove } from '../approve/may-approve.js';
import type { ClusterReader, NotFound, Unreadable } from '../diagnose/cluster-reader.js';
import { type KeepInForceOptions, type KeptInForce, keepInForce } from '../records/keep-in-force.js';
import type { Clock } from '../records/process-ports.js';
import type { Refused } from './conversation.js';
import type { Silence, SilenceStore } from './people-ports.js';
import { type Sights, sightOrRefused } from './sights.js';

interface SilencingDeps {
  readonly clock: Clock;
  readonly cluster: Pick<ClusterReader, 'find'>;
  readonly mayApprove: MayApprove;
  readonly sights: Pick<Sights, 'ofPerson'>;
  readonly silences: SilenceStore;
  /** Longest silence, in seconds. */
  readonly maxSeconds: number;
}

/** Several: of all workloads below an object that the person named. */
export type Silences = readonly [Silence, ...Silence[]];

type Silenced =
  /** `formers`: the silences of the same workloads that these replace. */
  | { readonly type: 'silenced'; readonly silences: Silences; readonly formers: readonly Silence[] }
  | { readonly type: 'too-long'; readonly maxSeconds: number }
  | { readonly type: 'choices'; readonly workloads: readonly WorkloadRef[] }
  | NotFound
  | Unreadable
  | Refused;

type Unsilenced =
  | { readonly type: 'lifted'; readonly silences: Silences }
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
      const found = await cluster.find({ ...query, parts: 'every' }, allowed.sight);
      if (found.type !== 'found') return found;
      const { workloads } = found;
      const [first, ...others] = workloads;
      if (first === undefined) {
        return { type: 'not-found', what: 'workload', name: query.name, nearest: [] };
      }
      if (others.length > 0 && !areOfOneOwner(query, workloads)) return { type: 'choices', workloads };
      const refused = await refusalOf(by, workloads);
      if (refused !== undefined) return refused;
      const now = clock.now();
      const at = now.toISOString();
      const until = new Date(now.getTime() + seconds * 1_000).toISOString();
      const told = { by, at, until, reason: reason.slice(0, keptReason), ...ownerIn(query) };
      const formers = await Promise.all(workloads.map((workload) => silences.of(workload)));
      for (const workload of workloads) {
        const details = { until, reason: told.reason };
        await silences.put({ workload, ...told }, { at, action: 'silenced', by, workload, details });
      }
      return {
        type: 'silenced',
        silences: [{ workload: first, ...told }, ...others.map((workload) => ({ workload, ...told }))],
        formers: formers.filter((each) => each !== undefined),
      };
    },
    async lift({ by, query }) {
      const allowed = await sightOrRefused(sights, by);
      if (allowed.type === 'refused') return allowed;
      const all = await visibleSilences(deps, allowed.sight);
      const meant = meantBy(query, all);
      const workloads = meant.map(({ workload }) => workload);
      if (meant.length > 1 && !areOfOneOwner(query, workloads)) return { type: 'choices', workloads };
      const refused = await refusalOf(by, workloads);
      if (refused !== undefined) return refused;
      const lifted: Silence[] = [];
      for (const { workload, until } of meant) {
        const at = clock.now().toISOString();
        const entry = { at, action: 'silence-lifted', by, workload, details: { until } } as const;
        const silence = await silences.lift(workload, entry);
        if (silence !== undefined) lifted.push(silence);
      }
      const [first, ...others] = lifted;
      return first === undefined
        ? { type: 'not-silenced', others: all }
        : { type: 'lifted', silences: [first, ...others] };
    },
    async list({ by }) {
      const allowed = await sightOrRefused(sights, by);
      if (allowed.type === 'refused') return allowed;
      return { type: 'silences', silences: await visibleSilences(deps, allowed.sight) };
    },
  };

  async function refusalOf(by: string, workloads: readonly WorkloadRef[]): Promise<Refused | undefined> {
    for (const workload of workloads) {
      const granted = await mayApprove({ workload }, by, 'silence');
      if (granted.type === 'refused') return granted;
    }
    return undefined;
  }
}

/** Workloads below one object that was named are silenced together. */
function areOfOneOwner({ owner }: NamedWorkload, workloads: readonly WorkloadRef[]): boolean {
  const places = new Set(workloads.map(({ cluster, namespace }) => `${cluster}/${namespace}`));
  return owner !== undefined && places.size === 1;
}

function ownerIn({ owner, name }: NamedWorkload): Pick<Silence, 'owner'> {
  return owner === undefined ? {} : { owner: { kind: owner, name } };
}

/** By an object above: those that were silenced by it. The objects need not exist any more. */
function meantBy(query: NamedWorkload, all: readonly Silence[]): readonly Silence[] {
  const { owner, ...below } = query;
  if (owner !== undefined) {
    return all.filter(
      (each) =>
        each.owner?.kind === owner &&
        each.owner.name === query.name &&
        isMeant({ ...below, name: each.workload.name }, each.workload),
    );
  }
  return all.filter(({ workload }) => isMeant(query, workload));
}

async function visibleSilences(
  { silences }: Pick<SilencingDeps, 'silences'>,
  sight: Sight,
): Promise<readonly Silence[]> {
  return (await silences.all()).filter(({ workload }) => visibleIn(sight, workload).workload);
}

/** The same store; silences that are made or read through it are kept in memory. */
export function keepSilences({
  store,
  ...deps
}: Pick<KeepInForceOptions<Silence>, 'audit' | 'sharedClock'> & { readonly store: SilenceStore }): Pick<
  KeptInForce<Silence>,
  'restoreLost'
> & { readonly silences: SilenceStore } {
  const kept = keepInForce<Silence>({
    ...deps,
    all: store.all,
    restore: store.restore,
    actions: { begins: 'silenced', ends: 'silence-lifted' },
  });
  const silences: SilenceStore = {
    ...store,
    async put(silence, decision) {
      await store.put(silence, decision);
      kept.keep(silence);
    },
    async lift(workload, decision) {
      const former = await store.lift(workload, decision);
      kept.forget({ workload });
      return former;
    },
  };
  return { silences, restoreLost: kept.restoreLost };
}
