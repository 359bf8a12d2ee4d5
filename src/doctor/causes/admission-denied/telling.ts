import type { Denial } from '../../../engine/creation/denial.js';
import type { Statement } from '../../../engine/language/statement.js';
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
      return state(
        certificateTrouble(refused) === undefined ? 'webhook-unreachable' : 'webhook-certificate',
        {
          webhook,
          said,
        },
      );
    }
    default: {
      const { kind, ...values } = refused;
      return state(kind, values as never);
    }
  }
}

/** The webhook answers, and the API server does not trust it: for its certificate, or for the clock. */
export function certificateTrouble(refused: Refused): 'certificate' | 'clock' | undefined {
  if (refused.kind !== 'webhook-unreachable') return undefined;
  const ending = endingOf(refused.said);
  return ending === 'certificate' || ending === 'clock' ? ending : undefined;
}

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
      switch (certificateTrouble(refused)) {
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
    case 'quota-scope':
    case 'forbidden':
      return [{ title, text: state('advice-cluster') }];
  }
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
