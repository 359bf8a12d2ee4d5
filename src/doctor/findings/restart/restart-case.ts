import type { Statement } from '../../../engine/language/statement.js';
import type { Evidence } from '../finding.js';

/**
 * What speaks for a restart, or against it in particular. Where nothing is known of either, there is no case.
 */
export type RestartCase =
  | {
      readonly kind: 'helps';
      /** Further steps of the finding's reasoning. */
      readonly reasoning: readonly Statement[];
      /**
       * Why new pods would do better than those that run, and how sure that is; shown before the restart's
       * effects.
       */
      readonly because: readonly Statement[];
      readonly evidence: readonly Evidence[];
    }
  | { readonly kind: 'in-vain'; readonly because: Statement };
