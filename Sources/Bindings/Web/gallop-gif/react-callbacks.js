// <CallbackView>: events of a user's own that go straight to a view, or down and up the tree of views.

const PHASES = ["direct", "bubbling"];
const handlerName = (name) => `on${name[0].toUpperCase()}${name.slice(1)}`;
const isHandler = (name) => /^on[A-Z]/.test(name);

/** The event that one dispatch hands from view to view. */
function makeEvent(name, value, target) {
  let isStopped = false;
  let isPrevented = false;
  return {
    type: name, target, currentTarget: target, eventPhase: 2,
    nativeEvent: value === undefined ? { target } : { value, target },
    stopPropagation() { isStopped = true; },
    isPropagationStopped: () => isStopped,
    preventDefault() { isPrevented = true; },
    isDefaultPrevented: () => isPrevented,
  };
}

/**
 * Delivers an event: direct to the view alone; else captured from the outermost view down, then bubbling up.
 * @param {object | null} view a registration {parent, handlers, element, isMounted}
 * @param {string} name `ready` calls `onReady`, and `onReadyCapture` on the way down
 * @returns {boolean} whether the event's default stays
 */
function dispatch(view, name, value, phase = "bubbling") {
  if (!PHASES.includes(phase)) throw new TypeError(`An event is direct or bubbling, not ${phase}.`);
  if (!view?.isMounted) return true; // a registration lives as long as its view
  const event = makeEvent(name, value, view.element);
  const call = (at, handler, eventPhase) => {
    if (event.isPropagationStopped() || !at.isMounted) return;
    Object.assign(event, { currentTarget: at.element, eventPhase });
    at.handlers[handler]?.(event);
  };
  const bubbled = handlerName(name);
  if (phase === "direct") {
    call(view, bubbled, 2);
  } else {
    const path = [];
    for (let at = view; at; at = at.parent) path.push(at);
    for (const at of path.toReversed?.() ?? [...path].reverse()) call(at, `${bubbled}Capture`, at === view ? 2
      : 1);
    for (const at of path) call(at, bubbled, at === view ? 2 : 3);
  }
  return !event.isDefaultPrevented();
}

/** @param {object} React @param {ReturnType<import("./react-tools.js").reactTools>} tools */
export function callbackComponents(React, { useBrowserEffect }) {
  const { createContext, createElement, forwardRef, useCallback, useContext, useImperativeHandle,
    useRef } = React;
  const Chain = createContext(null);

  /**
   * A view with any `onXxx` and `onXxxCapture`. The ref has `emit(name, value, phase)`. All that begins with
   * `on` is a callback of the chain; events of the DOM belong on elements inside.
   */
  const CallbackView = forwardRef(function CallbackView({ as = "div", children, ...props }, forwarded) {
    const parent = useContext(Chain);
    const registration = useRef(null);
    registration.current ??= { parent, handlers: {}, element: null, isMounted: false };
    const view = registration.current;
    const names = Object.keys(props);
    useBrowserEffect(() => {
      view.parent = parent;
      view.handlers = Object.fromEntries(names.filter(isHandler).map((name) => [name, props[name]]));
    });
    useBrowserEffect(() => {
      view.isMounted = true;
      return () => {
        view.isMounted = false;
        view.handlers = {};
      };
    }, []);
    const keep = useCallback((element) => {
      view.element = element;
    }, []);
    useImperativeHandle(forwarded, () => ({
      get element() { return view.element; },
      emit: (name, value, phase) => dispatch(view, name, value, phase),
    }), []);
    const rest = Object.fromEntries(names.filter((name) => !isHandler(name)).map((name) => [name,
      props[name]]));
    return createElement(Chain.Provider, { value: view },
      createElement(as, { ...rest, ref: keep }, children));
  });

  /** Sends events of a component's own to the views around it: `emit(name, value, phase)`. */
  function useEmit() {
    const view = useContext(Chain);
    return useCallback((name, value, phase) => dispatch(view, name, value, phase), [view]);
  }

  return { CallbackView, useEmit };
}
