import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { Certificate, certify } from '#src/doctor/findings/deadlock/certificate.js';
import { verify } from '../../../scripts/verify-certificate.mjs';
import type { Property } from '../property.js';
import { diagnosisOf, type Recorded, reading, snapshotOf } from '../recorded.js';

type Json = { [field: string]: Json } | Json[] | string | number | boolean | null | undefined;

const certifiedOf = reading(async (recorded) =>
  certify(await snapshotOf(recorded), await diagnosisOf(recorded)),
);

function objectsOf({ folder }: Recorded): readonly object[] {
  return JSON.parse(readFileSync(join(folder, 'objects.json'), 'utf8')).items;
}

/** A certificate with one fact that is not so. */
type Forgery = readonly [what: string, forged: Certificate];

/** Filters whose answers the verifier computes again, whatever the pod asks for. */
const recomputed: ReadonlySet<string> = new Set([
  'NodeUnschedulable',
  'TaintToleration',
  'NodeAffinity',
  'NodePorts',
  'NodeResourcesFit',
]);

/** Every certificate that differs in one of the facts that the verifier computes again. */
function forgeriesOf(certificate: Certificate): readonly Forgery[] {
  const { place, scheduler, controllers, escapes, admission } = certificate;
  const withNode = (change: (verdict: Verdict) => Verdict, at: number, on: number): Certificate => ({
    ...certificate,
    scheduler: scheduler.map((each, position) =>
      position === at
        ? { ...each, nodes: each.nodes.map((verdict, node) => (node === on ? change(verdict) : verdict)) }
        : each,
    ),
  });
  return [
    ...place.holders.map(
      ({ name }): Forgery => [
        `${name} is no holder`,
        { ...certificate, place: { ...place, holders: place.holders.filter((each) => each.name !== name) } },
      ],
    ),
    ...escapes.flatMap(({ way }): readonly Forgery[] => [
      [
        `${way} may open`,
        {
          ...certificate,
          escapes: escapes.map((each) =>
            each.way === way ? { ...each, answer: 'may-open' as const } : each,
          ),
        },
      ],
      [`${way} is left out`, { ...certificate, escapes: escapes.filter((each) => each.way !== way) }],
    ]),
    ...controllers.flatMap((controller, at): readonly Forgery[] => {
      const { strategy, workload, sets } = controller;
      if (workload.kind !== 'Deployment' || strategy === undefined) return [];
      const forged = (other: Certificate['controllers'][number]): Certificate => ({
        ...certificate,
        controllers: controllers.map((each, position) => (position === at ? other : each)),
      });
      return [
        [
          'maxUnavailable is higher',
          forged({ ...controller, strategy: { ...strategy, unavailable: (strategy.unavailable ?? 0) + 1 } }),
        ],
        [
          'fewer pods are available',
          forged({
            ...controller,
            counts: { ...controller.counts, available: controller.counts.available + 1 },
          }),
        ],
        [
          'a ReplicaSet has another size',
          forged({ ...controller, sets: sets.map((set) => ({ ...set, replicas: set.replicas + 1 })) }),
        ],
        ['the controller acts', forged({ ...controller, rest: 'settling' })],
      ];
    }),
    ...admission.map(
      (each, at): Forgery => [
        `${each.resource} has a higher limit`,
        {
          ...certificate,
          admission: admission.map((other, position) =>
            position === at ? { ...other, limited: `9${other.limited}` } : other,
          ),
        },
      ],
    ),
    ...scheduler.flatMap(({ nodes }, at) =>
      nodes.flatMap(({ node, filters }, on): readonly Forgery[] => [
        ...filters
          .filter(({ plugin, refusals }) => refusals.length > 0 && recomputed.has(plugin))
          .map(
            ({ plugin }): Forgery => [
              `${plugin} passes on ${node}`,
              withNode((verdict) => withRefusals(verdict, plugin, () => []), at, on),
            ],
          ),
        ...filters
          .filter(({ plugin, refusals }) => refusals.length === 0 && recomputed.has(plugin))
          .map(
            ({ plugin }): Forgery => [
              `${plugin} refuses on ${node}`,
              withNode((verdict) => withRefusals(verdict, plugin, () => [{ what: 'affinity' }]), at, on),
            ],
          ),
        ...filters
          .filter(({ plugin, refusals }) => plugin === 'NodeResourcesFit' && refusals.length > 0)
          .map(
            ({ plugin }): Forgery => [
              `${node} has more`,
              withNode(
                (verdict) =>
                  withRefusals(verdict, plugin, (refusals) =>
                    refusals.map((each) =>
                      each.what === 'resource' ? { ...each, allocatable: `1${each.allocatable}` } : each,
                    ),
                  ),
                at,
                on,
              ),
            ],
          ),
      ]),
    ),
    ...certificate.restsOn.map(
      (ref): Forgery => [
        `${ref.kind} ${ref.name} has another version`,
        {
          ...certificate,
          restsOn: certificate.restsOn.map((each) =>
            each === ref ? { ...each, resourceVersion: `${each.resourceVersion}1` } : each,
          ),
        },
      ],
    ),
  ];
}

