/** The style for light and dark modes and for narrow and wide screens. */
export const pageStyle = `
:root { color-scheme: light dark; --ink: #1c2127; --faint: #5c6670; --line: #d9dee3; --paper: #fff;
  --track: #eef1f4; --ours: #1f6feb; --peer: #97a3b0; --range: #1c2127; --good: #117a37; --bad: #b42318; --perhaps: #8a5a00; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6e9ec; --faint: #9aa5b0; --line: #313a43; --paper: #14181c;
  --track: #222a31; --ours: #4c93ff; --peer: #66727f; --range: #e6e9ec; --good: #4cc27a; --bad: #ff7b6e; --perhaps: #e0a63c; } }
body { font: 15px/1.45 system-ui, sans-serif; color: var(--ink); background: var(--paper); max-width: 76rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.6rem; margin: 0; } h2 { font-size: 1.15rem; margin: 2.2rem 0 .6rem; }
dl { display: flex; flex-wrap: wrap; gap: .4rem 2rem; margin: 1rem 0; } dt { color: var(--faint); font-size: .8rem; } dd { margin: 0; }
nav { display: flex; flex-wrap: wrap; gap: .3rem 1.1rem; } a { color: var(--ours); text-decoration: none; } a:hover { text-decoration: underline; }
.how { color: var(--faint); max-width: 60rem; }
table { border-collapse: collapse; width: 100%; } td, th { padding: .22rem .6rem; text-align: left; vertical-align: middle; }
th { font-weight: 500; color: var(--faint); font-size: .85rem; } tbody { border-top: 1px solid var(--line); }
.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
.spread, .unit, .subject, .note { color: var(--faint); white-space: nowrap; font-variant-numeric: tabular-nums; }
.note { font-size: .85rem; white-space: normal; } .not-measured { color: var(--faint); }
.figures { table-layout: fixed; } .figures .label { width: 19rem; } .figures .subject { width: 9rem; white-space: normal; }
.figures .number { width: 5rem; } .figures .spread { width: 4rem; } .figures .unit { width: 7rem; } .figures .note { width: 12rem; }
.goals .wide { width: 24rem; }
.bar { position: relative; display: block; height: .85rem; background: var(--track); border-radius: 2px; overflow: hidden; }
.bar i { position: absolute; inset: 0 auto 0 0; min-width: 1px; background: var(--peer); border-radius: 2px; } .ours i { background: var(--ours); }
.bar b { position: absolute; top: 42%; height: 16%; min-width: 1px; background: var(--range); opacity: .75; }
.bar .mark { left: 50%; top: 0; height: 100%; width: 2px; opacity: 1; }
.aim .bar i, .must .bar i { background: var(--good); } .no .bar i { background: var(--bad); }
.aim .verdict, .must .verdict, .better { color: var(--good); } .no .verdict, .worse { color: var(--bad); } .perhaps { color: var(--perhaps); }
.verdict, .change { white-space: nowrap; font-weight: 600; } .change { font-size: .85rem; }
@media (max-width: 60rem) { .wide, .note { display: none; } .figures .label { width: auto; } td, th { padding: .22rem .3rem; } }
`;
