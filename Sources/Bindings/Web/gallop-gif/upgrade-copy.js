// Copies that scripts of the page make of an upgraded image: they have its style, and what it shows for ever.

/** Takes from a copy what was set on its original. @param {HTMLImageElement} image */
export function freeCopy(image) {
  const { style } = image;
  const values = { content: /blob:/, "object-position": /-99999px/, overflow: /clip/, "touch-action": /pan-y/ };
  for (const [name, value] of Object.entries(values)) {
    const isOfOurs = style.getPropertyPriority(name) && value.test(style.getPropertyValue(name));
    if (isOfOurs) style.removeProperty(name);
  }
  if (!style.length) image.removeAttribute("style");
}
