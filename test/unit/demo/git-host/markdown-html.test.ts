import { describe, expect, it } from 'vitest';
import { markdownToHtml } from '../../../../demo/git-host/markdown-html.js';

describe('the text of a pull request as HTML', () => {
  it('shows headings, lists, code, strong words and differences', () => {
    const html = markdownToHtml('## Why\n\n- `a` is **new**\n- b\n\n```diff\n-old\n+new\n```\n\nend');
    expect(html).toBe(
      [
        '<h3>Why</h3>',
        '<ul><li><code>a</code> is <strong>new</strong></li><li>b</li></ul>',
        '<pre class="diff"><span class="removed">-old</span><span class="added">+new</span></pre>',
        '<p>end</p>',
      ].join('\n'),
    );
  });

  it.each([
    '<img src=x onerror=alert(1)>',
    '`<b>`',
    '## <script>',
    '- </li><script>',
    '```diff\n+</pre><script>\n```',
    '**<i>**',
  ])('escapes the HTML in %j', (body) => {
    expect(markdownToHtml(body)).not.toMatch(/<(?!\/?(?:p|h3|ul|li|code|strong|pre|span)\b)/u);
  });

  it('leaves out comments, and ends a block without a fence at the end', () => {
    expect(markdownToHtml('<!-- rollout-doctor: 1 -->')).toBe('');
    expect(markdownToHtml('```diff\n+a')).toBe('<pre class="diff"><span class="added">+a</span></pre>');
  });
});
