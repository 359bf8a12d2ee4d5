import type { ObjectRef } from '../../../cluster/metadata.js';
import type { Container, Probe } from '../../../cluster/pod-spec.js';
import { templatePathOf } from '../../../cluster/template-path.js';
import { workloadKinds } from '../../../cluster/workload.js';
import type { Statement } from '../../../language/statement.js';
import { earliestKill, targetOf } from '../../crashes/probe-timing.js';
import { crash } from '../../crashes/text.js';
import type { FactsOf } from '../../facts.js';
import type { Evidence } from '../../finding.js';
import type { Rule } from '../../rule.js';
import { workloadName } from '../../stuck-rollout.js';
import { ProbeConfigurationFacts } from './facts.js';
import { state, text } from './text.js';

type Problem = FactsOf<typeof ProbeConfigurationFacts>['problems'][number];

interface Fault {
  readonly found: Problem;
  readonly field: string;
  readonly probe: Probe | undefined;
}

/** Fewer seconds of silence than this end a container for a hiccup of the node. */
const strictSeconds = 5;

/** Probe settings that are sure to bite one day. Informational: nothing is wrong because of them yet. */
export const probeConfiguration: Rule<typeof ProbeConfigurationFacts> = {
  id: 'probe-configuration',
  facts: ProbeConfigurationFacts,
  text,
  origin: 'template',
  appliesTo: workloadKinds,
  needs: [],
  supersedes: [],
  detect({ snapshot }) {
    const { kind, metadata, spec } = snapshot.workload;
    const faults = spec.template.spec.containers.flatMap(faultsOf);
    if (faults.length === 0) return undefined;
    const subject: ObjectRef = { kind, namespace: metadata.namespace, name: metadata.name };
    return {
      confidence: 'proven',
      severity: 'info',
      subject,
      facts: { problems: faults.map(({ found }) => found) },
      summary: state('summary', { workload: workloadName(snapshot), count: faults.length }),
      standing: crash('standing-configuration'),
      reasoning: faults.map(({ found }) => statementOf(found)),
      evidence: faults.map(
        ({ field, probe }): Evidence => ({
          object: subject,
          field: `${templatePathOf(snapshot.workload)}.spec.${field}`,
          value: JSON.stringify(probe ?? {}),
          says: state('ev-probe', { probe: field.split('.').at(-1) ?? field }),
        }),
      ),
      owners: [],
      advice: [{ title: crash('advice-configuration-title'), text: state('advice') }],
    };
  },
};

function statementOf({ problem, ...values }: Problem): Statement {
  return state(problem, values as never);
}

function faultsOf(container: Container): readonly Fault[] {
  const { livenessProbe: liveness, readinessProbe: readiness } = container;
  const at = (probe: string): string => `containers[${container.name}].${probe}`;
  const faults: Fault[] = [];
  if (liveness !== undefined && readiness !== undefined && silence(liveness) < silence(readiness)) {
    faults.push({
      found: {
        problem: 'readiness-slower',
        container: container.name,
        livenessSeconds: silence(liveness),
        readinessSeconds: silence(readiness),
      },
      field: at('livenessProbe'),
      probe: liveness,
    });
  }
  if (liveness !== undefined && silence(liveness) < strictSeconds) {
    faults.push({
      found: { problem: 'liveness-strict', container: container.name, seconds: silence(liveness) },
      field: at('livenessProbe'),
      probe: liveness,
    });
  }
  for (const [name, probe] of [
    ['livenessProbe', liveness],
    ['readinessProbe', readiness],
    ['startupProbe', container.startupProbe],
  ] as const) {
    if (probe !== undefined) faults.push(...faultsOfProbe(container, name, probe, at(name)));
  }
  return faults;
}

/** How long the program may be silent until the probe's last failure, in seconds. */
function silence(probe: Probe): number {
  return earliestKill({ ...probe, initialDelaySeconds: 0 }) + probe.timeoutSeconds;
}

function faultsOfProbe(container: Container, name: string, probe: Probe, field: string): readonly Fault[] {
  const { port } = targetOf(probe);
  const isNamed = port !== undefined && !/^\d+$/.test(port);
  const isUndeclared = isNamed && !container.ports.some((declared) => declared.name === port);
  const { timeoutSeconds, periodSeconds } = probe;
  return [
    ...(isUndeclared
      ? [
          {
            found: { problem: 'named-port-missing' as const, container: container.name, probe: name, port },
            field,
            probe,
          },
        ]
      : []),
    ...(timeoutSeconds > periodSeconds
      ? [
          {
            found: {
              problem: 'timeout-over-period' as const,
              container: container.name,
              probe: name,
              timeoutSeconds,
              periodSeconds,
            },
            field,
            probe,
          },
        ]
      : []),
  ];
}
