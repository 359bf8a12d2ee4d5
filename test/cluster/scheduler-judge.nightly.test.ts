import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { isTerminal, type Pod, podKey, qualifiedPodNames } from '#src/engine/objects/pod.js';
import type { Snapshot } from '#src/engine/objects/snapshot.js';
import { createPlacement } from '#src/engine/scheduler/placement.js';
import { rolloutStateOf } from '#src/engine/workloads/rollout-state.js';
import { scenarios } from '../support/scenarios/expectation.js';
import { snapshotOf } from '../support/scenarios/snapshot-of.js';
import { ensureTool } from './harness/tools.js';

/** What the scheduler's own framework answers about one pod. */
interface Answer {
  readonly error?: string;
  readonly pod?: Refusal;
  readonly nodes: Readonly<Record<string, Refusal | null>> | null;
}
interface Refusal {
  readonly plugin: string;
  readonly reasons: readonly string[];
}

interface Question {
  readonly objects: string;
  readonly release: string;
  readonly pod: string;
  readonly without: readonly string[];
}

/** Pods of one recording that are asked about; those of one owner are alike. */
const mostPods = 6;

const hasNode = ({ spec }: Pod): boolean => (spec.nodeName ?? '') !== '';

/** The plugin that refuses a pod first, on each node; `''` where the pod fits. */
interface Verdicts {
  readonly pod: string;
  readonly nodes: Readonly<Record<string, string>>;
}

interface Asked {
  readonly question: Question;
  /** By the engine; `undefined` where it does not tell. */
  readonly engine: Verdicts | undefined;
}

function questionsAbout(folder: string, snapshot: Snapshot): readonly Asked[] {
  const { index } = snapshot;
  const { major, minor } = index.serverVersion ?? { major: 1, minor: 36 };
  const release = `${major}.${Math.max(minor, 34)}`;
  const placement = createPlacement(index);
  const placed = index.objects.Pod.filter(hasNode);
  const own = rolloutStateOf(snapshot).pods.filter(hasNode);
  const waiting = index.objects.Pod.filter((pod) => !hasNode(pod) && !isTerminal(pod)).slice(0, mostPods);
  return waiting.flatMap((pod) =>
    [[], own, placed].map((without): Asked => {
      const { refusals, notSimulated, nodes } = placement.evaluate(pod, {
        without: new Set(without.map(podKey)),
      });
      const isKnown =
        refusals.length > 0 ||
        (notSimulated.length === 0 && nodes.every(({ outcome }) => outcome !== 'not-simulated'));
      const verdicts = {
        pod: refusals[0]?.plugin ?? '',
        nodes: Object.fromEntries(nodes.map(({ node, reasons }) => [node, reasons[0]?.plugin ?? ''])),
      };
      const [name = ''] = qualifiedPodNames([pod]);
      const objects = join(folder, 'objects.json');
      return {
        question: { objects, release, pod: name, without: qualifiedPodNames(without) },
        engine: isKnown ? verdicts : undefined,
      };
    }),
  );
}

/**
 * A pod as such is refused before any node is looked at. PreFilter names no plugin for a single node. Without
 * nodes the scheduler asks no plugin.
 */
function isSame(engine: Verdicts, { error, pod, nodes }: Answer): boolean {
  if (error !== undefined) return false;
  if (Object.keys(engine.nodes).length === 0)
    return pod !== undefined || Object.keys(nodes ?? {}).length === 0;
  if (pod !== undefined || engine.pod !== '') return pod?.plugin === engine.pod;
  return Object.entries(engine.nodes).every(([node, plugin]) => {
    const refusal = nodes?.[node];
    if (refusal?.plugin === 'PreFilter') return plugin !== '';
    return refusal === null ? plugin === '' : refusal?.plugin === plugin;
  });
}

async function answersOf(program: string, questions: readonly Question[]): Promise<readonly Answer[]> {
  return new Promise((resolve, reject) => {
    const child = execFile(program, { maxBuffer: 512 * 1024 * 1024 }, (error, stdout) => {
      if (error !== null) reject(error);
      else
        resolve(
          stdout
            .trimEnd()
            .split('\n')
            .map((line): Answer => JSON.parse(line)),
        );
    });
    child.stdin?.end(questions.map((each) => `${JSON.stringify(each)}\n`).join(''));
  });
}

it('answers for every pod that waits in a recording as the scheduler does', async () => {
  const { file } = await ensureTool('scheduler-judge');
  const asked: Asked[] = [];
  for (const scenario of scenarios()) {
    asked.push(...questionsAbout(scenario.folder, await snapshotOf(scenario)));
  }
  const answers = await answersOf(
    file,
    asked.map(({ question }) => question),
  );
  const compared = asked.flatMap(({ question, engine }, at) => {
    const answer = answers[at];
    if (engine === undefined || answer?.error?.startsWith(otherScheduler) === true) return [];
    return [{ question, engine, answer }];
  });
  const differences = compared.filter(
    ({ engine, answer }) => answer === undefined || !isSame(engine, answer),
  );
  console.log(`${compared.length} of ${asked.length} answers compared, ${differences.length} differ`);
  expect(differences).toEqual([]);
  expect(compared.length).toBeGreaterThan(leastCompared);
}, 900_000);

const otherScheduler = 'another scheduler';
/** Other schedulers decide about the rest. */
const leastCompared = 1_100;
