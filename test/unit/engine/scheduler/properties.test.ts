import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { indexObjects } from '#src/engine/objects/cluster-index.js';
import { clusterObjects } from '#src/engine/objects/cluster-objects.js';
import type { Node } from '#src/engine/objects/node.js';
import type { Pod } from '#src/engine/objects/pod.js';
import { parseServerVersion } from '#src/engine/objects/release-rules.js';
import { createPlacement } from '#src/engine/scheduler/placement.js';
import type { Reason } from '#src/engine/scheduler/reason.js';
import { node, placementOf, pod, type SpecWire } from '../../../support/placement-builders.js';

const ZONE = 'topology.kubernetes.io/zone';
const HOST = 'kubernetes.io/hostname';

const amounts = fc.record(
  {
    cpu: fc.constantFrom('0', '250m', '0.5', '1', '1500m', '2e0'),
    memory: fc.constantFrom('512Mi', '1Gi', '1.5Gi', '2Gi'),
    'nvidia.com/gpu': fc.constantFrom('1', '2'),
  },
  { requiredKeys: [] },
);
const app = fc.constantFrom('web', 'db');
const term = fc.record({
  topologyKey: fc.constantFrom(ZONE, HOST),
  labelSelector: fc.record({ matchLabels: fc.record({ app }) }),
});
const terms = fc.array(term, { maxLength: 2 });
const rules = fc.record({
  near: fc.oneof({ weight: 4, arbitrary: fc.constant([]) }, { weight: 1, arbitrary: terms }),
  far: terms,
  spread: terms,
});

interface Rules {
  readonly near: readonly object[];
  readonly far: readonly object[];
  readonly spread: readonly object[];
}

function specOf({ near, far, spread }: Rules): SpecWire {
  return {
    affinity: {
      podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: near },
      podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: far },
    },
    topologySpreadConstraints: spread.map((one) => ({ ...one, maxSkew: 1 })),
  } as SpecWire;
}

const nodes = fc
  .array(
    fc.record({
      zone: fc.constantFrom('a', 'b', undefined),
      gpu: fc.constantFrom('0', '1', '2'),
      closed: fc.nat({ max: 5 }),
    }),
    { minLength: 1, maxLength: 4 },
  )
  .map((list) =>
    list.map(({ zone, gpu, closed }, index) =>
      node(`n${index}`, {
        labels: zone === undefined ? {} : { [ZONE]: zone },
        allocatable: { cpu: '3', memory: '4Gi', pods: '4', 'nvidia.com/gpu': gpu },
        unschedulable: closed === 0,
      }),
    ),
  );

const shape = fc.record({
  amounts,
  app,
  rules,
  host: fc.nat({ max: 4 }),
  port: fc.nat({ max: 4 }),
  leaving: fc.nat({ max: 9 }),
});
const pods = (all: readonly Node[]) =>
  fc.array(shape, { maxLength: 7 }).map((list) =>
    list.map((one, index) =>
      pod(`p${index}`, {
        on: `n${one.host % all.length}`,
        requests: one.amounts as Record<string, string>,
        labels: { app: one.app },
        terminating: one.leaving === 0,
        spec: specOf({ ...one.rules, near: [], spread: [] }),
        ...(one.port === 0 ? { hostPort: 80 } : {}),
      }),
    ),
  );
const cluster = nodes.chain((all) =>
  fc.record({
    all: fc.constant(all),
    running: pods(all),
    wanted: shape.map((one) =>
      pod('new', {
        requests: one.amounts as Record<string, string>,
        labels: { app: one.app },
        spec: specOf(one.rules),
        ...(one.port === 0 ? { hostPort: 80 } : {}),
      }),
    ),
  }),
);

const key = (one: Pod) => one.metadata.uid;
const keys = (list: readonly Pod[]) => new Set(list.map(key));
const without = (list: readonly Pod[], index: number) => list.filter((_, other) => other !== index);

function subsets<Item>(items: readonly Item[]): readonly (readonly Item[])[] {
  const sets: (readonly Item[])[] = [[]];
  for (const item of items) sets.push(...sets.map((set) => [...set, item]));
  return sets;
}

