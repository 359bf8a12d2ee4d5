/** Text as HTML that shows it unchanged. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/gu, (character) => `&#${character.charCodeAt(0)};`);
}

/**
 * The Markdown that pull requests of the product use, as HTML: headings, lists, fenced blocks, code spans and
 * strong words. Everything else is shown as it is written; comments are left out.
 */
export function markdownToHtml(body: string): string {
  const html: string[] = [];
  const lines = body.split(/\r?\n/u);
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? '';
    const fence = /^(`{3,})(\w*)$/u.exec(line)?.[1];
    if (fence !== undefined) {
      const end = lines.indexOf(fence, at + 1);
      const last = end === -1 ? lines.length : end;
      html.push(diffToHtml(lines.slice(at + 1, last)));
      at = last;
    } else if (/^- /u.test(line)) {
      let end = at;
      while (/^- /u.test(lines[end + 1] ?? '')) end += 1;
      const items = lines.slice(at, end + 1).map((each) => `<li>${inlineHtml(each.slice(2))}</li>`);
      html.push(`<ul>${items.join('')}</ul>`);
      at = end;
    } else if (line.startsWith('## ')) {
      html.push(`<h3>${inlineHtml(line.slice(3))}</h3>`);
    } else if (line !== '' && !/^<!--.*-->$/u.test(line)) {
      html.push(`<p>${inlineHtml(line)}</p>`);
    }
  }
  return html.join('\n');
}

/** Lines of a diff, each marked by its first character. */
export function diffToHtml(lines: readonly string[]): string {
  const shown = lines.map((line) => {
    const kind = line.startsWith('+++ b/')
      ? 'same'
      : line.startsWith('+')
        ? 'added'
        : line.startsWith('-')
          ? 'removed'
          : 'same';
    return `<span class="${kind}">${escapeHtml(line) || ' '}</span>`;
  });
  return `<pre class="diff">${shown.join('')}</pre>`;
}

function inlineHtml(text: string): string {
  return text
    .split(/((`+)(?!`).*?(?<!`)\2(?!`))/u)
    .filter((_, at) => at % 3 !== 2)
    .map((part, at) => {
      if (at % 2 === 0) return escapeHtml(part).replace(/\*\*(.+?)\*\*/gu, '<strong>$1</strong>');
      const inside = part.replace(/^`+|`+$/gu, '');
      return `<code>${escapeHtml(/^ .*` ?$|^ `.* $/u.test(inside) ? inside.slice(1, -1) : inside)}</code>`;
    })
    .join('');
}
