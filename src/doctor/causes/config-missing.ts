import * as z from 'zod';
import { code, quote, say } from '../../engine/language/prose.js';
import { type Statement, statementsOf } from '../../engine/language/statement.js';
import { textAfter } from '../../engine/language/text-scanning.js';
import { names } from '../../engine/language/words.js';
import { type ConfigReference, environmentReferences } from '../../engine/objects/config-references.js';
import type { Container } from '../../engine/objects/pod-spec.js';
import { workloadKinds } from '../../engine/objects/workload.js';
import { crashFinding, podsStatement } from '../findings/crashes/crash-finding.js';
import { crashFacts, missingObjectFacts } from '../findings/crashes/facts.js';
import type { FailingPods } from '../findings/crashes/failing-pods.js';
import { detectEach, failingPods, failingPodsOf } from '../findings/crashes/failing-pods.js';
import { type FailureGroup, healthyPredecessors } from '../findings/crashes/failure-group.js';
import { crash } from '../findings/crashes/text.js';
import { fact } from '../findings/facts.js';
import type { Advice } from '../findings/finding.js';
import { type NeededObject, objectNotFound } from '../findings/object-not-found.js';
import type { Rule } from '../findings/rule.js';
import { podNeeds } from '../findings/rule.js';
import { workloadName } from '../findings/stuck-rollout.js';

const en = {
  'shared-failure': () => say`a ConfigMap or Secret is missing`,
  summary: ({ workload, kind, name, key }: NeededObject) =>
    key === undefined
      ? say`${code(workload)} needs ${code(kind)} ${code(name)}, which does not exist`
      : say`${code(workload)} needs key ${code(key)} of ${code(kind)} ${code(name)}, which does not exist`,
  'summary-other': ({ workload, container }: { workload: string; container: string }) =>
    say`${code(workload)}: the kubelet cannot create container ${code(container)} with its configuration`,
  standing: (pods: FailingPods) => say`${failingPods('en', pods)} cannot start until this is fixed.`,
  says: ({ container, message }: { container: string; message: string }) =>
    say`The kubelet reports for ${code(container)}: ${quote(message)}`,
  wants: (values: {
    container: string;
    variable: string | undefined;
    kind: string;
    name: string;
    key: string | undefined;
  }) =>
    values.variable === undefined
      ? say`${code(values.container)} loads environment variables from ${code(values.kind)} ${code(values.name)}.`
      : say`${code(values.container)} sets ${code(values.variable)} from ${code(values.kind)} ${code(values.name)}${values.key === undefined ? [] : say`, key ${code(values.key)}`}.`,
  'keeps-asking': () =>
    say`The kubelet retries every few seconds. The pod starts on its own once the object or key exists.`,
  'former-does-not-need': ({ pods }: { pods: readonly string[] }) =>
    say`Pods of the previous revision run without it: ${names('en', pods)}.`,
  'because-not-pulled': () => say`the image is already on the node, and the failure happens one step later`,
  'restart-withheld': () => say`New pods would need the same object.`,
  'advice-add-title': ({ kind, name }: { kind: string; name: string }) =>
    say`Create what is missing in ${code(kind)} ${code(name)}`,
  'advice-optional-title': () => say`Or make the reference optional`,
  'advice-optional': () =>
    say`With ${code('optional: true')} the container starts even when the object or key is missing.`,
  'advice-user-title': () => say`Set the user that the container runs as`,
  'advice-user': () =>
    say`Set a numeric, non-zero user in the image, or set ${code('runAsUser')} in the security context.`,
};

const ko: typeof en = {
  'shared-failure': () => say`ConfigMap 또는 Secret이 없음`,
  summary: ({ workload, kind, name, key }) =>
    key === undefined
      ? say`${code(workload)}: 필요한 ${code(kind)} ${code(name)} 오브젝트가 없습니다`
      : say`${code(workload)}: 필요한 ${code(kind)} ${code(name)}의 ${code(key)} 키가 없습니다`,
  'summary-other': ({ workload, container }) =>
    say`${code(workload)}: kubelet이 ${code(container)} 컨테이너를 설정대로 만들지 못합니다`,
  standing: (pods) => say`문제를 해결할 때까지 ${failingPods('ko', pods)}가 시작되지 않습니다.`,
  says: ({ container, message }) => say`${code(container)} 컨테이너에 대한 kubelet 메시지: ${quote(message)}`,
  wants: ({ container, variable, kind, name, key }) =>
    variable === undefined
      ? say`${code(container)} 컨테이너는 ${code(kind)} ${code(name)}에서 환경 변수를 가져옵니다.`
      : say`${code(container)} 컨테이너는 ${code(variable)} 값을 ${code(kind)} ${code(name)}${key === undefined ? [] : say`의 ${code(key)} 키`}에서 가져옵니다.`,
  'keeps-asking': () =>
    say`kubelet이 몇 초마다 다시 시도합니다. 오브젝트나 키가 생기면 파드가 자동으로 시작됩니다.`,
  'former-does-not-need': ({ pods }) =>
    say`이전 리비전 파드는 이것 없이도 실행 중입니다: ${names('ko', pods)}.`,
  'because-not-pulled': () => say`이미지는 이미 노드에 있고, 그다음 단계에서 실패함`,
  'restart-withheld': () => say`새 파드에도 같은 오브젝트가 필요합니다.`,
  'advice-add-title': ({ kind, name }) => say`${code(kind)} ${code(name)}에 없는 것을 만들기`,
  'advice-optional-title': () => say`또는 참조를 optional로 바꾸기`,
  'advice-optional': () => say`${code('optional: true')}이면 오브젝트나 키가 없어도 컨테이너가 시작됩니다.`,
  'advice-user-title': () => say`컨테이너를 실행할 사용자 정하기`,
  'advice-user': () =>
    say`이미지에 0이 아닌 숫자 사용자를 지정하거나 securityContext에 ${code('runAsUser')} 값을 설정하세요.`,
};

