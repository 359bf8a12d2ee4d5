import type { V1DeploymentStrategy } from '@kubernetes/client-node';
import { expect, it } from 'vitest';
import { patchStrategyForms } from '#src/doctor/fixes/kinds/patch-strategy/forms.js';
import { strategyBody } from '#src/doctor/fixes/kinds/patch-strategy/kind.js';
import { declaring, defaultValues, surgeAlone, surgeOne, typeAlone } from './declarations.js';
import type { WorkloadOwner } from './owner.js';
import type { PlayDeps } from './play.js';
import { openStage } from './stage.js';

/** What an owner may have declared before a person edits its manifest. */
const former = {
  nothing: undefined,
  'the type alone': typeAlone,
  'maxSurge alone': surgeAlone,
  'default percentages': defaultValues,
  'other counts': surgeOne,
} as const;

/** Lets the owner declare one strategy after another one. */
async function redeclared(
  owner: WorkloadOwner,
  { cluster }: PlayDeps,
  before: V1DeploymentStrategy | undefined,
  after: object,
): Promise<unknown> {
  const declares = declaring(before === undefined ? {} : { strategy: before });
  const stage = await openStage(cluster, declares);
  try {
    await owner.install(stage);
    const manifest = stage.manifest();
    stage.declare({
      ...manifest,
      spec: { ...manifest.spec, strategy: after } as NonNullable<typeof manifest.spec>,
    });
    const { conflicts, report } = await owner.act(stage);
    expect(conflicts, report).toEqual([]);
    return (await stage.read()).spec?.strategy;
  } finally {
    await stage.end();
  }
}

const { inPlace, allAtOnce, recreate } = patchStrategyForms;
const names = Object.keys(former) as (keyof typeof former)[];

/** The forms that fixes, advice and pull requests use for every owner. */
export function testDeclaredForms(owner: WorkloadOwner, deps: () => PlayDeps): void {
  it.each(names)(`${owner.name}: accepts both rolling forms after %s`, async (name) => {
    for (const form of [inPlace, allAtOnce].map(strategyBody)) {
      expect(await redeclared(owner, deps(), former[name], form)).toEqual(form);
    }
  });
}

/** Why another form takes the place of Recreate for owners that apply server-side. */
export function testRecreate(
  owner: WorkloadOwner,
  deps: () => PlayDeps,
  refusedAfter: { readonly plain: typeof names; readonly withNull: typeof names },
): void {
  it.each(names)(`${owner.name}: Recreate after %s`, async (name) => {
    const forms = [
      { form: strategyBody(recreate), refused: refusedAfter.withNull },
      { form: { type: 'Recreate' }, refused: refusedAfter.plain },
    ];
    for (const { form, refused } of forms) {
      const act = redeclared(owner, deps(), former[name], form);
      if (refused.includes(name)) await expect(act).rejects.toThrow('may not be specified when strategy');
      else expect(await act).toEqual({ type: 'Recreate' });
    }
  });
}