type Verdict = Certificate['scheduler'][number]['nodes'][number];
type Refusals = Verdict['filters'][number]['refusals'];

function withRefusals(verdict: Verdict, plugin: string, change: (refusals: Refusals) => Refusals): Verdict {
  const filters = verdict.filters.map((each) =>
    each.plugin === plugin ? { ...each, refusals: change(each.refusals) } : each,
  );
  return { ...verdict, filters };
}

/** What changes in the cluster while nobody changes the certificate. Versions stay as they are. */
const changes: Readonly<Record<string, (object: Json, certificate: Certificate) => unknown>> = {
  'the nodes have ten times as much': (object) =>
    of(object, 'Node') ? JSON.parse(tenfold(JSON.stringify(object))) : object,
  'maxUnavailable is 1': (object) =>
    of(object, 'Deployment')
      ? withField(object, ['spec', 'strategy', 'rollingUpdate', 'maxUnavailable'], 1)
      : object,
  'a holder is gone': (object, { place }) =>
    of(object, 'Pod') && nameIn(object) === place.holders[0]?.name ? {} : object,
};

const of = (object: Json, kind: string): boolean => fieldOf(object, 'kind') === kind;
const nameIn = (object: Json): Json => fieldOf(fieldOf(object, 'metadata'), 'name');

function fieldOf(value: Json, field: string): Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value[field] : undefined;
}

function withField(value: Json, [field = '', ...path]: readonly string[], last: Json): Json {
  const fields: { readonly [name: string]: Json } =
    typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {};
  return { ...fields, [field]: path.length === 0 ? last : withField(fields[field], path, last) };
}

function tenfold(text: string): string {
  return text.replace(/"allocatable":\{[^}]{0,2000}\}/, (all) => all.replaceAll(/":"(\d{1,20})/g, '":"9$1'));
}

/** Whether the verifier computes with what changes. */
function bearsOn(what: string, { place, scheduler, controllers, workload }: Certificate): boolean {
  if (place.kind !== 'node' || workload.kind !== 'Deployment') return false;
  const filters = scheduler.flatMap(({ nodes }) => nodes.flatMap((each) => each.filters));
  if (what === 'the nodes have ten times as much')
    return filters.some(({ plugin, refusals }) => plugin === 'NodeResourcesFit' && refusals.length > 0);
  return what !== 'maxUnavailable is 1' || controllers[0]?.strategy?.unavailable === 0;
}

/** At least so many recorded deadlocks have a certificate, and so many leave nothing to trust. */
const leastCertified = 180;
const leastWholly = 90;
/** Of one certificate, spread over all its facts: one of many nodes has thousands, and each reads all nodes. */
const mostForgeries = 80;

export const certificates: readonly Property[] = [
  {
    name: 'has a certificate for a proven deadlock, which a program that shares nothing with the engines accepts',
    async check(recorded, saw) {
      const certified = await certifiedOf(recorded);
      const { findings } = await diagnosisOf(recorded);
      const isProven = findings.some(
        ({ confidence, facts }) => confidence === 'proven' && facts !== undefined && 'escapes' in facts,
      );
      expect('certificate' in certified).toBe(isProven);
      if (!('certificate' in certified)) return;
      const certificate = Certificate.parse(JSON.parse(JSON.stringify(certified.certificate)));
      const { faults, notJudged } = verify(certificate, objectsOf(recorded));
      expect(faults).toEqual([]);
      saw('certificate');
      if (notJudged.length === 0) saw('nothing to trust');
    },
    whole(seen) {
      expect(seen.get('certificate')).toBeGreaterThanOrEqual(leastCertified);
      expect(seen.get('nothing to trust')).toBeGreaterThanOrEqual(leastWholly);
    },
  },
  {
    name: 'has no certificate that stands after one of its facts, or of the objects, was changed',
    async check(recorded, saw) {
      const certified = await certifiedOf(recorded);
      if (!('certificate' in certified)) return;
      const certificate: Certificate = JSON.parse(JSON.stringify(certified.certificate));
      const objects = objectsOf(recorded);
      const forgeries = forgeriesOf(certificate);
      const step = Math.ceil(forgeries.length / mostForgeries);
      const tried = forgeries.filter((_, at) => at % step === 0);
      const accepted = tried.filter(([, forged]) => {
        saw('forged');
        return verify(forged, objects).isAccepted;
      });
      expect(accepted.map(([what]) => what)).toEqual([]);
      for (const [what, change] of Object.entries(changes)) {
        if (!bearsOn(what, certificate)) continue;
        const changed = objects.map((object) => change(object as Json, certificate) as object);
        saw(what);
        expect([what, verify(certificate, changed).isAccepted]).toEqual([what, false]);
      }
    },
    whole(seen) {
      expect(seen.get('forged')).toBeGreaterThan(leastCertified * 30);
    },
  },
];
