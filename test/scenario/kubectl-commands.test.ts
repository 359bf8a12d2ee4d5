import { describe, expect, it } from 'vitest';
import { kubectlCommands } from '#src/adapters/terminal/kubectl-command.js';
import { createDoctor } from '#src/doctor.js';
import { scenarios } from '#support/scenarios/expectation.js';
import { diagnosisOf, snapshotOf } from '#support/scenarios/snapshot-of.js';

const doctor = createDoctor();
const seen = new Map<string, number>();

describe('each offered fix has a kubectl command for the change of its plan', () => {
  it.each(scenarios().map((scenario) => [scenario.expect.id, scenario] as const))(
    '%s',
    async (_, scenario) => {
      const snapshot = await snapshotOf(scenario);
      for (const remediation of (await diagnosisOf(scenario)).findings.flatMap((each) => each.remediations)) {
        const plan = doctor.plan(remediation, snapshot);
        if (plan.type === 'refusal') continue;
        const [command = '', ...further] = kubectlCommands(plan, remediation, { context: 'a b' });
        const { kind, namespace, name } = plan.target;
        const object = `${kind.toLowerCase()}/${name}`;
        const kubectl = `kubectl --context 'a b' -n ${namespace}`;
        // kubectl has no command of its own for a Rollout, and reads no flag before the name of a plug-in.
        const argo = (words: string) => `kubectl argo rollouts ${words} --context 'a b' -n ${namespace}`;
        seen.set(remediation.kind, (seen.get(remediation.kind) ?? 0) + 1);

        switch (plan.request.verb) {
          case 'patch': {
            if (plan.request.subresource === 'scale') {
              const [change] = plan.changes;
              expect(plan.request.body).toEqual({ spec: { replicas: change?.after } });
              expect(command).toBe(
                `${kubectl} scale ${object} --current-replicas=${change?.before} --replicas=${change?.after}`,
              );
              break;
            }
            if (plan.request.subresource === 'status') {
              expect(plan.request.body).toEqual({ status: { abort: true } });
              expect(command).toBe(argo(`abort ${name}`));
              break;
            }
            const before = `${kubectl} patch ${object} --type=${plan.request.patchType} -p '`;
            expect(command.startsWith(before)).toBe(true);
            expect(JSON.parse(command.slice(before.length, -1))).toEqual(
              JSON.parse(JSON.stringify(plan.request.body)),
            );
            break;
          }
          case 'delete':
            expect(command).toBe(`${kubectl} delete ${object}`);
            break;
          case 'restart':
            expect(command).toBe(
              kind === 'Rollout' ? argo(`restart ${name}`) : `${kubectl} rollout restart ${object}`,
            );
            break;
          case 'restore-template': {
            const { toRevision } = remediation as { readonly toRevision?: number };
            const words = `--to-revision=${toRevision}`;
            expect(command).toBe(
              kind === 'Rollout'
                ? argo(`undo ${name} ${words}`)
                : `${kubectl} rollout undo ${object} ${words}`,
            );
          }
        }
        const pods = plan.afterwards?.pods.map((pod) => pod.name);
        expect(further).toEqual(pods === undefined ? [] : [`${kubectl} delete pod ${pods.join(' ')}`]);
      }
    },
  );

  it('covers fixes of eight kinds', () => {
    expect([...seen.keys()].toSorted()).toEqual([
      'abort-rollout',
      'delete-pod',
      'exclude-nodes',
      'patch-strategy',
      'restart-rollout',
      'resume-rollout',
      'scale-down-old',
      'undo-rollout',
    ]);
  });
});

describe('a name from a recording', () => {
  const base = {
    type: 'plan',
    remediationId: 'delete-pod',
    request: { verb: 'delete' },
    changes: [],
  } as const;
  const target = { apiVersion: 'v1', kind: 'Pod', namespace: 'shop', uid: 'u' };
  const commands = (name: string) =>
    kubectlCommands({ ...base, target: { ...target, name } }, { kind: 'delete-pod' } as never, {});

  it('is quoted when a shell would run it', () => {
    expect(commands("x; $(reboot) 'y'")).toEqual([`kubectl -n shop delete 'pod/x; $(reboot) '\\''y'\\'''`]);
  });

  it('leads to no command when it contains characters that a terminal hides', () => {
    expect(commands('web\u202E')).toEqual([]);
    expect(commands('web\u001b[2K')).toEqual([]);
  });
});
