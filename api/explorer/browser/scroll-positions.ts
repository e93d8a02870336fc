/** Maximum number of frames to wait until the page has its full height. */
const MAX_FRAMES = 12;

/**
 * Saves the scroll position of each history entry. Returns a function that restores the position after the page is
 * drawn. The browser would restore it too early, while the page is too short.
 */
export function keepScrollPositions(): () => void {
  history.scrollRestoration = 'manual';
  const save = () => history.replaceState({ scrollY }, '');
  addEventListener('scrollend', save);
  addEventListener('pagehide', save);
  return () => {
    const state = history.state as { scrollY?: number } | null;
    const target = state?.scrollY ?? 0;
    let frames = 0;
    const scroll = () => {
      scrollTo(0, target);
      frames += 1;
      if (Math.abs(scrollY - target) > 1 && frames < MAX_FRAMES) requestAnimationFrame(scroll);
    };
    scroll();
  };
}
