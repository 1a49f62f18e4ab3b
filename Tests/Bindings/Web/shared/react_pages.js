// What a server renders and a browser hydrates: the example of the README, and properties that it does not have.

/**
 * @param {object} React @param {object} components @param {Function} readme makes the README's example
 * @returns {Record<string, object>} React's elements by name
 */
export function pagesOf(React, components, readme) {
  const { AnimatedImage, AnimatedImageList, CallbackView, RangeSlider } = components;
  const h = React.createElement;
  const nothing = () => {};
  const style = { width: 90, height: 60, opacity: 0.5, "--own": "1px" };
  return {
    readme: readme(React, components, nothing, nothing),
    images: h("div", null,
      h(AnimatedImage, { src: "a.gif", className: "one", style, controls: true, loop: 3, alt: "A", motion: "full" }),
      h(AnimatedImage, { src: { uri: "a.gif" }, id: "two", loop: true, paused: true, mode: "bounce", range: [2, 5] }),
      h(AnimatedImage, { src: "a.gif", loop: false, autoplay: false, fadeDuration: 100, id: "three", poster: "b.png" }),
      h(AnimatedImage, { placeholder: h("b", null, "…"), "aria-label": "Nothing yet" })),
    others: h(CallbackView, { as: "section", onReady: nothing, className: "view" },
      h(AnimatedImageList, { data: ["a.gif"], style, className: "list", gap: 4, aspect: 1, minWidth: 90, id: "wall" }),
      h(RangeSlider, { activeColor: "red", inactiveColor: "blue", disabled: true, style, className: "slider" })),
  };
}
