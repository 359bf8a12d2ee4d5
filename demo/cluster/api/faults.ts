import type { JsonObject } from '../json.js';

/** Which requests a fault strikes; what is absent matches everything. */
export interface FaultMatch {
  readonly verbs?: readonly string[];
  /** Plural names, with the subresource if it is one: `deployments`, `pods/log`. */
  readonly resources?: readonly string[];
  readonly namespace?: string;
  readonly name?: string;
  readonly user?: string;
  readonly dryRun?: boolean;
  /** Pages of a list after the first. */
  readonly continued?: boolean;
}

export type FaultEffect =
  /** Answers as usual, later. */
  | { readonly type: 'delay'; readonly ms: number }
  /** Answers with a Status of that code, in place of carrying the request out or after it. */
  | {
      readonly type: 'status';
      readonly code: number;
      readonly isDone?: boolean;
      readonly reason?: string;
      readonly message?: string;
      readonly retryAfterSeconds?: number;
    }
  /** Takes the request and never answers. */
  | { readonly type: 'hang' }
  /** Cuts the connection. */
  | { readonly type: 'reset' }
  /** Carries the request out and cuts the connection before the answer. */
  | { readonly type: 'lose-answer' }
  /** Carries the request out and never answers. */
  | { readonly type: 'withhold-answer' }
  /** Answers with something that is no JSON. */
  | { readonly type: 'garbage' }
  /** A validating webhook refuses the write. */
  | { readonly type: 'deny'; readonly webhook: string; readonly message: string }
  /** A webhook with side effects: writes pass, dry runs are refused. */
  | { readonly type: 'no-dry-run'; readonly webhook: string }
  /** A mutating webhook changes what is written. */
  | { readonly type: 'mutate'; readonly mutate: (object: JsonObject) => void };

export interface Fault {
  readonly match?: FaultMatch;
  readonly effect: FaultEffect;
  /** Strikes so often and is gone; always when absent. */
  readonly times?: number;
}

export interface FaultRequest {
  readonly verb: string;
  readonly resource: string;
  readonly namespace: string;
  readonly name: string;
  readonly user: string;
  readonly dryRun: boolean;
  readonly continued?: boolean;
}

/** Faults that tests and demos switch on and off while the cluster runs. */
export interface Faults {
  /** Gives the function that takes it away. */
  add(fault: Fault): () => void;
  clear(): void;
  /** The effects that strike this request, each used up once. */
  strike(request: FaultRequest, types: readonly FaultEffect['type'][]): readonly FaultEffect[];
}

export function createFaults(): Faults {
  const active = new Map<Fault, number>();
  return {
    add(fault) {
      active.set(fault, fault.times ?? Number.POSITIVE_INFINITY);
      return () => {
        active.delete(fault);
      };
    },
    clear: () => active.clear(),
    strike(request, types) {
      const effects: FaultEffect[] = [];
      for (const [fault, left] of [...active]) {
        if (!types.includes(fault.effect.type) || !matches(fault.match ?? {}, request)) continue;
        effects.push(fault.effect);
        if (left <= 1) active.delete(fault);
        else active.set(fault, left - 1);
      }
      return effects;
    },
  };
}

function matches(match: FaultMatch, request: FaultRequest): boolean {
  return (
    (match.verbs === undefined || match.verbs.includes(request.verb)) &&
    (match.resources === undefined || match.resources.includes(request.resource)) &&
    (match.namespace === undefined || match.namespace === request.namespace) &&
    (match.name === undefined || match.name === request.name) &&
    (match.user === undefined || match.user === request.user) &&
    (match.dryRun === undefined || match.dryRun === request.dryRun) &&
    (match.continued === undefined || match.continued === request.continued)
  );
}
