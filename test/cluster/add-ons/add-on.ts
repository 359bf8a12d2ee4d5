import type { Diagnosis } from '#src/doctor/findings/diagnosis.js';
import type { RequestedChange } from '#src/doctor/fixes/requested-change.js';
import { fullSight } from '#src/doctor/policy/view.js';
import { diagnosisText } from '#src/edges/terminal/diagnosis-text.js';
import type { WorkloadRef } from '#src/engine/objects/workload.js';
import { createEngine, createTell } from '#src/service/create-engine.js';
import type { Cluster } from '../harness/cluster.js';
import type { Program } from '../harness/program.js';

/** Nothing changes any longer. */
export const diagnoseAfterSeconds = 120;

/** What the shipped rights of an add-on are tried on. */
export interface Scene {
  readonly cluster: Cluster;
  readonly program: Program;
  readonly shop: string;
}

/** A workload that needs the rights, and the part of its answer that tells whether they were there. */
export interface Asked {
  readonly workload: WorkloadRef;
  /** What a person asks for. */
  readonly requested?: RequestedChange;
  /** Reviewed with each set of rights: the worker of changes reads, and tries each in a dry run. */
  readonly reviews?: readonly string[];
  /** Parts of the answer's text. */
  readonly mentions?: readonly RegExp[];
}

export interface Staged {
  readonly asked: readonly Asked[];
  /** Plays what the fix needs, until it is ended. */
  readonly startOthers?: () => () => Promise<void>;
}

/** What one right changes about the answer: lines that are gone without it, and lines in their place. */
export interface Without {
  readonly gone: readonly string[];
  readonly instead: readonly string[];
}

/** A line that states what the accounts may not do. */
export const statesRefusal = (line: string): boolean => /forbidden|dry-run-refused/.test(line);
/** A line that claims a wait cycle of the rollout with itself for certain. */
export const provesDeadlock = (line: string): boolean => /-deadlock, proven$/.test(line);

export interface AddOn {
  /** In `deploy/rbac`. */
  readonly file: string;
  /** Applied in the namespace of the workload. */
  readonly isPerNamespace?: boolean;
  /** Its own controller runs beside the control plane: built for the night. */
  readonly hasController?: boolean;
  /** Makes the API server serve its kinds; a controller that was started is ended by what is returned. */
  readonly prepare?: (cluster: Cluster) => Promise<(() => Promise<void>) | undefined>;
  readonly stage: (scene: Scene) => Promise<Staged>;
  /** Applied to the first workload with all rights; its verdict must be `recovered`. */
  readonly fix?: string;
}

const engine = createEngine();
const tell = createTell();
const paint = { colour: false, width: 10_000 };
const textOf = (diagnosis: Diagnosis): string =>
  diagnosisText(diagnosis, { tell, language: 'en', paint, evidence: true }).replaceAll(/\s+/g, ' ');

/** Why it was refused, without names that differ from run to run. */
const refused = (error: unknown): string => {
  const message = error instanceof Error ? error.message : String(error);
  const because = /"(?:because|key)":"([^"]+)"/.exec(message)?.[1] ?? message;
  return `refused, ${because}`;
};
const mainOf = ({ findings }: Diagnosis): string => {
  const [first] = findings.filter(({ severity }) => severity !== 'info');
  return first === undefined ? 'nothing' : `${first.cause}, ${first.confidence}`;
};

/** What the program answers about the workloads: found by name, diagnosed, reviewed and scanned. */
export async function answerOf({ program, shop }: Scene, asked: readonly Asked[]): Promise<string[]> {
  const lines: string[] = [];
  for (const each of asked) lines.push(...(await answerAbout(program, each)));
  const scan = await program.reader.scope(
    { cluster: 'test', namespace: shop },
    engine.needs,
    AbortSignal.timeout(60_000),
  );
  if (scan.type !== 'scope') return [...lines, `scan: ${JSON.stringify(scan)}`];
  const takenAt = new Date(Date.parse(scan.takenAt) + diagnoseAfterSeconds * 1_000).toISOString();
  for (const snapshot of scan.snapshots) {
    const { kind, metadata } = snapshot.workload;
    lines.push(`scan: ${kind} ${metadata.name}: ${mainOf(engine.diagnose({ ...snapshot, takenAt }))}`);
  }
  return [...new Set([...lines, ...unseenIn('scan', shop, scan.unseen)])];
}

async function answerAbout(
  program: Program,
  { workload, requested, reviews = [], mentions = [] }: Asked,
): Promise<readonly string[]> {
  const { kind, namespace, name } = workload;
  const found = await program.reader.find({ namespace, name }, fullSight);
  const names =
    found.type === 'found' ? found.workloads.map((each) => `${each.kind} ${each.name}`) : [found.type];
  const lines = names.map((each) => `find ${name}: ${each}`);
  const snapshot = await program.reader.snapshot(workload, engine.needs);
  if (snapshot.type !== 'snapshot')
    return [
      ...lines,
      `${kind} ${name}: ${snapshot.type === 'unreadable' ? snapshot.because : snapshot.type}`,
    ];
  const diagnosed = await program.diagnose(workload, requested).catch(refused);
  if (typeof diagnosed === 'string') return [...lines, `${kind} ${name}: ${diagnosed}`];
  const { incident, diagnosis } = diagnosed;
  lines.push(`${kind} ${name}: ${mainOf(diagnosis)}`);
  if (diagnosis.ownedBy !== undefined) lines.push(`owner of ${name}: ${diagnosis.ownedBy.kind}`);
  const offered = diagnosis.findings.flatMap(({ remediations }) => remediations.map((each) => each.kind));
  if (offered.length > 0) lines.push(`fixes of ${name}: ${[...new Set(offered)].join(', ')}`);
  const text = textOf(diagnosis);
  lines.push(...mentions.filter((each) => each.test(text)).map((each) => `text of ${name}: ${each.source}`));
  lines.push(...unseenIn(name, namespace, diagnosis.unseen));
  for (const { kind: owner, because } of snapshot.snapshot.unreadOwners ?? [])
    lines.push(`unread above ${name}: ${owner}, ${because}`);
  for (const id of reviews) {
    const review = await program.review(incident, id).catch(refused);
    lines.push(`review of ${id} of ${name}: ${typeof review === 'string' ? review : 'accepted'}`);
    if (typeof review === 'string') continue;
    for (const { path, verdict, restsOn } of review.approval.plan.survival ?? [])
      lines.push(`lasts, ${path}: ${verdict.type}, ${restsOn.map(({ type }) => type).join(' and ')}`);
  }
  return lines;
}

function unseenIn(
  where: string,
  shop: string,
  unseen: readonly { readonly what: string; readonly namespace: string; readonly because: string }[],
): readonly string[] {
  return unseen
    .map(({ what, namespace, because }) => {
      const place = namespace === shop ? '' : ` of ${namespace === '' ? 'all namespaces' : namespace}`;
      return `unseen by ${where}: ${what}${place}, ${because}`;
    })
    .sort();
}