const text = { en, ko };

const state = statementsOf<typeof en>('config-missing');

const ConfigMissingFacts = z.strictObject({
  ...crashFacts,
  missing: z
    .strictObject({
      ...missingObjectFacts,
      variable: fact.text('The environment variable that is set from it').optional(),
    })
    .describe('What the container needs; absent where the message names no object that it references')
    .optional(),
  healthyPods: fact.names('Ready pods of former revisions, which do not need it'),
});

/**
 * The kubelet cannot make the container as its template asks: a ConfigMap, a Secret or a key of one is not
 * there, or the user it should run as is not settled (`CreateContainerConfigError`). It asks again without a
 * back-off.
 */
export const configMissing: Rule<typeof ConfigMissingFacts> = {
  id: 'config-missing',
  facts: ConfigMissingFacts,
  text,
  origin: 'template',
  appliesTo: workloadKinds,
  needs: podNeeds,
  supersedes: ['crash-loop-after-rollout', 'application-crash', 'progress-deadline-exceeded'],
  ...detectEach('config-missing', (examination, failureGroup) => {
    const { snapshot } = examination;
    const { podFailures, container } = failureGroup;
    const [first] = podFailures;
    const missing = first.container && missingObject(first.container.spec, first.message);
    const workload = workloadName(snapshot);
    const former = healthyPredecessors(snapshot, failureGroup).map(({ metadata }) => metadata.name);
    return crashFinding(examination, failureGroup, {
      confidence: missing === undefined ? 'likely' : 'proven',
      summary:
        missing === undefined
          ? state('summary-other', { workload, container })
          : state('summary', { workload, kind: missing.kind, name: missing.name, key: missing.key }),
      facts: { missing: missing && neededOf(missing), healthyPods: former },
      standing: state('standing', failingPodsOf(failureGroup)),
      reasoning: [
        podsStatement(failureGroup),
        state('says', { container, message: first.message }),
        ...wants(container, missing),
        ...(missing === undefined && objectNotFound(first.message) === undefined
          ? []
          : [state('keeps-asking')]),
        ...(former.length === 0 ? [] : [state('former-does-not-need', { pods: former })]),
      ],
      ...(missing === undefined
        ? {}
        : {
            resource: missing.kind,
            holders: [{ kind: missing.kind, namespace: first.pod.metadata.namespace, name: missing.name }],
          }),
      ruledOut: [
        { cause: 'image-pull-failure', because: state('because-not-pulled') },
        { cause: 'application-crash', because: crash('because-never-ran', { container }) },
      ],
      withheld: [{ kind: 'restart-rollout', because: state('restart-withheld') }],
      advice: adviceOf(failureGroup, missing),
    });
  }),
};

function neededOf({ kind, name, key, variable }: MissingObject) {
  return { kind, name, key, variable };
}

function wants(container: string, missing: MissingObject | undefined): readonly Statement[] {
  if (missing === undefined) return [];
  const { variable, kind, name, key } = missing;
  return [state('wants', { container, variable, kind, name, key })];
}

function adviceOf(
  { podFailures: [{ message, pod }] }: FailureGroup,
  missing: MissingObject | undefined,
): readonly Advice[] {
  if (missing === undefined) {
    return /runAsNonRoot|run as root/.test(message)
      ? [{ title: state('advice-user-title'), text: state('advice-user') }]
      : [];
  }
  const { kind, name, key, variable } = missing;
  const reference = kind === 'ConfigMap' ? 'configMapKeyRef' : 'secretKeyRef';
  const value = kind === 'ConfigMap' ? '"…"' : '"…"   # from your secret store, not from Git';
  const field = kind === 'ConfigMap' ? 'data' : 'stringData';
  return [
    {
      title: state('advice-add-title', { kind, name }),
      text: crash('advice-add'),
      snippet: `apiVersion: v1\nkind: ${kind}\nmetadata:\n  namespace: ${pod.metadata.namespace}\n  name: ${name}\n${field}:\n  ${key ?? 'KEY'}: ${value}\n`,
    },
    ...(variable === undefined || key === undefined
      ? []
      : [
          {
            title: state('advice-optional-title'),
            text: state('advice-optional'),
            snippet: `- name: ${variable}\n  valueFrom:\n    ${reference}:\n      name: ${name}\n      key: ${key}\n      optional: true\n`,
          },
        ]),
  ];
}

/** The ConfigMap or Secret that a container cannot do without, and who asks for it. */
export type MissingObject = ConfigReference;

/**
 * Which object the kubelet misses (kubernetes `kubelet_pods.go: makeEnvironmentVariables`):
 * `couldn't find key K in ConfigMap ns/n`, `configmap "n" not found`, `secret "n" not found`. The names come
 * from the container's own references, chosen by the message, so that a message that names something else
 * proves nothing.
 */
export function missingObject(container: Container, message: string): MissingObject | undefined {
  const wanted = environmentReferences(container);
  const lacking = textAfter(message, "couldn't find key ");
  const byKey = /^(\S+) in (ConfigMap|Secret) (\S+)$/.exec(lacking ?? '');
  if (byKey !== null) {
    const [, missing, of, path = ''] = byKey;
    const called = path.slice(path.lastIndexOf('/') + 1);
    return wanted.find(({ kind, name, key }) => key === missing && kind === of && name === called);
  }
  const whole = objectNotFound(message);
  if (whole === undefined) return undefined;
  const found = wanted.find(({ kind, name }) => name === whole.name && kind.toLowerCase() === whole.kind);
  return found && { ...found, key: undefined };
}
