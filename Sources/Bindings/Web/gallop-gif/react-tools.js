// What the components share: effects before painting, listeners with a component's life, the events' shape.

/** What an event says: its `detail`, or what its maker has put on it. An error says its words. */
function factsOf(event) {
  if (event.type === "error") return { error: event.target.error?.message ?? "" };
  const { isTrusted, ...own } = event; // some browsers put `isTrusted` on each event
  return event.detail ?? own;
}

/**
 * An event as React Native's bridge delivers it: the facts are in `nativeEvent`.
 * @param {Event} event @param {object} [facts]
 */
export function bridgeEvent(event, facts = factsOf(event)) {
  const { type, target, currentTarget, timeStamp } = event;
  return { type, target, currentTarget, timeStamp, nativeEvent: { ...facts, target } };
}

/** Styles whose numbers are not pixels. */
const WITHOUT_UNIT = /^(opacity|order|zoom|zIndex|aspectRatio|fontWeight|lineHeight|flex.*|grid.*)$/;

/** Some Reacts leave the style of a custom element out on a server, and hydration does not add it. */
function restoreStyle(element, style) {
  if (element.hasAttribute("style")) return;
  for (const [name, value] of Object.entries(style ?? {})) {
    const text = typeof value === "number" && value !== 0 && !WITHOUT_UNIT.test(name) ? `${value}px`
      : String(value ?? "");
    if (name.startsWith("--")) element.style.setProperty(name, text);
    else element.style[name] = text;
  }
}

/**
 * The style of a custom element as properties. Where a server has left it out, React would warn of the difference:
 * `useStyle` adds what is missing.
 */
export function styled(style) {
  const isStyled = Object.keys(style ?? {}).length > 0;
  return { style, suppressHydrationWarning: isStyled || undefined };
}

/** @param {object} React */
export function reactTools({ useCallback, useEffect, useLayoutEffect, useRef }) {
  // A server has no layout; its React warns of layout effects.
  const useBrowserEffect = typeof document === "undefined" ? useEffect : useLayoutEffect;

  /** The newest value, for functions that outlive a render. */
  function useLatest(value) {
    const latest = useRef(value);
    useBrowserEffect(() => {
      latest.current = value;
    });
    return latest;
  }

  /** One callback for two places that want the same element: a component's own ref and its user's. */
  function useSharedRef(own, theirs) {
    return useCallback((element) => {
      for (const ref of [own, theirs]) {
        if (typeof ref === "function") ref(element);
        else if (ref) ref.current = element;
      }
    }, [own, theirs]);
  }

  /**
   * Hears events of an element while the component is mounted, with the newest handlers.
   * @param {{current: Element | null}} ref
   * @param {Record<string, string>} types the handlers' names and their events
   * @param {Record<string, unknown>} handlers
   * @param {(event: Event) => object} shape
   */
  function useEvents(ref, types, handlers, shape = bridgeEvent) {
    const latest = useLatest(handlers);
    // Only what is wanted has a listener: an element without one gets no report of its frames.
    const wanted = Object.keys(types).filter((name) => handlers[name]).join(" ");
    useBrowserEffect(() => {
      const element = ref.current;
      const registered = wanted.split(" ").filter(Boolean).map((name) => {
        const type = types[name];
        const listener = (event) => {
          // A composed event of something inside is not this element's.
          if (event.target === element) latest.current[name]?.(shape(event));
        };
        element.addEventListener(type, listener);
        return () => element.removeEventListener(type, listener);
      });
      return () => registered.forEach((remove) => remove());
    }, [wanted]);
  }

  /** Sees to it that a custom element has its style after hydration, too. */
  function useStyle(ref, style) {
    useBrowserEffect(() => restoreStyle(ref.current, style), []);
  }

  return { useBrowserEffect, useLatest, useStyle, useSharedRef, useEvents };
}
