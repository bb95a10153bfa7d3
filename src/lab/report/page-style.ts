/** How does the page look? By day and by night, on a desk and in a hand; every colour stands here once. */

const LIGHT = ["#0969da", "#bc4c00", "#1a7f37", "#8250df", "#bf3989", "#7d6608", "#0e7c86", "#57606a"];
const DARK = ["#58a6ff", "#f0883e", "#3fb950", "#bc8cff", "#f778ba", "#d4b106", "#39c5cf", "#9aa4ae"];

function colours(list: readonly string[]): string {
  return list.map((colour, place) => `.c${place}{--c:${colour}}`).join("");
}

export const PAGE_STYLE = `
:root{color-scheme:light dark;--page:#fff;--text:#1f2328;--dim:#59636e;--line:#d1d9e0;--soft:#f6f8fa;--good:#1a7f37;--bad:#c93c37;--mark:#dafbe1;--link:#0969da}
${colours(LIGHT)}
@media (prefers-color-scheme:dark){
:root{--page:#0d1117;--text:#e6edf3;--dim:#9198a1;--line:#3d444d;--soft:#151b23;--good:#3fb950;--bad:#f85149;--mark:#12361f;--link:#58a6ff}
${colours(DARK)}
}
*{box-sizing:border-box}
body{margin:0 auto;max-width:1280px;padding:16px;background:var(--page);color:var(--text);font:15px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans","PingFang SC","Microsoft YaHei","Noto Sans CJK SC",sans-serif}
h1{font-size:1.7em;margin:.3em 0}h2{font-size:1.35em;margin:2em 0 .3em;border-top:1px solid var(--line);padding-top:1em;overflow-wrap:anywhere}h3{font-size:1.08em;margin:1.6em 0 .3em}h4{margin:.4em 0;font-size:1em;overflow-wrap:anywhere}
p{margin:.4em 0;max-width:75ch;overflow-wrap:anywhere}.dim,.note{color:var(--dim);font-size:.9em}
a{color:var(--link)}nav a{margin-right:1em}
.facts{display:grid;grid-template-columns:minmax(0,max-content) minmax(65%,1fr);gap:2px 14px;margin:.5em 0}.facts dt{color:var(--dim);overflow-wrap:anywhere}.facts dd{margin:0;overflow-wrap:anywhere}
.scroll{overflow-x:auto;margin:.5em 0;border:1px solid var(--line);border-radius:6px}
table{border-collapse:collapse;width:100%;font-size:.9em;font-variant-numeric:tabular-nums}
th,td{padding:5px 10px;text-align:left;white-space:nowrap;border-bottom:1px solid var(--line)}tbody tr:last-child>*{border-bottom:0}
th.number,td.number{text-align:right}
thead th{background:var(--soft);vertical-align:bottom;white-space:normal;min-width:5.5em}
tbody th{font-weight:500}
th:first-child{position:sticky;left:0;background:var(--page);border-right:1px solid var(--line);z-index:1;min-width:10em;max-width:45vw;white-space:normal;overflow-wrap:anywhere}
thead th:first-child{background:var(--soft)}
thead small{display:block;font-weight:400;color:var(--dim)}thead button{all:unset;cursor:pointer;font-weight:600}thead button:focus-visible{outline:2px solid var(--dim)}
th[aria-sort=descending] button::after{content:" ↓"}th[aria-sort=ascending] button::after{content:" ↑"}
.interval{color:var(--dim)}.best{font-weight:700}.best .interval{color:inherit}
.key{vertical-align:-2px;margin-right:6px}.key *{fill:var(--c)}
.legend{position:sticky;top:0;z-index:2;display:flex;flex-wrap:wrap;gap:4px 16px;list-style:none;margin:.6em 0;padding:6px 0;background:var(--page);border-bottom:1px solid var(--line);font-size:.9em}
.plots{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,340px),1fr));gap:14px;align-items:start}
figure{margin:0;padding:10px;border:1px solid var(--line);border-radius:6px}figcaption{font-size:.9em;margin-bottom:6px}
.plot{display:block;width:100%;height:auto}.plot text{font-size:11.5px;fill:var(--dim)}.plot .axis{fill:var(--text)}
.grid{stroke:var(--line);stroke-width:1;fill:none}.line{fill:none;stroke:var(--c);stroke-width:2}.again .line{stroke-dasharray:5 4}
.whisker{stroke:var(--c);stroke-width:1.5;opacity:.55;fill:none}.plot circle,.plot g g path:not(.whisker){fill:var(--c)}
.fold{margin:1.2em 0}.fold>summary{cursor:pointer;font-weight:600}
.controls{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,200px),1fr));gap:8px 14px;align-items:end;margin:.8em 0}
.controls label{display:grid;gap:2px;font-size:.9em;color:var(--dim);min-width:0}.controls .check{grid-auto-flow:column;justify-content:start;align-items:center;gap:6px;min-height:36px}
select,input[type=search],.more{font:inherit;color:var(--text);background:var(--page);border:1px solid var(--line);border-radius:6px;padding:6px 8px;width:100%;min-height:36px}
.more{width:auto;margin:1em 0;cursor:pointer}
.card{border:1px solid var(--line);border-radius:6px;margin:6px 0}.card>summary{cursor:pointer;padding:7px 10px;display:flex;flex-wrap:wrap;gap:2px 12px;align-items:baseline;list-style:none}
.card>summary::-webkit-details-marker{display:none}.card[open]>summary{background:var(--soft)}
.values{flex:0 0 7.5em;font-variant-numeric:tabular-nums;color:var(--dim)}.values.gain{color:var(--good);font-weight:600}.values.loss,.loss{color:var(--bad);font-weight:600}
.asked{flex:1 1 20em;overflow-wrap:anywhere}.inside{padding:4px 12px 10px}
.sides{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,320px),1fr));gap:16px}
.sides section{min-width:0}.sides ol,.evidence{padding-left:1.6em;margin:.3em 0}.sides li{margin:5px 0;padding:2px 6px;border-radius:4px}.has-evidence{background:var(--mark)}
.text{overflow-wrap:anywhere;white-space:pre-line}.ref{font:.82em ui-monospace,Consolas,monospace;border:1px solid var(--line);border-radius:4px;padding:0 4px;overflow-wrap:anywhere}
.ref.is-evidence{border-color:var(--good);color:var(--good);font-weight:600}
@media (max-width:600px){body{padding:10px;font-size:14px}th,td{padding:5px 7px}.values{flex-basis:100%}}
@media print{.scroll{overflow:visible}.legend{position:static}.controls,.more{display:none}}
`;
