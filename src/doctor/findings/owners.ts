import type { Language } from '../../engine/language/language.js';
import { code, type Prose, quote, say, sentences } from '../../engine/language/prose.js';
import type { Statement } from '../../engine/language/statement.js';
import { type KserveService, ownerName } from '../../engine/objects/inference-service.js';
import type { Namespace } from '../../engine/objects/policy.js';
import type { Snapshot } from '../../engine/objects/snapshot.js';
import type { Workload } from '../../engine/objects/workload.js';
import type { Owner } from '../../engine/owners/field-drift.js';
import { writersOf } from '../../engine/owners/writers.js';
import { namedOwnerOf } from '../../engine/parents/parent-resource.js';
import { ownerObjectOf } from '../fixes/owner-target.js';
import { redact } from '../redaction/redact.js';
import type { Finding } from './finding.js';

/**
 * Who else writes the workload, surest first, and who writes the object that people own above it. An
 * autoscaler writes the number of replicas only.
 */
export function ownersOf({ workload, index }: Snapshot): readonly Owner[] {
  const { kind, metadata } = workload;
  const by = 'HorizontalPodAutoscaler';
  const autoscaler = index.objects.HorizontalPodAutoscaler.find(
    ({ metadata: own, spec: { scaleTargetRef } }) =>
      own.namespace === metadata.namespace &&
      scaleTargetRef.kind === kind &&
      scaleTargetRef.name === metadata.name,
  );
  const { namespace, name } = autoscaler?.metadata ?? metadata;
  const ref = namedOwnerOf(workload);
  const above = ref && ownerObjectOf({ index }, ref);
  const written = above === undefined ? [workload] : [workload, above];
  return [
    ...written.flatMap(writersOf).map(({ owner }) => owner),
    ...(autoscaler === undefined ? [] : [{ by, kind: by, namespace, name } as const]),
  ];
}

/** An object that people name in place of its workloads, and that has none: what its controller reports. */
export interface ChildlessOwner {
  /** `isvc/llm` */
  readonly name: string;
  readonly namespace: string;
  /** Conditions that do not hold, as its controller writes them; foreign text, redacted. */
  readonly conditions: readonly {
    readonly type: string;
    readonly reason: string;
    readonly message: string;
  }[];
}

/** Conditions that say more than the first ones are rare. */
const maxConditions = 3;

export function childlessOwnerOf({ kind, metadata, status }: KserveService): ChildlessOwner {
  const failed = status.conditions.filter((each) => each.status === 'False');
  // The sum of the others repeats one of them.
  const specific = failed.filter(({ type }) => type !== 'Ready');
  return {
    name: ownerName({ kind, name: metadata.name }),
    namespace: metadata.namespace,
    conditions: (specific.length > 0 ? specific : failed)
      .slice(0, maxConditions)
      .map(({ type, reason, message }) => ({ type, reason, message: redact(message) })),
  };
}

/** The answer to people in place of *not found*, on the command line and in Slack. */
export function childlessText(language: Language, owner: ChildlessOwner): Prose {
  return texts[language](owner);
}

const texts: Readonly<Record<Language, (owner: ChildlessOwner) => Prose>> = {
  en: ({ namespace, name, conditions }) =>
    sentences(
      say`${code(name)} exists in the namespace ${code(namespace)}, and its controller has made no workload.`,
      ...(conditions.length === 0 ? [say`Its conditions state no reason.`] : conditions.map(asReported)),
    ),
  ko: ({ namespace, name, conditions }) =>
    sentences(
      say`${code(namespace)} 네임스페이스에 ${code(name)} 오브젝트가 있지만 컨트롤러가 워크로드를 만들지 않았습니다.`,
      ...(conditions.length === 0 ? [say`컨디션에 이유가 없습니다.`] : conditions.map(asReported)),
    ),
};

function asReported({ type, reason, message }: ChildlessOwner['conditions'][number]): Prose {
  return message === ''
    ? say`${code(type)}: ${code(reason)}.`
    : say`${code(type)} (${code(reason)}): ${quote(message)}`;
}

/** The namespace or the workload, being deleted. */
export type DeletedObject = Workload | Namespace;

/**
 * Which of the namespace and the workload are being deleted, the namespace first, which takes the workload
 * with it. `undefined` where neither is.
 */
export function deletionOf({
  workload,
  index,
}: Snapshot): readonly [DeletedObject, ...DeletedObject[]] | undefined {
  const { namespace } = workload.metadata;
  const around = index.objects.Namespace.filter(({ metadata }) => metadata.name === namespace);
  const [first, ...more] = [...around, workload].filter(
    ({ metadata }) => metadata.deletionTimestamp !== undefined,
  );
  return first === undefined ? undefined : [first, ...more];
}

/** Why nothing is offered for a workload that is being deleted. */
export function noFix(): Statement {
  return { catalogue: 'workload-being-deleted', key: 'no-fix', values: {} };
}

/**
 * The same finding without fixes: a deletion cannot be undone, and a change would last until the object is
 * gone.
 */
export function withoutFixes(finding: Finding): Finding {
  const { remediations, withheld } = finding;
  const kinds = [...new Set(remediations.map(({ kind }) => kind))];
  return {
    ...finding,
    remediations: [],
    withheld: [...withheld, ...kinds.map((kind) => ({ kind, because: noFix() }))],
  };
}
