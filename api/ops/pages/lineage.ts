import type { VNode } from 'preact';
import type { Lineage, LineageNode } from '../../../warehouse/live/lineage.ts';
import type { OpsBuild } from '../../../warehouse/live/ops-summary.ts';
import { html, type Node } from '../html.ts';
import type { View } from '../visitor.ts';
import { layout } from './layout.ts';

type LineageData = { lineage: Lineage; builds: OpsBuild[] };

const MARGIN = 8;
const KINDS: [LineageNode['kind'], string][] = [
  ['source', 'Loaded tables'],
  ['intermediate', 'Intermediate models'],
  ['mart', 'Marts'],
  ['check', 'Checks'],
];

/** The page of all SQL models and checks: a picture of their graph, and a description of each. */
export function lineagePage({ lineage, builds, visitor }: View & LineageData): VNode {
  const checks = builds.at(0)?.checks ?? [];
  const problems = new Map(
    checks.flatMap(({ check, problem }) => (problem === undefined ? [] : [[check, problem]])),
  );
  const problemOf = ({ name, problem }: LineageNode) =>
    problem ?? problems.get(name.replace('.', '/')) ?? problems.get(name.replace('checks.', ''));
  const own = lineage.nodes.filter(({ isOwn }) => isOwn);
  return layout(
    { title: 'Lineage', path: '/ops/lineage', visitor },
    html`<p>
      Each model and check is to the right of the tables that it reads.${' '}
      ${own.length > 0 && `${own.length} of them are your own, from MODELS_DIR; they have a thick frame. `}
      Marts are green, and checks are yellow. A node links to its description.
    </p>`,
    picture(lineage, problemOf),
    KINDS.map(([kind, title]) => {
      const nodes = lineage.nodes.filter((node) => node.kind === kind);
      return html`<section>
        <h2>${title}</h2>
        <div class="relations">
          ${nodes
            .toSorted((a, b) => a.name.localeCompare(b.name))
            .map((node) => description(node, lineage, problemOf(node)))}
        </div>
      </section>`;
    }),
  );
}

function picture(
  { nodes, edges, width, height, nodeWidth, nodeHeight }: Lineage,
  problemOf: (node: LineageNode) => string | undefined,
): VNode {
  const size = { w: width + 2 * MARGIN, h: height + 2 * MARGIN };
  return html`<div
    class="scroll"
    tabindex="0"
    role="region"
    aria-label="Graph of models and checks"
  >
    <svg
      class="lineage"
      role="group"
      aria-label="Graph of models and checks; the list below has the same content"
      viewBox=${`${-MARGIN} ${-MARGIN} ${size.w} ${size.h}`}
      width=${size.w}
      height=${size.h}
    >
      ${edges.map(({ path }) => html`<path d=${path} />`)}
      ${nodes.map((node) => {
        const { name, kind, isOwn, x, y } = node;
        const problem = problemOf(node);
        const classes = [kind, isOwn && 'own', problem !== undefined && 'broken'].filter(Boolean);
        return html`<a href=${`#${name}`} class=${classes.join(' ')}>
          <title>${problem === undefined ? name : `${name}: ${problem}`}</title>
          <rect x=${x} y=${y} width=${nodeWidth} height=${nodeHeight} rx="3" />
          <text x=${x + 6} y=${y + 14}>${shortName(name)}</text>
        </a>`;
      })}
    </svg>
  </div>`;
}

function description(node: LineageNode, { edges }: Lineage, problem: string | undefined): VNode {
  const { name, kind, about, columns, isOwn, reads } = node;
  const readers = edges.filter(({ from }) => from === name).map(({ to }) => to);
  return html`<article class="card relation" id=${name}>
    <h3><code>${name}</code>${isOwn && html` <small>your own</small>`}</h3>
    ${problem !== undefined && html`<p class="error">${problem}</p>`}
    <p>${formattedText(about)}</p>
    ${
      columns.length > 0 &&
      html`<details>
        <summary>${kind === 'check' ? 'Severities and limits' : 'Columns'}</summary>
        <dl>
          ${columns.map(
            (column) =>
              html`<div>
                <dt><code>${column.name}</code></dt>
                <dd>${formattedText(column.about)}</dd>
              </div>`,
          )}
        </dl>
      </details>`
    }
    ${links('Reads', reads)} ${links('Read by', readers)}
  </article>`;
}

function links(title: string, names: string[]): Node {
  return (
    names.length > 0 &&
    html`<p class="note">
      ${`${title} `}${names.map((name, index) => html`${index > 0 && ', '}<a href=${`#${name}`}>${name}</a>`)}
    </p>`
  );
}

/** Returns the text with each part between backticks as code. */
function formattedText(text: string): Node[] {
  return text
    .split(/(`[^`]+`)/)
    .map((part) => (part.startsWith('`') ? html`<code>${part.slice(1, -1)}</code>` : part));
}

function shortName(name: string): string {
  return name.slice(name.indexOf('.') + 1);
}
