/** One condition on the object, as a jq expression and the values it may have. */
export interface When {
  readonly key: string;
  readonly operator: 'In' | 'NotIn' | 'Exists' | 'DoesNotExist';
  readonly values?: readonly string[];
}

export interface StageEvent {
  readonly type: 'Normal' | 'Warning';
  readonly reason: string;
  readonly message: string;
}

/** One step of a simulated kubelet (kwok `Stage`): when all conditions hold, write this status or delete. */
export interface Stage {
  readonly name: string;
  readonly kind: 'Node' | 'Pod';
  readonly when: readonly When[];
  readonly delayMilliseconds?: number;
  readonly statusTemplate?: string;
  readonly event?: StageEvent;
  readonly delete?: boolean;
}

export const oneOf = (key: string, ...values: string[]): When => ({ key, operator: 'In', values });
export const exists = (key: string): When => ({ key, operator: 'Exists' });
export const missing = (key: string): When => ({ key, operator: 'DoesNotExist' });

export const podStage = (name: string, when: readonly When[], statusTemplate: string): Stage => ({
  name,
  kind: 'Pod',
  when,
  statusTemplate,
});
