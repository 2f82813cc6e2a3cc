// Moves and zooms the lineage picture, and tells the extension what was chosen in it.
(() => {
  const api = acquireVsCodeApi();
  const svg = document.querySelector('svg');
  const whole = svg.dataset.whole.split(' ').map(Number);
  const kept = api.getState();
  let view = kept?.whole === svg.dataset.whole ? kept.view : kept ? near(kept.view) : [...whole];

  /** The place that was looked at, inside a picture that has grown. */
  function near([x, y, width, height]) {
    return [Math.max(x, whole[0]), Math.max(y, whole[1]), width, height];
  }

  function show() {
    svg.setAttribute('viewBox', view.join(' '));
    api.setState({ view, whole: svg.dataset.whole });
  }

  /** Zooms by a factor so that the given point of the drawing stays where it is. */
  function zoom(factor, [x, y] = [view[0] + view[2] / 2, view[1] + view[3] / 2]) {
    const width = Math.min(Math.max(view[2] * factor, 200), whole[2] * 4);
    const real = width / view[2];
    view = [x - (x - view[0]) * real, y - (y - view[1]) * real, width, view[3] * real];
    show();
  }

  function move(dx, dy) {
    view = [view[0] + dx, view[1] + dy, view[2], view[3]];
    show();
  }

  /** A point of the window in the drawing's units. */
  function pointOf({ clientX, clientY }) {
    const { x, y } = new DOMPoint(clientX, clientY).matrixTransform(svg.getScreenCTM().inverse());
    return [x, y];
  }

  svg.addEventListener(
    'wheel',
    (event) => {
      event.preventDefault();
      zoom(event.deltaY > 0 ? 1.12 : 1 / 1.12, pointOf(event));
    },
    { passive: false },
  );

  let held;
  let dragged = false;
  svg.addEventListener('pointerdown', (event) => {
    held = pointOf(event);
    dragged = false;
  });
  svg.addEventListener('pointermove', (event) => {
    if (!held || event.buttons === 0) return;
    const [x, y] = pointOf(event);
    if (Math.hypot(x - held[0], y - held[1]) < 3 && !dragged) return;
    dragged = true;
    move(held[0] - x, held[1] - y);
  });
  window.addEventListener('pointerup', () => {
    held = undefined;
  });

  const own = {
    in: () => zoom(0.8),
    out: () => zoom(1.25),
    fit() {
      view = [...whole];
      show();
    },
  };

  function act(target) {
    const chosen = target instanceof Element && target.closest('[data-action]');
    if (!chosen) return false;
    const { action, name } = chosen.dataset;
    if (own[action]) own[action]();
    else api.postMessage({ action, name });
    return true;
  }

  document.addEventListener('click', (event) => {
    if (!dragged) act(event.target);
  });
  document.addEventListener('keydown', (event) => {
    if ((event.key === 'Enter' || event.key === ' ') && event.target instanceof SVGElement) {
      if (act(event.target)) event.preventDefault();
      return;
    }
    const step = view[2] / 12;
    const keys = {
      '+': own.in,
      '=': own.in,
      '-': own.out,
      0: own.fit,
      ArrowLeft: () => move(-step, 0),
      ArrowRight: () => move(step, 0),
      ArrowUp: () => move(0, -step),
      ArrowDown: () => move(0, step),
    };
    if (!keys[event.key] || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    keys[event.key]();
  });
  show();
})();
