import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import type { LocalCluster } from '../cluster/local-cluster.js';
import type { IncidentSeed } from '../cluster/seed/incident-seed.js';
import type { TourStep } from '../slack/demo-state.js';
import type { ApiCall } from '../slack/web-api/call-log.js';
import { deploymentOf, isRolledOut } from './deployments.js';

export interface Tour {
  /** Starts at the first step, with the workloads as they are now. */
  begin(): void;
  /** Receives what a person did in Slack. */
  noteInteraction(payload: unknown): void;
  /** Receives what the app did in Slack. */
  noteCall(call: Pick<ApiCall, 'method' | 'args'>): void;
  /** Receives that something in the cluster changed. */
  noteCluster(): void;
  done(): readonly TourStep[];
}

const Card = z.object({
  metadata: z.object({ event_payload: z.object({ key: z.string().endsWith('.card') }) }),
});
const Review = z.object({ view: z.object({ callback_id: z.literal('remediation.review') }) });
const Press = z.object({
  type: z.literal('block_actions'),
  user: z.object({ id: z.string() }),
  actions: z.tuple([z.object({ action_id: z.string() })]),
});

/**
 * Records which steps of the tour are done, by whichever person. It reads the calls of the app, the clicks of
 * people and the state of the cluster, and no words of a card.
 */
export function createTour(
  cluster: Pick<LocalCluster, 'find'>,
  seeds: readonly IncidentSeed[],
  mayApprove: (userId: string) => boolean,
): Tour {
  const done = new Set<TourStep>();
  /** What was asked for before anybody changed it. */
  let before = new Map<IncidentSeed, unknown>();
  const changed = new Set<IncidentSeed>();
  return {
    begin() {
      done.clear();
      changed.clear();
      before = new Map(seeds.map((seed) => [seed, deploymentOf(cluster, seed)?.spec]));
    },
    noteInteraction(payload) {
      const press = Press.safeParse(payload).data;
      const action = press?.actions[0].action_id;
      if (action === 'incident.proof') done.add('proof');
      // The last step. Before a fix was applied, the steps on the way to it are still open.
      const isRefused = action === 'remediation.review' && press !== undefined && !mayApprove(press.user.id);
      if (isRefused && done.has('apply')) done.add('undo');
    },
    noteCall({ method, args }) {
      if (method === 'chat.postMessage' && Card.safeParse(args).success) done.add('ask');
      if (method.startsWith('views.') && Review.safeParse(args).success) done.add('review');
    },
    noteCluster() {
      for (const seed of seeds) {
        const deployment = deploymentOf(cluster, seed);
        if (deployment === undefined) continue;
        const isAsBefore = isDeepStrictEqual(deployment.spec, before.get(seed));
        if (isAsBefore && changed.has(seed)) done.add('undo');
        if (isAsBefore || !isRolledOut(deployment)) continue;
        changed.add(seed);
        done.add('apply');
      }
    },
    done: () => [...done],
  };
}
