// SPDX-License-Identifier: Apache-2.0
import uPlot from 'uplot';

type Handle = (event: MouseEvent) => void;

/**
 * Lets a brush go on while the pointer is outside of the plot; it then ends at the edge. uPlot alone stops following
 * there, and the windows on the axis, which are the frozen ones, could hardly be brushed.
 *
 * @returns an uPlot plugin
 */
export function dragBeyond(): uPlot.Plugin {
  let over: HTMLElement | null = null;
  let move: Handle = () => {};
  let leave: Handle = () => {};

  const follow = (event: MouseEvent) => {
    if (event.target === over || !over) {
      return;
    }
    const { left, top, right, bottom } = over.getBoundingClientRect();
    move(
      new MouseEvent('mousemove', {
        clientX: Math.min(Math.max(event.clientX, left), right),
        clientY: Math.min(Math.max(event.clientY, top), bottom),
        // uPlot takes no notice of a drag that does not move
        movementX: 1,
      })
    );
  };
  const begin = () => document.addEventListener('mousemove', follow);
  const end = () => document.removeEventListener('mousemove', follow);

  let dragging = false;
  const bind: uPlot.Cursor.Bind = {
    mousedown: (_, target, handle) =>
      only(target, (event) => {
        dragging = true;
        begin();
        handle(event);
      }),
    mousemove: (_, target, handle) => {
      over = target;
      move = handle;
      return only(target, handle);
    },
    mouseleave: (_, target, handle) => {
      leave = handle;
      return only(target, (event) => dragging || handle(event));
    },
    mouseup: (_, __, handle) =>
      only(null, (event) => {
        dragging = false;
        end();
        handle(event);
        if (event.target !== over) {
          leave(event);
        }
      }),
  };
  return {
    opts: (_, options) => {
      options.cursor = { ...options.cursor, bind: { ...options.cursor?.bind, ...bind } };
    },
    hooks: { destroy: end },
  };
}

/** Passes on the events of the main button (of moves: any) on a target; null: on any. */
function only(target: HTMLElement | null, handle: Handle): uPlot.Cursor.MouseListener {
  return (event) => {
    if ((event.button === 0 || event.type === 'mousemove') && (!target || event.target === target)) {
      handle(event);
    }
    return null;
  };
}
