import type { ShapeProblem } from './shape-problems.js';

/**
 * Ids that occur twice: `block_id` in the whole payload, `action_id` within one block, and `focus_on_load`,
 * which only one element may ask for.
 */
export function uniquenessProblems(blocks: readonly unknown[]): readonly ShapeProblem[] {
  const problems: ShapeProblem[] = [];
  const blockIds = new Set<string>();
  let focused = false;
  const visit = (block: unknown, pointer: string): void => {
    if (!isRecord(block)) return;
    if (typeof block.block_id === 'string') {
      if (blockIds.has(block.block_id)) {
        problems.push({
          pointer: `${pointer}/block_id`,
          message: `\`block_id\` ${block.block_id} already exists`,
        });
      }
      blockIds.add(block.block_id);
    }
    const actionIds = new Set<string>();
    for (const [steps, element] of interactive(block)) {
      if (typeof element.action_id === 'string') {
        if (actionIds.has(element.action_id)) {
          problems.push({
            pointer: `${pointer}${steps}/action_id`,
            message: `\`action_id\` ${element.action_id} already exists for another element`,
          });
        }
        actionIds.add(element.action_id);
      }
      if (element.focus_on_load === true) {
        if (focused) {
          problems.push({
            pointer: `${pointer}${steps}/focus_on_load`,
            message: 'only one element may have focus_on_load',
          });
        }
        focused = true;
      }
    }
    if (Array.isArray(block.child_blocks)) {
      block.child_blocks.forEach((child: unknown, index) => {
        visit(child, `${pointer}/child_blocks/${index}`);
      });
    }
  };
  blocks.forEach((block, index) => {
    visit(block, `/blocks/${index}`);
  });
  return problems;
}

type Json = Readonly<Record<string, unknown>>;

function interactive(block: Json): readonly (readonly [string, Json])[] {
  const found: (readonly [string, Json])[] = [];
  if (isRecord(block.accessory)) found.push(['/accessory', block.accessory]);
  if (isRecord(block.element)) found.push(['/element', block.element]);
  for (const key of ['elements', 'actions'] as const) {
    const list = block[key];
    if (!Array.isArray(list)) continue;
    list.forEach((element: unknown, index) => {
      if (isRecord(element)) found.push([`/${key}/${index}`, element]);
    });
  }
  return found;
}

function isRecord(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
