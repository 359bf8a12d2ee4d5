/**
 * The blocks as a person would read them aloud: one line a paragraph, buttons in brackets, times and people
 * named.
 */
export function aloud(blocks: readonly unknown[]): string {
  return blocks.map((block) => told(block)).join('\n');
}

function told(node: unknown): string {
  if (typeof node !== 'object' || node === null) return '';
  const { type } = node as { type?: string };
  const fields = node as Readonly<Record<string, unknown>>;
  const all = (value: unknown, separator = '') =>
    (Array.isArray(value) ? value : []).map((each) => told(each)).join(separator);
  switch (type) {
    case 'text':
    case 'link': {
      const style = (fields.style ?? {}) as { bold?: boolean; code?: boolean };
      const marked = style.code ? `\`${String(fields.text)}\`` : String(fields.text);
      return style.bold ? `*${marked}*` : marked;
    }
    case 'emoji':
      return `:${String(fields.name)}:`;
    case 'user':
      return `@${String(fields.user_id)}`;
    case 'date':
      return `<${String(fields.fallback)}>`;
    case 'rich_text':
      return all(fields.elements, '\n');
    case 'rich_text_list':
      return (fields.elements as unknown[])
        .map((each, index) => `${fields.style === 'ordered' ? `${index + 1}.` : '-'} ${told(each)}`)
        .join('\n');
    case 'rich_text_preformatted':
      return all(fields.elements)
        .split('\n')
        .map((line) => `| ${line}`)
        .join('\n');
    case 'rich_text_section':
      return all(fields.elements);
    case 'section':
      return `${text(fields.text)}${fields.accessory === undefined ? '' : ` ${told(fields.accessory)}`}`;
    case 'table':
      return (fields.rows as unknown[][]).map((row) => `| ${row.map(told).join(' | ')} |`).join('\n');
    case 'raw_text':
      return String(fields.text);
    case 'header':
      return `# ${text(fields.text)}`;
    case 'overflow':
      return `[⋯ ${(fields.options as { text: unknown }[]).map((option) => text(option.text)).join(' | ')}]`;
    case 'context':
      return `(${(fields.elements as unknown[]).map(text).join(' ')})`;
    case 'actions':
      return all(fields.elements, ' ');
    case 'button':
      return `[${text(fields.text)}]`;
    case 'input':
      return `${text(fields.label)}: ____`;
    default:
      return `<${String(type)}>`;
  }
}

function text(value: unknown): string {
  return typeof value === 'object' && value !== null && 'text' in value ? String(value.text) : '';
}
