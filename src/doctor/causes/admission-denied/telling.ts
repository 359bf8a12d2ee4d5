import type { Denial } from '../../../engine/creation/denial.js';
import type { Statement } from '../../../engine/language/statement.js';
import { isObjectName } from '../../../engine/objects/metadata.js';
import type { Snapshot } from '../../../engine/objects/snapshot.js';
import type { Advice } from '../../findings/finding.js';
import { endingOf } from '../../log-lines/ending-kinds.js';
import type { RefuserKind } from './text.js';
import { state } from './text.js';

/** Every refusal that is not a quota's being used up. */
export type Refused =
  | Exclude<Denial, { kind: 'quota' }>
  | {
      readonly kind: 'must-specify';
      readonly quota: string;
      readonly missing: readonly { readonly resource: string; readonly containers: readonly string[] }[];
    };

/** The denial as this cause sees it; `undefined` when a quota is used up. */
export function refusedBy(denial: Denial): Refused | undefined {
  if (denial.kind !== 'quota') return denial;
  return denial.refusal.kind === 'must-specify' ? denial.refusal : undefined;
}

/** The headline of the finding. */
export function headlineOf(
  refused: Refused,
  values: { readonly workload: string; readonly missing: number },
): Statement {
  const trouble = troubleOfAnswer(refused);
  if (trouble === undefined) return state('summary', { ...values, refuser: refused.kind });
  return state(trouble === 'answer' ? 'summary-answer' : 'summary-certificate', values);
}

/** What refuses and why, in one statement. `ranges`: LimitRanges with the bound that is named. */
export function refusalStatement(refused: Refused, namespace: string, ranges: readonly string[]): Statement {
  switch (refused.kind) {
    case 'pod-security': {
      const { level, violations } = refused;
      return state('pod-security', { namespace, level, violations });
    }
    case 'limit-range':
      return state('limit-range', { ranges, violations: refused.violations });
    case 'webhook-unreachable': {
      const { webhook, said } = refused;
      switch (troubleOfAnswer(refused)) {
        case undefined:
          return state('webhook-unreachable', { webhook, said });
        case 'answer':
          return state('webhook-answer', { webhook, said });
        default:
          return state('webhook-certificate', { webhook, said });
      }
    }
    default: {
      const { kind, ...values } = refused;
      return state(kind, values as never);
    }
  }
}

/**
 * The webhook can be reached: the API server does not trust it, for its certificate or for the clock, or what
 * it answers is no decision.
 */
function troubleOfAnswer(refused: Refused): 'certificate' | 'clock' | 'answer' | undefined {
  if (refused.kind !== 'webhook-unreachable') return undefined;
  const ending = endingOf(refused.said);
  if (ending === 'certificate' || ending === 'clock') return ending;
  return answered.test(refused.said.slice(0, searched)) ? 'answer' : undefined;
}

/** Characters of an answer. */
const searched = 4096;

/**
 * A status of HTTP other than success in the words of the client (kubernetes
 * `apimachinery/pkg/api/errors/errors.go: NewGenericServerResponse`), and a body that is no review
 * (`apiserver/pkg/admission/plugin/webhook/request`). 503 and 504 may come from a proxy in between.
 */
