import type { ObjectRef } from '../cluster/metadata.js';
import type { Pod } from '../cluster/pod.js';
import type { ResourceQuota } from '../cluster/quota.js';
import type { Difference } from '../rollout/pod-oracle.js';
import {
  chargesOf,
  fitsInto,
  type QuotaCharges,
  roomBesideCharges,
  roomOf,
} from '../rollout/quota-charges.js';
import { createRunningQuotaUsage } from '../rollout/running-quota-usage.js';
import type { RefusedOwner } from './refused-owners.js';

/** Pods of refused owners that one creation is tried against. */
const maxTaken = 200;

/** One simulation in which refused owners may create their pods whenever the quotas have room for them. */
export interface QuotaContest {
  /** False where the owners may have used the room up before the pod is created. Then they have. */
  readonly leavesRoomFor: (pod: Pod, difference: Difference) => boolean;
  /** Whether the owner may have one more pod to place by then. */
  readonly mayHavePod: (owner: RefusedOwner, difference: Difference) => boolean;
  /** One of the owner's pods takes a place on a node. */
  readonly placePod: (owner: RefusedOwner) => void;
  /** Owners that took something so far. */
  readonly winners: () => readonly ObjectRef[];
  /** Owners and pods examined since the last call. */
  readonly takeWork: () => number;
}

interface Taken {
  created: number;
  placed: number;
}

/**
 * The pauses between the attempts of a controller are not visible in the objects, so the order of the owners
 * is not known. An owner creates pods at the moment at which they keep out a pod of the workload: an earlier
 * creation would leave the same room.
 *
 * @param stored a pod as the API server would store it
 * @param now epoch milliseconds
 */
export function createQuotaContest(
  owners: readonly RefusedOwner[],
  quotas: readonly ResourceQuota[],
  stored: (pod: Pod) => Pod,
  now: number,
): QuotaContest {
  const usage = {
    removed: createRunningQuotaUsage(now, (pod) => pod),
    added: createRunningQuotaUsage(now, stored),
  };
  const taken = new Map(owners.map((owner): [RefusedOwner, Taken] => [owner, { created: 0, placed: 0 }]));
  let work = 0;

  const freeRoom = ({ gone, created }: Difference): QuotaCharges => {
    work += quotas.length;
    return roomOf(quotas, now, { removed: gone, added: created, usage });
  };
  const withoutTaken = (room: QuotaCharges): QuotaCharges =>
    [...taken].reduce((left, [{ charges }, { created }]) => roomBesideCharges(left, charges, created), room);
  const missing = (owner: RefusedOwner): number => owner.missing - (taken.get(owner)?.created ?? 0);

  /**
   * Creations of these owners, in this order, that leave too little for `asked`; `undefined` when none do.
   */
  const keepingOut = (
    order: readonly RefusedOwner[],
    asked: QuotaCharges,
    room: QuotaCharges,
  ): ReadonlyMap<RefusedOwner, number> | undefined => {
    let left = room;
    let count = 0;
    const creations = new Map<RefusedOwner, number>();
    for (const owner of order) {
      for (let pods = 1; pods <= missing(owner) && count < maxTaken; pods += 1) {
        work += 1;
        if (!fitsInto(left, owner.charges)) break;
        left = roomBesideCharges(left, owner.charges);
        creations.set(owner, pods);
        count += 1;
        if (!fitsInto(left, asked)) return creations;
      }
    }
    return undefined;
  };

  return {
    leavesRoomFor(pod, difference) {
      const asked = chargesOf(stored(pod), quotas, now);
      const room = freeRoom(difference);
      // Nobody else is the reason then.
      if (!fitsInto(room, asked)) return true;
      const left = withoutTaken(room);
      if (!fitsInto(left, asked)) return false;
      const rivals = owners.filter(({ charges }) => sharesResource(left, charges, asked));
      for (const first of rivals) {
        const order = [first, ...rivals.filter((owner) => owner !== first)];
        const creations = keepingOut(order, asked, left);
        if (creations === undefined) continue;
        for (const [owner, pods] of creations) {
          const own = taken.get(owner);
          if (own !== undefined) own.created += pods;
        }
        return false;
      }
      return true;
    },
    mayHavePod(owner, difference) {
      const { created = 0, placed = 0 } = taken.get(owner) ?? {};
      if (placed < created) return true;
      return missing(owner) > 0 && fitsInto(withoutTaken(freeRoom(difference)), owner.charges);
    },
    placePod(owner) {
      const own = taken.get(owner);
      if (own === undefined) return;
      own.placed += 1;
      own.created = Math.max(own.created, own.placed);
    },
    winners: () => [...taken].filter(([, { created }]) => created > 0).map(([{ owner }]) => owner),
    takeWork() {
      const spent = work;
      work = 0;
      return spent;
    },
  };
}

function sharesResource(room: QuotaCharges, one: QuotaCharges, other: QuotaCharges): boolean {
  return [...room.keys()].some((key) => (one.get(key) ?? 0n) > 0n && (other.get(key) ?? 0n) > 0n);
}
