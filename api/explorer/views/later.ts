import type { FunctionComponent } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { html, type Content } from './html.ts';

/**
 * Parts of a page that need not be drawn at once. On the server, and where they come up first, all of them are; what changes
 * then waits until what matters most is on the screen, or until somebody looks.
 */
type Part = { draw: () => Content };

/** A part that changes one frame after the rest; the key tells it from the parts beside it. */
export function later(key: string, draw: () => Content) {
  return html`<${Later} key=${key} draw=${draw} />`;
}

const Later: FunctionComponent<Part> = ({ draw }) => {
  const { content, follow } = useDrawn(draw);
  useEffect(follow);
  return content as ReturnType<FunctionComponent>;
};

/** A part behind a heading that is pressed: while it is closed it stays as it was, and follows when it is asked for. */
export function onDemand(heading: string, draw: () => Content) {
  return html`<${OnDemand} heading=${heading} draw=${draw} />`;
}

const OnDemand: FunctionComponent<Part & { heading: string }> = ({ heading, draw }) => {
  const { content, follow, forget } = useDrawn(draw, isTakenOver);
  const details = useRef<Details>(null);
  useEffect(() => {
    if (details.current?.open === true) follow();
  });
  const fold = () => {
    const rows = details.current?.querySelectorAll('tr').length ?? 0;
    if (rows > AT_ONCE) forget();
  };
  // To lay out a long one takes as long as many answers: it comes up in parts when it is asked for.
  useEffect(() => {
    const folded = setTimeout(() => {
      if (details.current?.open === false) fold();
    }, FORGOTTEN_AFTER_MS);
    return () => clearTimeout(folded);
  }, []);
  return html`<details
    ref=${details}
    onToggle=${({ newState }: Toggled) => (newState === 'closed' ? fold() : follow())}
  >
    <summary>${heading}</summary>
    ${content}
  </details>`;
};

/** Who wants it drawn while it is folded says no state. */
type Toggled = { newState?: string };
type Details = { open: boolean; querySelectorAll: (what: string) => { length: number } };

/** Rows that are drawn in one frame. */
const AT_ONCE = 40;
const FRAME_MS = 16;
const FORGOTTEN_AFTER_MS = 200;

/** The body of a table; of a long one more comes with each frame, and until all is there it says so. */
export function inParts<Row>(rows: readonly Row[], draw: (row: Row) => Content) {
  return html`<${Parts} rows=${rows} draw=${draw} />`;
}

type PartsProps = { rows: readonly unknown[]; draw: (row: unknown) => Content };

const Parts: FunctionComponent<PartsProps> = ({ rows, draw }) => {
  const [shown, setShown] = useState(isTakenOver ? AT_ONCE : rows.length);
  const hasMore = shown < rows.length;
  useEffect(() => {
    if (!hasMore) return undefined;
    const next = setTimeout(() => setShown(shown + AT_ONCE), FRAME_MS);
    return () => clearTimeout(next);
  }, [shown, hasMore]);
  return html`<tbody data-more=${hasMore ? '' : undefined}>
    ${rows.slice(0, shown).map(draw)}
  </tbody>`;
};

let isTakenOver = false;

/** Told once the browser has what the server drew: from then on what is on demand comes up empty. */
export function takenOver(): void {
  isTakenOver = true;
}

type Drawn = { draw?: Part['draw']; content?: Content };

function useDrawn(draw: Part['draw'], isEmpty = false) {
  const [drawn, setDrawn] = useState<Drawn>(() => (isEmpty ? {} : { draw, content: draw() }));
  const follow = () => {
    if (drawn.draw !== draw) setDrawn({ draw, content: draw() });
  };
  return { content: drawn.content, follow, forget: () => setDrawn({}) };
}