const answered =
  /\bthe server could not find the requested resource\b|\bthe server (?:rejected our request|does not allow this method|has asked for the client to provide credentials|has received too many requests)\b|\ban error on the server \(|\bexpected (?:webhook response|response\.uid)\b|\binvalid webhook response\b|\bwebhook response was absent\b/;

/** How to make the pod acceptable, with YAML or a command where that helps. */
export function adviceOn(refused: Refused, { workload }: Snapshot): readonly Advice[] {
  const { namespace } = workload.metadata;
  const title = state('advice-title', { refuser: refused.kind satisfies RefuserKind });
  switch (refused.kind) {
    case 'pod-security':
      return [{ title, text: state('advice-template'), ...securityContext(refused.violations) }];
    case 'must-specify':
      return [{ title, text: state('advice-template'), snippet: resourcesOf(refused.missing) }];
    case 'limit-range':
    case 'invalid':
      return [{ title, text: state('advice-template') }];
    case 'service-account': {
      const snippet = `kubectl -n ${namespace} create serviceaccount ${refused.name}\n`;
      return [{ title, text: state('advice-service-account'), snippet }];
    }
    case 'priority-class': {
      const snippet = `apiVersion: scheduling.k8s.io/v1
kind: PriorityClass
metadata:
  name: ${refused.name}
value: 1000
`;
      return [{ title, text: state('advice-priority-class'), snippet }];
    }
    case 'webhook-denied':
      return [{ title, text: state('advice-webhook', { webhook: refused.webhook }) }];
    case 'admission-policy':
      return [{ title, text: state('advice-webhook', { webhook: refused.policy }) }];
    case 'webhook-unreachable': {
      const snippet = 'kubectl get mutatingwebhookconfigurations,validatingwebhookconfigurations -o wide\n';
      const { webhook } = refused;
      switch (troubleOfAnswer(refused)) {
        case 'answer':
          return [
            { title: state('advice-answer-title'), text: state('advice-answer', { webhook }), snippet },
          ];
        case 'clock':
          return [{ title: state('advice-clock-title'), text: state('advice-clock', { webhook }), snippet }];
        case 'certificate': {
          const text = state('advice-certificate', { webhook });
          return [{ title: state('advice-certificate-title'), text, snippet }];
        }
      }
      return [{ title, text: state('advice-unreachable', { webhook: refused.webhook }), snippet }];
    }
    case 'namespace-terminating':
      return [{ title, text: state('advice-namespace') }];
    case 'failed':
      return [{ title, text: state('advice-failed') }];
    case 'security-policy':
    case 'runtime-class':
    case 'forbidden':
      return [{ title, text: state('advice-cluster') }];
    case 'quota-scope':
      return [quotaAdvice(refused.scopes, namespace) ?? { title, text: state('advice-cluster') }];
  }
}

/**
 * A quota for the classes that the cluster limits (kubernetes
 * `admission/plugin/resourcequota: limitedResources`), as the API server prints its scopes.
 */
function quotaAdvice(scopes: string, namespace: string): Advice | undefined {
  const [, listed] = /\{PriorityClass In \[([^\]]{1,1000})\]\}/.exec(scopes) ?? [];
  if (listed === undefined) return undefined;
  const classes = listed.split(' ');
  if (!classes.every(isObjectName)) return undefined;
  return {
    title: state('advice-quota-scope-title', { classes }),
    text: state('advice-quota-scope', { namespace }),
    snippet: `apiVersion: v1
kind: ResourceQuota
metadata:
  name: priority-pods
  namespace: ${namespace}
spec:
  hard:
    pods: "…"
  scopeSelector:
    matchExpressions:
      - scopeName: PriorityClass
        operator: In
        values: [${classes.join(', ')}]
`,
  };
}

/** The webhook waits for its pods, and they for the webhook: either of them must do without the other. */
export function waysOutOfOwnWebhook(refused: Refused, { workload }: Snapshot): readonly Advice[] {
  const { namespace } = workload.metadata;
  const webhook = refused.kind === 'webhook-unreachable' ? refused.webhook : '';
  return [
    {
      title: state('advice-exempt-title'),
      text: state('advice-exempt', { webhook, namespace }),
      snippet: `namespaceSelector:
  matchExpressions:
    - key: kubernetes.io/metadata.name
      operator: NotIn
      values: [${namespace}]
`,
    },
    {
      title: state('advice-without-webhook-title'),
      text: state('advice-without-webhook', { webhook }),
      snippet: 'kubectl get mutatingwebhookconfigurations,validatingwebhookconfigurations -o wide\n',
    },
  ];
}

/** What a container must say, by the words in which Pod Security names what it lacks. */
const securityFields: readonly (readonly [word: string, lines: string])[] = [
  ['allowPrivilegeEscalation', 'allowPrivilegeEscalation: false\n'],
  ['unrestricted capabilities', 'capabilities:\n  drop: ["ALL"]\n'],
  ['runAsNonRoot', 'runAsNonRoot: true\n'],
  ['seccompProfile', 'seccompProfile:\n  type: RuntimeDefault\n'],
];

function securityContext(violations: readonly string[]): { readonly snippet?: string } {
  const lines = securityFields
    .filter(([word]) => violations.some((violation) => violation.startsWith(word)))
    .map(([, text]) => text.replace(/^(?=.)/gm, '  '));
  return lines.length === 0 ? {} : { snippet: `# in each container\nsecurityContext:\n${lines.join('')}` };
}

function exampleOf(resource: string): string {
  return `    ${resource}: ${resource === 'cpu' ? '100m' : '128Mi'}\n`;
}

function resourcesOf(missing: readonly { readonly resource: string }[]): string {
  const named = (list: 'limits' | 'requests') =>
    missing
      .map(({ resource }) => resource)
      .filter((resource) => resource.startsWith('limits.') === (list === 'limits'))
      .map((resource) => exampleOf(resource.replace(/^(requests|limits)\./, '')));
  const lists = (['requests', 'limits'] as const).flatMap((list) => {
    const lines = named(list);
    return lines.length === 0 ? [] : [`  ${list}:\n${lines.join('')}`];
  });
  return `# in each container, with the amounts it needs\nresources:\n${lists.join('')}`;
}