describe('in any cluster', () => {
  test('removing a pod never makes a fit impossible, except by affinity and spread', () => {
    fc.assert(
      fc.property(cluster, fc.nat(), ({ all, running, wanted }, which) => {
        const plain = {
          ...wanted,
          spec: {
            ...wanted.spec,
            topologySpreadConstraints: [],
            affinity: {
              ...wanted.spec.affinity,
              podAffinity: undefined,
              nodeAffinity: undefined,
              podAntiAffinity: wanted.spec.affinity?.podAntiAffinity,
            },
          },
        };
        const removed = running[which % Math.max(1, running.length)];
        fc.pre(removed !== undefined);
        const placement = placementOf({ Node: all, Pod: running });
        for (const one of all) {
          if (placement.check(plain, one).outcome === 'fits') {
            expect(placement.check(plain, one, keys(removed === undefined ? [] : [removed])).outcome).toBe(
              'fits',
            );
          }
        }
      }),
      { numRuns: 150 },
    );
  });

  test('the sets of a counterfactual make the pod fit, and no proper subset does', () => {
    fc.assert(
      fc.property(cluster, ({ all, running, wanted }) => {
        const placement = placementOf({ Node: all, Pod: running });
        for (const answer of placement.wouldFitIf(wanted, running).nodes) {
          const here = all.find(({ metadata }) => metadata.name === answer.node);
          if (here === undefined) throw new Error(answer.node);
          for (const set of [answer.remove, ...answer.alternatives]) {
            expect(placement.check(wanted, here, keys(set)).outcome).toBe('fits');
            for (const part of subsets(set)) {
              if (part.length < set.length)
                expect(placement.check(wanted, here, keys(part)).outcome).toBe('refused');
            }
          }
        }
      }),
      { numRuns: 150 },
    );
  });

  test('a counterfactual finds a set exactly where some set of removable pods helps, and none is smaller', () => {
    fc.assert(
      fc.property(cluster, fc.nat({ max: 3 }), ({ all, running, wanted }, keep) => {
        const removable = running.slice(keep);
        const placement = placementOf({ Node: all, Pod: running });
        const answers = new Map(placement.wouldFitIf(wanted, removable).nodes.map((one) => [one.node, one]));
        for (const one of all) {
          const helping = subsets(removable).filter(
            (set) => placement.check(wanted, one, keys(set)).outcome === 'fits',
          );
          const fewest = Math.min(...helping.map(({ length }) => length));
          expect(answers.get(one.metadata.name)?.remove.length ?? Number.POSITIVE_INFINITY).toBe(fewest);
        }
      }),
      { numRuns: 100 },
    );
  });

  test('simulating the removal of pods equals their absence', () => {
    fc.assert(
      fc.property(cluster, fc.nat(), ({ all, running, wanted }, which) => {
        fc.pre(running.length > 0);
        const index = which % running.length;
        const removed = running[index];
        if (removed === undefined) return;
        const thought = placementOf({ Node: all, Pod: running }).evaluate(wanted, {
          without: keys([removed]),
        });
        const real = placementOf({ Node: all, Pod: without(running, index) }).evaluate(wanted);
        expect(plain(thought.nodes)).toEqual(plain(real.nodes));
      }),
      { numRuns: 150 },
    );
  });

  test('simulating the addition of a pod equals its presence', () => {
    fc.assert(
      fc.property(cluster, ({ all, running, wanted }) => {
        const [extra, ...rest] = running;
        fc.pre(extra !== undefined);
        const thought = placementOf({ Node: all, Pod: rest }).with({
          add: extra === undefined ? [] : [extra],
        });
        expect(plain(thought.evaluate(wanted).nodes)).toEqual(
          plain(placementOf({ Node: all, Pod: running }).evaluate(wanted).nodes),
        );
      }),
      { numRuns: 150 },
    );
  });

  test('the order of the objects does not matter', () => {
    fc.assert(
      fc.property(cluster, ({ all, running, wanted }) => {
        const turned = createPlacement(
          indexObjects(
            { ...clusterObjects({}), Node: [...all].reverse(), Pod: [...running].reverse() },
            undefined,
            parseServerVersion('v1.36.3'),
          ),
        );
        const straight = placementOf({ Node: all, Pod: running });
        expect(plain(turned.evaluate(wanted).nodes)).toEqual(plain(straight.evaluate(wanted).nodes));
        expect(turned.evaluate(wanted).message()).toBe(straight.evaluate(wanted).message());
        expect(plain(turned.wouldFitIf(wanted, [...running].reverse()))).toEqual(
          plain(straight.wouldFitIf(wanted, running)),
        );
        expect(plain(turned.nearestNodes(wanted, 9))).toEqual(plain(straight.nearestNodes(wanted, 9)));
      }),
      { numRuns: 150 },
    );
  });

  test('the same question gets the same answer twice, and a refused node has a reason', () => {
    fc.assert(
      fc.property(cluster, ({ all, running, wanted }) => {
        const placement = placementOf({ Node: all, Pod: running });
        const [first, second] = [placement.evaluate(wanted), placement.evaluate(wanted)];
        expect(plain(first.nodes)).toEqual(plain(second.nodes));
        for (const { outcome, reasons } of first.nodes)
          expect(outcome === 'refused').toBe(reasons.length > 0);
        expect(first.message() === undefined).toBe(first.feasible.length > 0);
      }),
      { numRuns: 100 },
    );
  });

  test('every named holder is on the node in question, and uses the missing resource', () => {
    fc.assert(
      fc.property(cluster, ({ all, running, wanted }) => {
        for (const verdict of placementOf({ Node: all, Pod: running }).evaluate(wanted).nodes) {
          for (const reason of verdict.reasons) expect(holdsWhatIsShort(reason, verdict.node)).toBe(true);
        }
      }),
      { numRuns: 100 },
    );
  });
});

function holdsWhatIsShort(reason: Reason, where: string): boolean {
  if (!('holders' in reason) || !('short' in reason)) return true;
  return reason.holders.every(
    ({ spec }) =>
      spec.nodeName === where &&
      (reason.resource === 'pods' ||
        spec.containers.some(({ resources }) => reason.resource in resources.requests)),
  );
}

/** Plain data, holders by name: what two answers must agree on. */
function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value, (_, part: unknown) => (isPod(part) ? part.metadata.name : part)));
}

function isPod(part: unknown): part is Pod {
  return typeof part === 'object' && part !== null && 'kind' in part && part.kind === 'Pod';
}
