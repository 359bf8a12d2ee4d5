import { z } from 'zod';
import { shapeProblems } from './block-kit/shape-problems.js';
import { plainText, text } from './block-kit/text-objects.js';
import { checkBlocks } from './block-limits.js';

/** Why Slack would refuse a view. */
export interface ViewProblem {
  readonly error: 'invalid_arguments' | 'view_too_large';
  /** JSON pointer such as `/view/title/text`. */
  readonly pointer: string;
  readonly message: string;
}

// source: docs.slack.dev/reference/views/modal-views and home-tab-views
const shared = {
  blocks: z.array(z.unknown()),
  private_metadata: z.string().max(3000).optional(),
  callback_id: text(255).optional(),
  external_id: text(255).optional(),
};

const modal = z.strictObject({
  type: z.literal('modal'),
  ...shared,
  title: plainText(24),
  close: plainText(24).optional(),
  submit: plainText(24).optional(),
  clear_on_close: z.boolean().optional(),
  notify_on_close: z.boolean().optional(),
  submit_disabled: z.boolean().optional(),
});

const home = z.strictObject({
  type: z.literal('home'),
  ...shared,
  // Slack takes these for Home tabs as well and ignores them.
  title: plainText(24).optional(),
  close: plainText(24).optional(),
  submit: plainText(24).optional(),
});

/** Bytes of JSON a view may have. */
const viewBytes = 250_000;

/**
 * Judges a modal or Home tab as `views.open`, `push`, `update` and `publish` do.
 *
 * @returns every problem; empty when Slack would accept the view
 */
export function checkView(view: unknown, type: 'modal' | 'home'): readonly ViewProblem[] {
  const problems: ViewProblem[] = shapeProblems(type === 'modal' ? modal : home, view, '/view').map(invalid);
  const blocks = typeof view === 'object' && view !== null ? Reflect.get(view, 'blocks') : undefined;
  if (!Array.isArray(blocks)) return problems;
  problems.push(
    ...checkBlocks(blocks, type).map(({ pointer, message }) =>
      invalid({ pointer: `/view${pointer}`, message }),
    ),
  );
  const hasInput = blocks.some((block: unknown) => isInput(block));
  if (type === 'modal' && hasInput && Reflect.get(view as object, 'submit') === undefined) {
    problems.push(
      invalid({ pointer: '/view', message: 'must provide `submit` when there are input blocks' }),
    );
  }
  if (Buffer.byteLength(JSON.stringify(view)) > viewBytes) {
    problems.push({ error: 'view_too_large', pointer: '/view', message: `no more than ${viewBytes} bytes` });
  }
  return problems;
}

function invalid(problem: { readonly pointer: string; readonly message: string }): ViewProblem {
  return { error: 'invalid_arguments', ...problem };
}

function isInput(block: unknown): boolean {
  return typeof block === 'object' && block !== null && Reflect.get(block, 'type') === 'input';
}
