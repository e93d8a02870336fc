import type { FunctionComponent } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { html, type Content } from './html.ts';

/**
 * A part of a page that may be redrawn later than the rest. The first drawing includes every part. After a change, the
 * more important parts are redrawn first; folded parts are redrawn only when the visitor opens them.
 */
type Part = { draw: () => Content };

/** Redraws a part one frame after the rest of the page. The key must be unique among its siblings. */
export function drawLater(key: string, draw: () => Content) {
  return html`<${DeferredPart} key=${key} draw=${draw} />`;
}

const DeferredPart: FunctionComponent<Part> = ({ draw }) => {
  const { content, redraw } = useDrawing(draw);
  useEffect(redraw);
  return content as ReturnType<FunctionComponent>;
};

/** A part that opens below a heading. While it is closed, it is not redrawn. */
export function drawOnDemand(heading: string, draw: () => Content) {
  return html`<${OnDemandPart} heading=${heading} draw=${draw} />`;
}

const OnDemandPart: FunctionComponent<Part & { heading: string }> = ({ heading, draw }) => {
  const { content, redraw, discard } = useDrawing(draw, isHydrated);
  const details = useRef<Details>(null);
  useEffect(() => {
    if (details.current?.open === true) redraw();
  });
  const fold = () => {
    const rows = details.current?.querySelectorAll('tr').length ?? 0;
    if (rows > ROWS_PER_FRAME) discard();
  };
  // A closed part that is long is emptied, because it would slow down the layout of the page. When the visitor opens
  // the part, it is drawn row by row.
  useEffect(() => {
    const timer = setTimeout(() => {
      if (details.current?.open === false) fold();
    }, DISCARD_AFTER_MS);
    return () => clearTimeout(timer);
  }, []);
  return html`<details
    ref=${details}
    onToggle=${({ newState }: ToggleEvent) => (newState === 'closed' ? fold() : redraw())}
  >
    <summary>${heading}</summary>
    ${content}
  </details>`;
};

/** A toggle event. `newState` is missing if a script sends the event to request the drawing of a closed part. */
type ToggleEvent = { newState?: string };
type Details = { open: boolean; querySelectorAll: (selector: string) => { length: number } };

/** Number of rows per frame. */
const ROWS_PER_FRAME = 40;
const FRAME_MS = 16;
const DISCARD_AFTER_MS = 200;

/**
 * A table body that draws a long table over several frames. The attribute `data-more` is present until all rows are
 * drawn.
 */
export function drawRowsInParts<Row>(rows: readonly Row[], draw: (row: Row) => Content) {
  return html`<${RowParts} rows=${rows} draw=${draw} />`;
}

type RowPartsProps = { rows: readonly unknown[]; draw: (row: unknown) => Content };

const RowParts: FunctionComponent<RowPartsProps> = ({ rows, draw }) => {
  const [shown, setShown] = useState(isHydrated ? ROWS_PER_FRAME : rows.length);
  const hasMore = shown < rows.length;
  useEffect(() => {
    if (!hasMore) return undefined;
    const next = setTimeout(() => setShown(shown + ROWS_PER_FRAME), FRAME_MS);
    return () => clearTimeout(next);
  }, [shown, hasMore]);
  return html`<tbody data-more=${hasMore ? '' : undefined}>
    ${rows.slice(0, shown).map(draw)}
  </tbody>`;
};

let isHydrated = false;

/**
 * Call this function when the script has taken over the server's HTML. From then on, new closed parts are drawn only
 * when they are opened.
 */
export function markHydrated(): void {
  isHydrated = true;
}

type DrawnContent = { draw?: Part['draw']; content?: Content };

function useDrawing(draw: Part['draw'], isEmpty = false) {
  const [drawn, setDrawn] = useState<DrawnContent>(() =>
    isEmpty ? {} : { draw, content: draw() },
  );
  const redraw = () => {
    if (drawn.draw !== draw) setDrawn({ draw, content: draw() });
  };
  return { content: drawn.content, redraw, discard: () => setDrawn({}) };
}
