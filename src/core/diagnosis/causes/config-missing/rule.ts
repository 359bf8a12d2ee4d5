import { type ConfigReference, environmentReferences } from '../../../cluster/config-references.js';
import type { Container } from '../../../cluster/pod-spec.js';
import { workloadKinds } from '../../../cluster/workload.js';
import type { Statement } from '../../../language/statement.js';
import { textAfter } from '../../../language/text-scanning.js';
import { crashFinding, podsStatement } from '../../crashes/crash-finding.js';
import { detectEach } from '../../crashes/detect-each.js';
import { failingPodsOf } from '../../crashes/failing-pods.js';
import { type FailureGroup, healthyPredecessors } from '../../crashes/failure-group.js';
import { crash } from '../../crashes/text.js';
import type { Advice } from '../../finding.js';
import { podNeeds } from '../../needs.js';
import { objectNotFound } from '../../object-not-found.js';
import type { Rule } from '../../rule.js';
import { workloadName } from '../../stuck-rollout.js';
import { ConfigMissingFacts } from './facts.js';
import { state, text } from './text.js';

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
        state('keeps-asking'),
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
