import type { QuotaBlock } from '../../../engine/creation/quota-block.js';
import type { Language } from '../../../engine/language/language.js';
import type { Prose } from '../../../engine/language/prose.js';
import { inRole, type Statement, type StatementValue } from '../../../engine/language/statement.js';
import type { Gang } from '../../../engine/neighbours/pod-gang.js';
import type { ClusterQueue, QueuedWorkload } from '../../../engine/objects/kueue.js';
import type { Pod } from '../../../engine/objects/pod.js';
import type { Unseen } from '../../../engine/objects/snapshot.js';
import type { FlavorAmounts } from '../../../engine/queues/quota-assignment.js';
import type { RuledOut } from '../finding.js';
import type { Examination } from '../rule.js';

/** What a new pod waits for and pods of its own former revisions hold, by kind of place. */
interface Places {
  /** Room, a device, a port or a volume on some node. */
  readonly node: {
    /** New pods that the scheduler refuses, alike to it. */
    readonly waiting: readonly [Pod, ...Pod[]];
    /** Of a group, pods of another template: what frees the place of one of them counts as well. */
    readonly alsoWaiting: readonly Pod[];
  };
  /** A ResourceQuota, which refuses that the pod is created. */
  readonly quota: { readonly block: QuotaBlock };
  /** Quota of a ClusterQueue of Kueue. */
  readonly queue: {
    readonly queue: ClusterQueue;
    readonly workload: QueuedWorkload;
    readonly usage: FlavorAmounts;
    /** Workloads of the rollout itself. */
    readonly own: ReadonlySet<QueuedWorkload>;
  };
  /** A volume for one node, which is attached to this one. */
  readonly volume: { readonly waiting: Pod; readonly node: string };
  /** A lock; by a Lease where its holder renews one. */
  readonly lock: { readonly isLease: boolean };
  /** Enough pods of a group that starts together. */
  readonly gang: { readonly gang: Gang };
  /** Places of several rollouts that wait for each other in a circle. */
  readonly cycle: {
    /** Workloads that an autoscaler may reduce, as `namespace/name`. */
    readonly shrinking: readonly string[];
    /** Pods beside the circle that may leave. */
    readonly leaving: readonly Pod[];
  };
}
export type PlaceKind = keyof Places;
export type PlaceOf<Kind extends PlaceKind> = Places[Kind] & {
  readonly kind: Kind;
  /** Own pods of former revisions that hold it. */
  readonly holders: readonly Pod[];
};
export type Place = { [Kind in PlaceKind]: PlaceOf<Kind> }[PlaceKind];

/** What an escape found out about one place. A deadlock is proven only where every answer is `closed`. */
export interface Answer {
  readonly by: Escape;
  /** `open`: the place becomes free, so there is no deadlock. */
  readonly kind: 'closed' | 'open' | 'may-open' | 'not-read';
  /** Pods, nodes, workloads or queues by which the place may become free. */
  readonly names: readonly string[];
  /** What a card states of it. */
  readonly says?: Statement;
}

type Says<Values> = { readonly [Each in Language]: (values: Values) => Prose };
type Unread = Pick<Unseen, 'namespace' | 'because'>;

/** Sentences of the status line that name what alone may still free the place, the plainest first. */
export const statusLines = [
  'standing-but-for-jobs',
  'standing-but-for-evictions',
  'standing-but-for-leaving',
  'standing-but-for-neighbours',
  'standing-but-for-autoscaler',
] as const;

/** What an escape declares besides what it finds. */
interface Declared {
  readonly id: string;
  /** It may find that the place becomes free for certain. */
  readonly decides?: true;
  /** Nothing of it is under way: it may come at any time or never. */
  readonly isAtAnyTime?: true;
  /** It names what stops pods. */
  readonly stopsPods?: true;
  readonly statusLine?: (typeof statusLines)[number];
  /** The cause for which a place is mistaken, and why it is another one where this way is closed. */
  readonly rulesOut?: RuledOut;
}

/**
 * One way in which a place may become free without a change by people.
 *
 * @typeParam Facts the values of its sentence
 */
interface Way<Facts> extends Declared {
  /**
   * Asks about a place, for each kind that it opens. Facts without names, or none, leave it closed. `before`
   * has the answers of those that the list has first.
   */
  readonly opens: {
    readonly [Kind in PlaceKind]?: (
      place: PlaceOf<Kind>,
      world: Examination,
      before: readonly Answer[],
    ) => Facts | 'open' | undefined;
  };
  readonly names?: (facts: Facts) => readonly string[];
  /** The key of its sentence, where several ways share one; else its id. */
  readonly key?: string;
  readonly says?: Says<Facts>;
  /** What could not be read and would show whether it is closed, with the key of its sentence. */
  readonly unread?: {
    readonly key: string;
    readonly of: (place: Place, world: Examination) => Unread | undefined;
    readonly says: Says<Unread>;
  };
}

/** A way without the type of its facts, for the list of all. */
export interface Escape extends Declared {
  readonly opens: readonly PlaceKind[];
  readonly examine: (place: Place, world: Examination, before: readonly Answer[]) => Answer;
  readonly sentences: { readonly [Each in Language]: { readonly [key: string]: (values: never) => Prose } };
}

/** An escape with its statement, for whatever names it outside of a deadlock. */
type Stated<Facts> = Escape & { readonly state: (facts: Facts) => Statement };
type Values = { readonly [value: string]: StatementValue };

export const escapesCatalogueId = 'escapes';

export function defineEscape<Facts extends Values>(way: Way<Facts>): Stated<Facts> {
  const { names, key = way.id, says, unread } = way;
  const state = (of: string, values: Values): Statement => ({
    catalogue: escapesCatalogueId,
    key: of,
    values,
  });
  const sentencesIn = (language: Language) => ({
    ...(says && { [key]: says[language] }),
    ...(unread && { [unread.key]: unread.says[language] }),
  });
  const made: Stated<Facts> = {
    ...way,
    opens: Object.keys(way.opens) as readonly PlaceKind[],
    sentences: { en: sentencesIn('en'), ko: sentencesIn('ko') },
    state: (facts) => state(key, facts),
    examine(place, world, before) {
      const ask = way.opens[place.kind] as
        | ((...asked: [Place, Examination, readonly Answer[]]) => Facts | 'open' | undefined)
        | undefined;
      if (ask === undefined) return { by: made, kind: 'closed', names: [] };
      const found = ask(place, world, before);
      if (found === 'open') return { by: made, kind: found, names: [] };
      const named = (found && names?.(found)) ?? [];
      if (found !== undefined && (names === undefined || named.length > 0)) {
        const said = state(key, found);
        return {
          by: made,
          kind: 'may-open',
          names: named,
          says: way.isAtAnyTime ? said : inRole('escape', said),
        };
      }
      const missing = unread?.of(place, world);
      if (unread === undefined || missing === undefined) return { by: made, kind: 'closed', names: [] };
      const { namespace, because } = missing;
      return { by: made, kind: 'not-read', names: [], says: state(unread.key, { namespace, because }) };
    },
  };
  return made;
}
