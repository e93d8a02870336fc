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
  const { content, follow } = useDrawn(draw, isTakenOver);
  const details = useRef<{ open: boolean }>(null);
  useEffect(() => {
    if (details.current?.open === true) follow();
  });
  return html`<details ref=${details} onToggle=${follow}>
    <summary>${heading}</summary>
    ${content}
  </details>`;
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
  return { content: drawn.content, follow };
}
