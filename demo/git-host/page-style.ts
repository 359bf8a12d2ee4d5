/** The colours and fonts of the local Slack (`demo/slack/page/styles/base.css`). */
export const pageStyle = `
:root { --ink: #1c2127; --quiet: #5a6472; --line: #d9dee5; --tint: #f5f7f9; --side: #17303a; --side-ink: #e9f1f2;
  --accent: #0b6e5f; --link: #0b5cad; --danger: #b3261e; --focus: #1264d1;
  --mono: ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace; color-scheme: light; }
* { box-sizing: border-box; }
body { margin: 0; color: var(--ink); background: #fff;
  font: 15px / 1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Noto Sans KR", sans-serif;
  overflow-wrap: anywhere; }
header { padding: 0.7rem 1rem; background: var(--side); color: var(--side-ink); }
header a { color: inherit; font-weight: 600; }
main { max-width: 58rem; margin: 0 auto; padding: 1rem; }
h1 { margin: 0.4rem 0 0.6rem; font-size: 1.35rem; line-height: 1.3; }
h2 { margin: 1.6rem 0 0.5rem; font-size: 1.05rem; }
h3 { margin: 1.1rem 0 0.3rem; font-size: 1rem; }
p { margin: 0.4rem 0; }
ul { margin: 0.3rem 0; padding-left: 1.2rem; }
a { color: var(--link); }
.quiet { color: var(--quiet); }
.number { color: var(--quiet); font-weight: 400; }
.state { display: inline-block; padding: 0.1rem 0.6rem; border-radius: 1rem; color: #fff; font-weight: 600;
  background: var(--accent); }
.state-merged { background: #6a3fb0; }
.state-closed { background: var(--danger); }
.body { padding: 0.3rem 1rem 0.8rem; border: 1px solid var(--line); border-radius: 8px; }
code, pre { font-family: var(--mono); font-size: 0.87em; }
code { padding: 0.05rem 0.25rem; border-radius: 4px; background: var(--tint); }
.diff { margin: 0.4rem 0; padding: 0.5rem 0; border: 1px solid var(--line); border-radius: 8px; overflow: hidden; }
.diff span { display: block; padding: 0 0.8rem; white-space: pre-wrap; }
.diff .added { background: #e4f5ea; }
.diff .removed { background: #fbe9e7; }
.actions { display: flex; flex-wrap: wrap; gap: 0.6rem; margin: 1rem 0; }
.note { margin: 1rem 0; padding: 0.6rem 0.9rem; border-left: 4px solid var(--accent); background: var(--tint); }
button { min-height: 44px; padding: 0.4rem 1rem; border: 1px solid var(--line); border-radius: 6px; background: #fff;
  color: inherit; font: inherit; font-weight: 600; cursor: pointer; }
button.primary { border-color: var(--accent); background: var(--accent); color: #fff; }
:focus-visible { outline: 3px solid var(--focus); outline-offset: 2px; }
`;
