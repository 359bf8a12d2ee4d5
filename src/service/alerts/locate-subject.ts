import type { Subject } from '../../doctor/alerts/subject.js';
import type { NamedWorkload } from '../../doctor/commands/command.js';
import type { Sight } from '../../doctor/policy/view.js';
import type { WorkloadRef } from '../../engine/objects/workload.js';
import type { Unreadable } from '../diagnose/cluster-reader.js';
import type { Located, WorkloadLocator } from './alert-ports.js';

export type SubjectLocated =
  /** These are meant, the worst first; `more` are left for people to choose from. */
  | {
      readonly type: 'workloads';
      readonly workloads: readonly WorkloadRef[];
      readonly more: readonly WorkloadRef[];
      readonly called: string;
    }
  /** One of these may be meant. */
  | {
      readonly type: 'choices';
      readonly about: 'name' | 'cluster';
      readonly called: string;
      readonly workloads: readonly WorkloadRef[];
    }
  | {
      readonly type: 'nothing';
      readonly because: 'nothing-named' | 'not-found' | 'not-diagnosed' | 'nothing-suffers';
      /** What the alert calls it, foreign text; '' where it names nothing. */
      readonly called: string;
    }
  | Unreadable;

/** Incidents that one alert opens at once; a node can hold hundreds of workloads. */
const fromOneAlert = 5;

/**
 * Asks the clusters which workloads a subject leads to. What is not certain becomes a question, never a
 * guess.
 */
export function createLocateSubject(locator: WorkloadLocator) {
  return async function locate(subject: Subject, sight: Sight): Promise<SubjectLocated> {
    switch (subject.type) {
      case 'workload': {
        const { query } = subject;
        return certain(await locator.named([query], sight), pathOf(query));
      }
      case 'pod': {
        const { pod } = subject;
        return certain(await locator.ownerOf(pod, sight), pathOf(pod));
      }
      case 'node': {
        const found = await locator.sufferingOn(subject, sight);
        if (found.type === 'unreadable') return found;
        if (found.workloads.length === 0) return nothing('nothing-suffers', subject.node);
        return {
          type: 'workloads',
          workloads: found.workloads.slice(0, fromOneAlert),
          more: found.workloads.slice(fromOneAlert),
          called: subject.node,
        };
      }
      case 'names':
        return ofNames(locator, subject, sight);
      case 'namespace': {
        const found = await locator.sufferingIn(subject, sight);
        if (found.type === 'unreadable') return found;
        const { namespace } = subject;
        return found.workloads.length === 0
          ? nothing('nothing-suffers', namespace)
          : { type: 'choices', about: 'name', called: namespace, workloads: found.workloads };
      }
      case 'foreign-cluster': {
        const inner = await locate(subject.of, sight);
        if (inner.type !== 'workloads' && inner.type !== 'choices') return inner;
        const { workloads } = inner;
        return { type: 'choices', about: 'cluster', called: subject.cluster, workloads };
      }
      case 'not-diagnosed':
        return nothing('not-diagnosed', `${subject.kind} ${subject.name}`);
      case 'none':
        return nothing('nothing-named', '');
    }
  };
}

async function ofNames(
  locator: WorkloadLocator,
  { cluster, workloads, pods, tokens }: Extract<Subject, { readonly type: 'names' }>,
  sight: Sight,
): Promise<SubjectLocated> {
  const place = cluster === undefined ? {} : { cluster };
  const asked = await Promise.all([
    locator.named(workloads, sight),
    ...pods.map((pod) => locator.ownerOf(pod, sight)),
    locator
      .named(
        tokens.map((name) => ({ ...place, name })),
        sight,
      )
      .then((found) => within(found, tokens)),
  ]);
  const located = asked.filter((each) => each.type === 'located');
  const found = unique(located.flatMap((each) => each.workloads));
  const unreadable = asked.find((each) => each.type === 'unreadable');
  if (found.length === 0 && unreadable !== undefined) return unreadable;
  const called = [...workloads, ...pods].map(pathOf).concat(tokens).slice(0, 3).join(', ');
  const others = located.flatMap((each) => each.others);
  return certain({ type: 'located', workloads: found, others }, called);
}

/** A bare word is a workload only where another word is its namespace. */
function within(found: Located | Unreadable, tokens: readonly string[]): Located | Unreadable {
  if (found.type === 'unreadable') return found;
  return { ...found, workloads: found.workloads.filter(({ namespace }) => tokens.includes(namespace)) };
}

function certain(found: Located | Unreadable, called: string): SubjectLocated {
  if (found.type === 'unreadable') return found;
  const { workloads, others } = found;
  const [other] = others;
  if (workloads.length === 1) return { type: 'workloads', workloads, more: [], called };
  if (workloads.length > 1) return { type: 'choices', about: 'name', called, workloads };
  if (other === undefined) return nothing('not-found', called);
  return nothing('not-diagnosed', `${other.kind} ${other.name}`);
}

function nothing(
  because: Extract<SubjectLocated, { readonly type: 'nothing' }>['because'],
  called: string,
): SubjectLocated {
  return { type: 'nothing', because, called };
}

function unique(workloads: readonly WorkloadRef[]): readonly WorkloadRef[] {
  return [...new Map(workloads.map((ref) => [JSON.stringify(ref), ref])).values()];
}

function pathOf({ cluster, namespace, name }: Omit<NamedWorkload, 'kind'>): string {
  return [cluster, namespace, name].filter((part) => part !== undefined).join('/');
}
