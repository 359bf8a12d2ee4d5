import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { CoreV1Event, KubernetesObject, V1ContainerState, V1Pod } from '@kubernetes/client-node';
import { type Scenario, scenarios, scenariosFolder } from '../support/scenarios/expectation.js';

/*
 * `npx tsx test/node/compare-recordings.ts`: what kubelets say in recordings that no kubelet made, and in no
 * recording of a real node with the same cause. Each line is a guess that a real node did not confirm.
 */

const real = join(scenariosFolder, 'real-node');

/** What a kubelet writes, without the names, numbers and quotations of one incident. */
function wordsOf({ folder, expect }: Scenario): ReadonlySet<string> {
  const { items = [] } = JSON.parse(readFileSync(join(folder, 'objects.json'), 'utf8')) as {
    items?: readonly KubernetesObject[];
  };
  const own = items.filter((object) => object.metadata?.namespace === expect.workload.namespace);
  return new Set([...own.filter(isEvent).flatMap(wordsOfEvent), ...own.filter(isPod).flatMap(wordsOfPod)]);
}

const isEvent = (object: KubernetesObject): object is CoreV1Event => object.kind === 'Event';
const isPod = (object: KubernetesObject): object is V1Pod => object.kind === 'Pod';

function wordsOfEvent({ reason = '', message = '', source, reportingComponent }: CoreV1Event) {
  const isKubelet = source?.component === 'kubelet' || reportingComponent === 'kubelet';
  return isKubelet ? [`event ${reason}: ${skeletonOf(message)}`] : [];
}

function wordsOfPod({ status = {} }: V1Pod): readonly string[] {
  const containers = [...(status.initContainerStatuses ?? []), ...(status.containerStatuses ?? [])];
  return [
    ...(status.reason === undefined
      ? []
      : [`pod ${status.phase} ${status.reason}: ${skeletonOf(status.message)}`]),
    ...(status.conditions ?? [])
      .filter(({ type }) => type !== 'PodScheduled')
      .map(
        ({ type, status: is, reason = '', message }) =>
          `condition ${type}=${is} ${reason}: ${skeletonOf(message)}`,
      ),
    ...containers.flatMap(({ state = {}, lastState = {} }) => [
      ...wordsOfState('state', state),
      ...wordsOfState('last state', lastState),
    ]),
  ];
}

function wordsOfState(which: string, { waiting, terminated }: V1ContainerState): readonly string[] {
  return [
    ...(waiting === undefined ? [] : [`${which} waiting ${waiting.reason}: ${skeletonOf(waiting.message)}`]),
    ...(terminated === undefined
      ? []
      : [`${which} terminated ${terminated.reason}: ${skeletonOf(terminated.message)}`]),
  ];
}

/** At most 200 characters: messages of runtimes end in paths. */
function skeletonOf(message = ''): string {
  return message
    .slice(0, 600)
    .replace(/"[^"]{0,300}"/g, '"*"')
    .replace(/\[[^\]]{0,300}\]/g, '[*]')
    .replace(/\b(?:pod|container)=?\s?\S{1,200}/g, '*')
    .replace(/\S*\d\S*/g, '#')
    .slice(0, 200)
    .trim();
}

const all = [...scenarios(), ...scenarios(real)];
const isReal = ({ folder }: Scenario): boolean => folder.startsWith(real);
const causes = [...new Set(all.filter(isReal).flatMap(({ expect }) => expect.cause ?? []))].sort();
for (const cause of causes) {
  const ofCause = all.filter(({ expect }) => expect.cause === cause);
  const confirmed = new Set(ofCause.filter(isReal).flatMap((one) => [...wordsOf(one)]));
  const guesses = new Map<string, string[]>();
  for (const one of ofCause.filter((each) => !isReal(each))) {
    for (const words of wordsOf(one)) {
      if (!confirmed.has(words))
        guesses.set(words, [...(guesses.get(words) ?? []), relative(scenariosFolder, one.folder)]);
    }
  }
  console.log(`\n${cause}: ${confirmed.size} forms of a real node, ${guesses.size} others`);
  for (const [words, folders] of [...guesses].sort())
    console.log(`  ${words}  (${folders.length}: ${folders.slice(0, 2).join(', ')})`);
}
