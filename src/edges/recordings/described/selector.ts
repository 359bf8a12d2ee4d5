/**
 * A label selector as text: `app=web,tier in (a,b),!legacy` (apimachinery `labels.Selector.String` and
 * `FormatLabelSelector`). A part of another form is kept as a requirement that nothing satisfies.
 */
export function selectorOf(text: string): object {
  const matchLabels: Record<string, string> = {};
  const matchExpressions: object[] = [];
  for (const part of partsOf(text)) {
    const [, equalKey, equalValue = ''] = /^([^\s!=(),]+)==?([^\s=!(),]*)$/u.exec(part) ?? [];
    const [, otherKey, otherValue = ''] = /^([^\s!=(),]+)!=([^\s=!(),]*)$/u.exec(part) ?? [];
    const [, setKey, operator, values = ''] = /^([^\s!=(),]+)\s+(in|notin)\s+\(([^()]*)\)$/u.exec(part) ?? [];
    if (equalKey !== undefined) matchLabels[equalKey] = equalValue;
    else if (otherKey !== undefined) {
      matchExpressions.push({ key: otherKey, operator: 'NotIn', values: [otherValue] });
    } else if (setKey !== undefined) {
      const among = values.split(',').map((value) => value.trim());
      matchExpressions.push({ key: setKey, operator: operator === 'in' ? 'In' : 'NotIn', values: among });
    } else if (/^![^\s!=(),]+$/u.test(part)) {
      matchExpressions.push({ key: part.slice(1), operator: 'DoesNotExist' });
    } else if (/^[^\s!=(),]+$/u.test(part)) {
      matchExpressions.push({ key: part, operator: 'Exists' });
    } else matchExpressions.push({ key: part, operator: 'Unreadable' });
  }
  return { matchLabels, matchExpressions };
}

/** Commas within brackets belong to the part. */
function partsOf(text: string): readonly string[] {
  const parts: string[] = [];
  let depth = 0;
  let part = '';
  for (const character of text.trim()) {
    if (character === '(') depth += 1;
    else if (character === ')') depth -= 1;
    if (character === ',' && depth === 0) {
      parts.push(part);
      part = '';
    } else part += character;
  }
  return [...parts, part].map((each) => each.trim()).filter((each) => each !== '' && each !== '<none>');
}
