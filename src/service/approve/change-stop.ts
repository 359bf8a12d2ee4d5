import type { ChangeStop } from '../../doctor/policy/brakes.js';
import type { CurrentPolicy } from '../../doctor/policy/policy.js';
import { redact } from '../../doctor/redaction/redact.js';
import type { WorkloadRef } from '../../engine/objects/workload.js';
import type { Refused } from '../people/conversation.js';
import type { ChangeStopStore } from '../people/people-ports.js';
import { type Sights, sightOrRefused } from '../people/sights.js';
import { type KeepInForceOptions, type KeptInForce, keepInForce } from '../records/keep-in-force.js';
import { type CheckBrakes, type ShowBrakeDeps, showBrake } from './check-brakes.js';
import type { MayApprove } from './may-approve.js';

interface SwitchChangesDeps extends ShowBrakeDeps {
  readonly checkBrakes: CheckBrakes;
  readonly sights: Pick<Sights, 'ofPerson'>;
  readonly mayApprove: MayApprove;
  readonly policy: CurrentPolicy;
  readonly stops: ChangeStopStore;
}

export type ChangesSwitched =
  | { readonly type: 'stopped'; readonly stop: ChangeStop; readonly isNew: boolean }
  | { readonly type: 'allowed'; readonly former: ChangeStop | 'unreadable' | undefined }
  /** `inPolicy`: the reason why the policy stops all changes. */
  | { readonly type: 'state'; readonly stop: ChangeStop | undefined; readonly inPolicy: string | undefined }
  | Refused;

/** The stop switch for all changes of this installation. */
export interface SwitchChanges {
  stop(request: { readonly by: string; readonly reason: string }): Promise<ChangesSwitched>;
  allow(request: { readonly by: string }): Promise<ChangesSwitched>;
  show(request: { readonly by: string }): Promise<ChangesSwitched>;
}

const maxReason = 300;
/** Cards that are written again when changes are stopped or allowed. */
const maxCards = 100;
const shownMs = 24 * 3_600_000;

/**
 * A person needs the action `stop-changes` for all clusters and namespaces, since the switch holds for all of
 * them. The switch takes effect at the next change: a change that a worker has already started goes on.
 */
export function createSwitchChanges(deps: SwitchChangesDeps): SwitchChanges {
  const { clock, sights, policy, stops } = deps;
  const state = async (): Promise<ChangesSwitched> => ({
    type: 'state',
    stop: await stops.get(),
    inPolicy: policy().brakes.stopped,
  });
  return {
    async stop({ by, reason }) {
      const refused = await refusal(deps, by);
      if (refused !== undefined) return refused;
      const at = clock.now().toISOString();
      const stop: ChangeStop = { by, at, reason: redact(reason).slice(0, maxReason) };
      const isNew = await stops.put(stop, {
        at,
        action: 'changes-stopped',
        by,
        details: { reason: stop.reason },
      });
      await showOnCards(deps);
      return { type: 'stopped', stop: isNew ? stop : ((await stops.get()) ?? stop), isNew };
    },
    async allow({ by }) {
      const refused = await refusal(deps, by);
      if (refused !== undefined) return refused;
      const at = clock.now().toISOString();
      const former = await stops.lift({ at, action: 'changes-allowed', by, details: {} });
      await showOnCards(deps);
      return policy().brakes.stopped === undefined ? { type: 'allowed', former } : state();
    },
    async show({ by }) {
      const allowed = await sightOrRefused(sights, by);
      return allowed.type === 'refused' ? allowed : state();
    },
  };
}

/**
 * Cards of incidents that people may still change say at once that changes are stopped, or are allowed again.
 */
async function showOnCards(deps: SwitchChangesDeps): Promise<void> {
  const since = deps.clock.now().getTime() - shownMs;
  for (const { id, workload, diagnosis, updatedAt } of await deps.incidents.recent(maxCards)) {
    const offers = diagnosis?.findings.some(({ remediations }) => remediations.length > 0) ?? false;
    if (!offers || Date.parse(updatedAt) < since) continue;
    const braked = await deps.checkBrakes({ workload, undoes: false });
    await showBrake(deps, id, braked?.because);
  }
}

/** Stands for all workloads of all clusters: only a grant for all of them matches. */
export const everywhere: WorkloadRef = { cluster: '*', kind: 'Deployment', namespace: '*', name: '*' };

async function refusal({ mayApprove }: SwitchChangesDeps, by: string): Promise<Refused | undefined> {
  const allowed = await mayApprove({ workload: everywhere }, by, 'stop-changes');
  return allowed.type === 'refused' ? allowed : undefined;
}

/** The same store; the stop that is made or read through it is kept in memory. */
export function keepChangeStop({
  store,
  ...deps
}: Pick<KeepInForceOptions<ChangeStop>, 'audit' | 'sharedClock'> & { readonly store: ChangeStopStore }): Pick<
  KeptInForce<ChangeStop>,
  'restoreLost'
> & { readonly stops: ChangeStopStore } {
  const kept = keepInForce<ChangeStop>({
    ...deps,
    async all() {
      const stop = await store.get();
      return stop === undefined ? [] : [stop];
    },
    restore: store.put,
    actions: { begins: 'changes-stopped', ends: 'changes-allowed' },
  });
  const stops: ChangeStopStore = {
    ...store,
    async put(stop, decision) {
      const isNew = await store.put(stop, decision);
      if (isNew) kept.keep(stop);
      return isNew;
    },
    async lift(decision) {
      const former = await store.lift(decision);
      kept.forget({});
      return former;
    },
  };
  return { stops, restoreLost: kept.restoreLost };
}
