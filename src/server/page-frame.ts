/** What do our pages have in common? Everything they need is in them: no script, no font and no picture is fetched from anywhere. */
import { type Html, html } from "./html.ts";

export function pageFrame(title: string, body: Html): string {
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>
:root { color-scheme: light dark; --ink: light-dark(#1d2329, #e3e7ea); --soft: light-dark(#5b6670, #9aa5ae);
  --paper: light-dark(#fdfdfb, #15181b); --card: light-dark(#f3f4f1, #1e2327); --line: light-dark(#d9dcd6, #333a40);
  --read: light-dark(#1f6f54, #7fd3b2); --write: light-dark(#8a5a00, #e8bb66); --erase: light-dark(#a32b2b, #f19a9a); }
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 2rem 1.25rem 5rem; max-width: 60rem; background: var(--paper); color: var(--ink);
  font: 16px/1.55 system-ui, "PingFang SC", "Microsoft YaHei", "Noto Sans CJK SC", sans-serif; }
h1 { font-size: 1.9rem; margin: 0; } h2 { font-size: 1.2rem; margin: 0; } h3 { font-size: 1rem; margin: 1.2rem 0 .4rem; }
a { color: inherit; text-underline-offset: .2em; } p { margin: .5rem 0; } .soft { color: var(--soft); }
code, pre { font: 13.5px/1.5 ui-monospace, "Cascadia Mono", Menlo, Consolas, monospace; }
pre { background: var(--card); border: 1px solid var(--line); border-radius: 8px; padding: .8rem 1rem; overflow-x: auto; }
nav ul, .plain { list-style: none; padding: 0; margin: 1rem 0; } nav li { padding: .15rem 0; }
section { border-top: 1px solid var(--line); padding: 1.6rem 0 .6rem; margin-top: 1.2rem; scroll-margin-top: 1rem; }
.verb { font-weight: 650; display: inline-block; min-width: 4rem; }
.read { color: var(--read); } .write { color: var(--write); } .erase { color: var(--erase); }
table { border-collapse: collapse; width: 100%; display: block; overflow-x: auto; }
th { text-align: left; font-weight: 600; color: var(--soft); } th, td { padding: .35rem .8rem .35rem 0; vertical-align: top; border-bottom: 1px solid var(--line); }
summary { cursor: pointer; color: var(--soft); margin: .6rem 0; }
</style>
</head>
<body>
${body}
</body>
</html>
`;
  return page.text;
}
