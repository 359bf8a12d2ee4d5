/** Single-use permissions to open a modal, each for the person who clicked. */
export interface Triggers {
  issue(userId: string): string;
  /** Uses a trigger up. */
  redeem(
    id: string,
  ):
    | { readonly type: 'redeemed'; readonly userId: string }
    | { readonly type: 'invalid_trigger_id' | 'expired_trigger_id' | 'exchanged_trigger_id' };
}

/** Milliseconds a trigger lives (docs.slack.dev/interactivity/handling-user-interaction). */
const triggerLifetimeMs = 3000;

export function createTriggers(now: () => number): Triggers {
  const issued = new Map<string, { readonly userId: string; readonly until: number; used: boolean }>();
  return {
    issue(userId) {
      const id = `${issued.size + 1}.${Math.floor(now())}.${userId.toLowerCase()}`;
      issued.set(id, { userId, until: now() + triggerLifetimeMs, used: false });
      return id;
    },
    redeem(id) {
      const trigger = issued.get(id);
      if (trigger === undefined) return { type: 'invalid_trigger_id' };
      if (trigger.used) return { type: 'exchanged_trigger_id' };
      if (now() > trigger.until) return { type: 'expired_trigger_id' };
      trigger.used = true;
      return { type: 'redeemed', userId: trigger.userId };
    },
  };
}
