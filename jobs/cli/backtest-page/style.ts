/** Style sheet of the page. Wide tables scroll inside their box, so the page can be read on a phone. */
export const STYLE = `
:root { color: #1d2430; background: #fff; font: 16px/1.55 system-ui, sans-serif; }
body { margin: 0; }
main { max-width: 64rem; margin: 0 auto; padding: 1.5rem 1rem 4rem; }
h1 { font-size: 1.6rem; line-height: 1.25; margin: 0 0 .75rem; overflow-wrap: anywhere; }
h2 { font-size: 1.2rem; margin: 2.75rem 0 .5rem; padding-top: 1.25rem; border-top: 1px solid #dfe3e8; }
p, dl { max-width: 44rem; }
.lede { font-size: 1.05rem; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .15rem 1rem; font-size: .9rem; }
dt { font-weight: 600; }
dd { margin: 0; }
.wide { overflow-x: auto; margin: 1rem 0 1.75rem; }
table { border-collapse: collapse; font-size: .875rem; font-variant-numeric: tabular-nums; }
caption { text-align: left; font-weight: 600; padding-bottom: .35rem; }
th, td { padding: .3rem .55rem; text-align: right; white-space: nowrap; border-bottom: 1px solid #e8ebef; }
thead th { vertical-align: bottom; font-weight: 600; color: #4a5463; border-bottom: 2px solid #c6ccd4; }
th:first-child { text-align: left; padding-left: 0; }
tbody th { font-weight: 500; position: sticky; left: 0; background: #fff; }
tbody tr:hover { background: #f5f7f9; }
.pair { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 22rem), 1fr)); gap: 1.5rem; }
figure { margin: .5rem 0; }
figcaption { font-weight: 600; font-size: .9rem; margin-bottom: .35rem; }
svg { max-width: 100%; height: auto; }
@media print { main { max-width: none; } .pair, table { break-inside: avoid; } }
`;
