import { expect } from 'vitest';
import { isIrreversible } from '#src/doctor/fixes/remediation.js';
import { revisionToGoBackTo } from '#src/doctor/fixes/template-changes.js';
import { byRecommendation } from '#src/doctor/fixes/with-drift.js';
import { kubectlCommands } from '#src/edges/terminal/kubectl-command.js';
import { rolloutStateOf } from '#src/engine/workloads/rollout-state.js';
import type { Property } from '../property.js';
import {
  answerInEnglish,
  answerInKorean,
  diagnosisOf,
  plansOf,
  type Recorded,
  snapshotOf,
} from '../recorded.js';

type Planned = Awaited<ReturnType<typeof plansOf>>[number];
type Plan = Extract<Planned['plan'], { type: 'plan' }>;

/** The kubectl command that makes the change of the plan. A patch is compared by the meaning of its body. */
function expectCommand(command: string, plan: Plan, remediation: Planned['remediation']): void {
  const { kind, namespace, name } = plan.target;
  const object = `${kind.toLowerCase()}/${name}`;
  const kubectl = `kubectl --context 'a b' -n ${namespace}`;
  // kubectl has no command of its own for a Rollout, and reads no flag before the name of a plug-in.
  const argo = (words: string) => `kubectl argo rollouts ${words} --context 'a b' -n ${namespace}`;
  switch (plan.request.verb) {
    case 'patch': {
      if (plan.request.subresource === 'scale') {
        const [change] = plan.changes;
        expect(plan.request.body).toEqual({ spec: { replicas: change?.after } });
        expect(command).toBe(
          `${kubectl} scale ${object} --current-replicas=${change?.before} --replicas=${change?.after}`,
        );
        return;
      }
      if (plan.request.subresource === 'status') {
        expect(plan.request.body).toEqual({ status: { abort: true } });
        expect(command).toBe(argo(`abort ${name}`));
        return;
      }
      const before = `${kubectl} patch ${object} --type=${plan.request.patchType} -p '`;
      expect(command.startsWith(before)).toBe(true);
      expect(JSON.parse(command.slice(before.length, -1))).toEqual(
        JSON.parse(JSON.stringify(plan.request.body)),
      );
      return;
    }
    case 'delete':
      expect(command).toBe(`${kubectl} delete ${object}`);
      return;
    case 'restart':
      expect(command).toBe(
        kind === 'Rollout' ? argo(`restart ${name}`) : `${kubectl} rollout restart ${object}`,
      );
      return;
    case 'restore-template': {
      const { toRevision } = remediation as { readonly toRevision?: number };
      const words = `--to-revision=${toRevision}`;
      expect(command).toBe(
        kind === 'Rollout' ? argo(`undo ${name} ${words}`) : `${kubectl} rollout undo ${object} ${words}`,
      );
    }
  }
}

async function plansIn(recorded: Recorded): Promise<readonly (Planned & { readonly plan: Plan })[]> {
  return (await plansOf(recorded)).filter((each): each is Planned & { readonly plan: Plan } => {
    return each.plan.type === 'plan';
  });
}

export const fixes: readonly Property[] = [
  {
    name: 'says that a deadlock is one only where it is proven, in both languages',
    async check(recorded, saw) {
      const answers = [await answerInEnglish(recorded), await answerInKorean(recorded)];
      const [english, korean] = answers.map(
        ({ text }) =>
          (JSON.parse(text) as { readonly findings: readonly { readonly summary: string }[] }).findings,
      );
      for (const [at, { confidence, waitCycle, cause }] of (await diagnosisOf(recorded)).findings.entries()) {
        if (waitCycle === undefined || cause === 'capacity-contention') continue;
        saw(confidence);
        const isCertain = confidence === 'proven';
        expect(english?.[at]?.summary.includes(' is deadlocked: ')).toBe(isCertain);
        expect(korean?.[at]?.summary.includes(' 롤아웃 교착 상태: ')).toBe(isCertain);
      }
    },
    whole: (seen) => expect([...seen.keys()].sort()).toEqual(['likely', 'possible', 'proven']),
  },
  {
    name: 'puts no fix forward that leaves no pod ready while something under way may end the wait',
    async check(recorded, saw) {
      for (const { weakenedBy, remediations } of (await diagnosisOf(recorded)).findings) {
        if (!weakenedBy.some(({ role }) => role === 'escape')) continue;
        const { lead, others } = byRecommendation(remediations);
        saw(lead === undefined ? 'nothing' : lead.price.downtime.kind);
        if (others.some(({ price }) => price.downtime.kind === 'gap')) saw('behind');
        expect(lead?.price.downtime.kind).not.toBe('gap');
      }
    },
    whole(seen) {
      expect(seen.get('none')).toBeGreaterThan(5);
      expect(seen.get('behind')).toBeGreaterThan(5);
    },
  },
  {
    /** The card states "no undo" before the click, and the plan decides later whether an undo exists. */
    name: 'marks exactly the fixes as irreversible whose plan has no undo',
    async check(recorded, saw) {
      for (const { remediation, plan } of await plansIn(recorded)) {
        saw(remediation.kind);
        expect([remediation.id, isIrreversible(remediation)]).toEqual([
          remediation.id,
          plan.undo === undefined,
        ]);
      }
    },
    whole: (seen) => expect(seen.size).toBeGreaterThan(5),
  },
  {
    name: 'has a kubectl command for the change of each fix',
    async check(recorded, saw) {
      for (const { remediation, plan } of await plansIn(recorded)) {
        saw(remediation.kind);
        const [command = '', ...further] = kubectlCommands(plan, remediation, { context: 'a b' });
        expectCommand(command, plan, remediation);
        const pods = plan.afterwards?.pods.map((pod) => pod.name);
        const { namespace } = plan.target;
        expect(further).toEqual(
          pods === undefined ? [] : [`kubectl --context 'a b' -n ${namespace} delete pod ${pods.join(' ')}`],
        );
      }
    },
    whole: (seen) =>
      expect([...seen.keys()].toSorted()).toEqual([
        'abort-rollout',
        'delete-pod',
        'exclude-nodes',
        'patch-strategy',
        'restart-rollout',
        'resume-rollout',
        'scale-down-old',
        'undo-rollout',
      ]),
  },
  {
    name: 'offers the roll back to an earlier revision, or states why it is not recommended',
    async check(recorded, saw) {
      if (revisionToGoBackTo(rolloutStateOf(await snapshotOf(recorded))) === undefined) return;
      const { findings } = await diagnosisOf(recorded);
      const serious = findings.filter(({ severity }) => severity !== 'info');
      if (serious.length > 0) saw('an earlier revision');
      for (const { cause, remediations, withheld } of serious) {
        const kinds = [...remediations, ...withheld].map(({ kind }) => kind);
        expect(kinds, cause).toContain('undo-rollout');
      }
    },
    whole: (seen) => expect(seen.get('an earlier revision')).toBeGreaterThan(50),
  },
];
